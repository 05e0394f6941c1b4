// The surface of the groomed mesh: keeps growing strands outside it.
#pragma once

#include "geom/closed_rims.h"
#include "geom/distance_field.h"

namespace ringlet {

class Skin {
public:
    // Copies what it needs; the mesh is not referenced after construction. Openings are closed:
    // hair that hangs past the lower rim of a bust is outside.
    Skin(const Mesh& mesh, const TaskPool& pool) : Skin(pool, with_closed_rims(mesh)) {}

    // Moves a point that is lower than `gap` metres (at most kReach) above the skin up to that
    // height. Uses the distance field: fast, accurate to about a millimetre.
    Vec3f above(Vec3f p, float gap) const {
        const DistanceField::Sample at = field_.at(p);
        if (at.distance >= gap) return p;
        return p + unit_or(at.gradient, Vec3f{0, 1, 0}) * (gap - at.distance);
    }

    // The unit direction away from the skin, and the distance in metres (at most kReach).
    DistanceField::Sample at(Vec3f p) const { return field_.at(p); }

    // Moves a point that is inside or closer than `gap` metres to that distance. Exact.
    Vec3f outside(Vec3f p, float gap) const {
        if (bvh_.empty() || field_.at(p).distance > gap + 0.5f * field_.cell_size()) return p;
        const ClosestPoint at = bvh_.closest(p, kAnywhere);
        if (at.triangle < 0 || at.distance >= gap) return p;
        return at.point + at.normal * gap;
    }

private:
    Skin(const TaskPool& pool, const Mesh& closed)
        : bvh_(closed), field_(closed, bvh_, kReach, pool) {}

    static constexpr float kAnywhere = 1e15f;  // m; its square does not overflow a float
    static constexpr float kReach = 0.06f;     // m; larger than any groom.comb.lift
    Bvh bvh_;
    DistanceField field_;
};

}  // namespace ringlet
