#include "fit/radial_map.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"

namespace ringlet {

namespace {

// Directions more than this below the horizon meet the neck, or the cut where a mesh of a head
// ends, so a missing surface is no strong evidence there.
constexpr int kNeckElevations = 3;
constexpr float kMissingNeck = 0.3f;

float loss(float a, float b, int elevation) {
    constexpr float kScale = 0.06f;
    if (a == 0 && b == 0) return 0;
    if (a == 0 || b == 0) return elevation < kNeckElevations ? kMissingNeck : 1;
    const float d = a - b;
    return d * d / (d * d + kScale * kScale);
}

// Solid angle of a direction's cell, up to a factor.
float weight_of(int elevation) {
    const float middle = (static_cast<float>(elevation) + 0.5f) / RadialMap::kElevations - 0.5f;
    return sin_cos(middle * kPi).cos;
}

template <class Loss>
float mean_loss(const Loss& loss_at) {
    float sum = 0, weights = 0;
    for (int e = 0; e < RadialMap::kElevations; ++e)
        for (int a = 0; a < RadialMap::kAzimuths; ++a) {
            sum += weight_of(e) * loss_at(e, a);
            weights += weight_of(e);
        }
    return sum / weights;
}

float at(const RadialMap& map, int e, int a) {
    return map.radius[static_cast<std::size_t>(e)][static_cast<std::size_t>(a)];
}

}  // namespace

RadialMap radial_map(std::span<const Vec3f> points, const HeadPose& pose) {
    RadialMap out;
    const Placement turn = turn_upright(pose.up, pose.facing);
    const float reach = RadialMap::kReach * pose.height;
    for (const Vec3f& point : points) {
        const Vec3f from_centre = point - pose.centre;
        const float squared = dot(from_centre, from_centre);
        if (!(squared < reach * reach) || squared == 0) continue;
        const Vec3f p = turned(turn, from_centre);
        const float azimuth = atan2(p.x, p.z) / (2 * kPi);
        const float elevation = atan2(p.y, sqrt(p.x * p.x + p.z * p.z)) / kPi + 0.5f;
        const int a = static_cast<int>(std::floor(azimuth * RadialMap::kAzimuths));
        const int e = static_cast<int>(elevation * RadialMap::kElevations);
        float& here =
            out.radius[static_cast<std::size_t>(std::min(e, RadialMap::kElevations - 1))]
                      [static_cast<std::size_t>((a + RadialMap::kAzimuths) % RadialMap::kAzimuths)];
        here = max(here, sqrt(squared) / pose.height);
    }
    return out;
}

float difference(const RadialMap& a, const RadialMap& b) {
    return mean_loss([&](int e, int k) { return loss(at(a, e, k), at(b, e, k), e); });
}

float asymmetry(const RadialMap& map) {
    return mean_loss([&](int e, int k) {
        return loss(at(map, e, k), at(map, e, RadialMap::kAzimuths - 1 - k), e);
    });
}

}  // namespace ringlet
