#include "groom/clumps.h"

#include <algorithm>

namespace ringlet {

ClumpCentreline::ClumpCentreline(std::vector<Vec3f> points, float length)
    : points_(std::move(points)),
      step_(length / static_cast<float>(std::max<std::size_t>(points_.size(), 2) - 1)) {
    Framef frame = frame_along(points_.size() > 1 ? unit_or(points_[1] - points_[0], Vec3f{0, 1, 0})
                                                  : Vec3f{0, 1, 0});
    for (std::size_t i = 0; i < points_.size(); ++i) {
        if (i > 0) frame = transport(frame, unit_or(points_[i] - points_[i - 1], frame.tangent));
        frames_.push_back(frame);
    }
}

ClumpCentreline::Location ClumpCentreline::locate(float distance) const {
    const float at = max(distance / step_, 0.0f);
    const std::size_t last = points_.size() >= 2 ? points_.size() - 2 : 0;
    const std::size_t index = std::min(static_cast<std::size_t>(at), last);
    return {index, at - static_cast<float>(index)};
}

Vec3f ClumpCentreline::point(float distance) const {
    const Location at = locate(distance);
    if (points_.size() < 2) return points_[0];
    return points_[at.segment] + (points_[at.segment + 1] - points_[at.segment]) * at.fraction;
}

Framef ClumpCentreline::frame(float distance) const {
    const Location at = locate(distance);
    if (points_.size() < 2) return frames_[0];
    const float t = min(at.fraction, 1.0f);
    const Framef a = frames_[at.segment], b = frames_[at.segment + 1];
    const Vec3f tangent = unit_or(a.tangent + (b.tangent - a.tangent) * t, a.tangent);
    Vec3f normal = a.normal + (b.normal - a.normal) * t;
    normal = unit_or(normal - tangent * dot(normal, tangent), perpendicular(tangent));
    return {normal, cross(tangent, normal), tangent};
}

Clumps::Clumps(std::span<const Vec3f> roots, std::span<const int> regions, int leader_count)
    : leaders_(std::min(roots.size(), static_cast<std::size_t>(std::max(leader_count, 0)))),
      grids_(roots.first(leaders_), regions.first(leaders_)) {}

int Clumps::leader_of(Vec3f root, int region) const {
    int nearest[1];
    return grids_.nearest(root, region, nearest) > 0 ? nearest[0] : 0;
}

}  // namespace ringlet
