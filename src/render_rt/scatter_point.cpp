#include "render_rt/scatter_point.h"

#include <algorithm>
#include <cmath>

namespace ringlet {

namespace {

// Rays leave meshes this far outside, because hits are rounded.
constexpr float kSkinGap = 5e-6f;  // m
// Rays leave flat strands this many widths behind the point where they were hit. A larger gap for
// rays along the strand, which stay in it for longer, misses neighbours: light of a lamp in dense
// hair then is 1 % too dark.
constexpr float kStrandGap = 1.1f;
// Rays that leave round strands ignore hits within this many radii, because hits are rounded. They
// do not hit the strand that they leave again: hits from inside are ignored (ray_scene.h).
constexpr float kTubeGap = 0.1f;

Vec3f absorption_of(Vec3f colour, float rough_around) {
    return {absorption_of_colour(colour.x, rough_around),
            absorption_of_colour(colour.y, rough_around),
            absorption_of_colour(colour.z, rough_around)};
}

}  // namespace

ScatterPoint::ScatterPoint(const RayHit& hit, Vec3f view, const FibreShape& shape) : hit_(&hit) {
    if (hit.kind == RayHit::Kind::mesh) {
        skin_.emplace(hit.colour, hit.normal, view);
        return;
    }
    const float sine = std::clamp(dot(view, hit.tangent), -1.0f, 1.0f);
    across_ = unit_or(view - hit.tangent * sine, perpendicular(hit.tangent));
    side_ = cross(hit.tangent, across_);
    fibre_.emplace(shape, absorption_of(hit.colour, shape.fibre.rough_around), hit.h,
                   std::asin(sine));
}

ScatterPoint::ScatterPoint(const RayHit& hit, Vec3f albedo, Vec3f view, SkinPart part)
    : hit_(&hit) {
    skin_.emplace(albedo, hit.normal, view, part);
}

ScatterPoint::Evaluation ScatterPoint::evaluate(Vec3f light) const {
    if (skin_) {
        if (!(dot(hit_->face_normal, light) > 0)) return {{0, 0, 0}, 0};
        const SkinScatter::Evaluation out = skin_->evaluate(light);
        return {out.value, out.density};
    }
    const float sine = std::clamp(dot(light, hit_->tangent), -1.0f, 1.0f);
    const FibreScatter::Evaluation out =
        fibre_->evaluate({sine, std::sqrt(std::max(1 - sine * sine, 0.0f)),
                          std::atan2(dot(light, side_), dot(light, across_))});
    return {out.value, out.density};
}

Vec3f ScatterPoint::sample(const std::array<float, 4>& uniform) const {
    if (skin_) return skin_->sample({uniform[0], uniform[1], uniform[2]});
    const FibreDirection out = fibre_->sample(uniform);
    const Vec3f around = across_ * std::cos(out.azimuth) + side_ * std::sin(out.azimuth);
    return hit_->tangent * out.sin_theta + around * out.cos_theta;
}

Ray ScatterPoint::ray_towards(Vec3f direction) const {
    Ray ray{hit_->position, direction};
    ray.time = hit_->time;
    if (skin_)
        ray.origin += hit_->face_normal * kSkinGap;
    else
        ray.near = (hit_->is_round ? kTubeGap : kStrandGap * 2) * hit_->radius;
    return ray;
}

}  // namespace ringlet
