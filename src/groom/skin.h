// The body as hair meets it: where its surface is, and how to stay above it.
#pragma once

#include "geom/distance_field.h"

namespace ringlet {

class Skin {
public:
    Skin(const Mesh& body, const TaskPool& pool) : bvh_(body), field_(body, bvh_, kReach, pool) {}

    // The point moved out of the body, to at least `gap` (below kReach) above the skin.
    Vec3f outside(Vec3f p, float gap) const {
        // The field answers for the many points that are nowhere near; the tree for the rest.
        if (bvh_.empty() || field_.distance(p) > gap + 2 * field_.cell_size()) return p;
        const ClosestPoint at = bvh_.closest(p, 10 * kReach);
        if (at.triangle < 0 || at.distance >= gap) return p;
        return at.point + at.normal * gap;
    }

    ClosestPoint closest(Vec3f p, float reach) const { return bvh_.closest(p, reach); }

private:
    static constexpr float kReach = 0.06f;  // m; no hairstyle is lifted farther by its skin
    Bvh bvh_;
    DistanceField field_;
};

}  // namespace ringlet
