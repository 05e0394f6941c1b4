// Vectors, rotations and rigid motions. Plain values without functions.
#pragma once

namespace ringlet {

// F is float here; inside the library also a type that holds one float of several strands.
template <class F>
struct Vec3 {
    F x, y, z;
};

// A rotation as a unit quaternion, w + xi + yj + zk.
template <class F>
struct Quat {
    F x, y, z, w;
};

// A rigid motion or pose: maps a point a to rotation a + translation. Translations are in metres.
// The identity by default.
template <class F>
struct Rigid {
    Quat<F> rotation{F(0), F(0), F(0), F(1)};
    Vec3<F> translation{F(0), F(0), F(0)};
};

using Vec3f = Vec3<float>;
using Quatf = Quat<float>;
using Rigidf = Rigid<float>;

}  // namespace ringlet
