// Bounds on positions and velocities. A model treats a vertex beyond them, or one that is not a
// number, as a numerical failure: it keeps the last position, sets the velocity to zero and reports
// the strand.
#pragma once

namespace ringlet {

inline constexpr float kMaxCoordinate = 1e4f;  // m from the origin
inline constexpr float kMaxSpeed = 1e4f;       // m/s

}  // namespace ringlet
