// A point of a path: how light scatters there, whatever was hit.
#pragma once

#include <optional>

#include "render_rt/ray_scene.h"
#include "render_rt/skin_scatter.h"
#include "shade/fibre_scatter.h"

namespace ringlet {

class ScatterPoint {
public:
    // `view` is the unit direction towards the eye. `shape` must outlive it. Precondition: the hit
    // is not `nothing`.
    ScatterPoint(const RayHit& hit, Vec3f view, const FibreShape& shape);
    // A part of the surface of a mesh; `albedo` replaces the colour of the hit.
    ScatterPoint(const RayHit& hit, Vec3f albedo, Vec3f view, SkinPart part);

    // The surface, if the hit is on a mesh.
    const std::optional<SkinScatter>& skin() const { return skin_; }

    struct Evaluation {
        Vec3f
            value;  // the share of the light from a direction that reaches the eye, per solid angle
        float density;  // of sample(), per solid angle
    };
    Evaluation evaluate(Vec3f light) const;
    // Draws a unit direction towards the light from four uniform numbers.
    Vec3f sample(const std::array<float, 4>& uniform) const;
    // A ray that leaves the point and does not hit the same place again.
    Ray ray_towards(Vec3f direction) const;

private:
    const RayHit* hit_;
    // Strands: `across_` is the direction of azimuth 0, `side_` that of azimuth pi / 2.
    Vec3f across_{0, 0, 0}, side_{0, 0, 0};
    std::optional<FibreScatter> fibre_;
    std::optional<SkinScatter> skin_;
};

}  // namespace ringlet
