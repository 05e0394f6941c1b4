// Finds a head in a mesh of unknown unit and orientation: a head alone, a bust or a whole figure.
#pragma once

#include "fit/radial_map.h"
#include "fit/surface_samples.h"

namespace ringlet {

// The best pose for one pair of axes.
struct HeadCandidate {
    HeadPose pose;
    float misfit = 1;  // 0: exactly the typical head; 1: nothing in common
};

struct FoundHead {
    // Sorted by misfit; for each way to align the axes of the file with up and facing at most one.
    std::vector<HeadCandidate> candidates;

    const HeadCandidate& best() const { return candidates.front(); }
};

// Axes that the caller knows; zero: unknown.
struct KnownAxes {
    Vec3f up{0, 0, 0}, facing{0, 0, 0};
};

// Whether a candidate for an axis is the known one; true if none is known.
inline bool is_allowed(Vec3f axis, Vec3f known) {
    return dot(known, known) == 0 || dot(axis, known) > 0.5f;
}

// Above this misfit a mesh is not taken for a head. Measured: 0.02 to 0.17 for 17 heads, busts and
// figures, 0.19 and more for a bunny, a vase, a teapot, a horse, a ball and a cube.
inline constexpr float kHeadMisfit = 0.18f;

// Compares the mesh in all axis-aligned orientations, at all sizes that a head may have in it, with
// a typical head. Empty if the mesh has no area.
FoundHead find_head(const Mesh& mesh, const TriangleSubset& subset = {},
                    const KnownAxes& known = {});

}  // namespace ringlet
