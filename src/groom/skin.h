// The body as hair meets it: where its surface is, and how to stay above it.
#pragma once

#include "geom/distance_field.h"

namespace ringlet {

class Skin {
public:
    Skin(const Mesh& body, const TaskPool& pool) : bvh_(body), field_(body, bvh_, kReach, pool) {}

    // The point moved to about `gap` (below kReach) above the skin, if it is lower: by look-up,
    // good to a millimetre.
    Vec3f above(Vec3f p, float gap) const {
        const DistanceField::Sample at = field_.at(p);
        if (at.distance >= gap) return p;
        return p + unit_or(at.gradient, Vec3f{0, 1, 0}) * (gap - at.distance);
    }

    // The point moved out of the body, to at least `gap` above the skin: exact.
    Vec3f outside(Vec3f p, float gap) const {
        if (bvh_.empty() || field_.at(p).distance > gap + 0.5f * field_.cell_size()) return p;
        const ClosestPoint at = bvh_.closest(p, kAnywhere);
        if (at.triangle < 0 || at.distance >= gap) return p;
        return at.point + at.normal * gap;
    }

private:
    static constexpr float kAnywhere = 1e15f;  // m; its square is still a float
    static constexpr float kReach = 0.06f;     // m; no hairstyle is lifted farther by its skin
    Bvh bvh_;
    DistanceField field_;
};

}  // namespace ringlet
