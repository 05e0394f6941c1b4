#include "groom/clumps.h"

#include <algorithm>
#include <limits>

#include "groom/random_streams.h"

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

Clumps::Clumps(std::span<const Vec3f> roots, std::span<const int> regions, int leader_count,
               float noise, std::uint32_t seed)
    : noise_(noise), seed_(seed) {
    const auto count = std::min(roots.size(), static_cast<std::size_t>(std::max(leader_count, 0)));
    leaders_.assign(roots.begin(), roots.begin() + static_cast<std::ptrdiff_t>(count));
    grids_ = RegionGrids(leaders_, regions.first(count));
}

int Clumps::leader_of(Vec3f root, int region, int strand) const {
    int nearest[4];
    const int found = grids_.nearest(root, region, nearest);
    if (found == 0) return 0;
    if (noise_ <= 0) return nearest[0];
    // Each clump scales distances by its own factor, so that some are larger than others; each
    // strand changes that factor a little, so that borders are not sharp.
    int best = nearest[0];
    float least = std::numeric_limits<float>::infinity();
    for (int k = 0; k < found; ++k) {
        const auto leader = static_cast<std::uint32_t>(nearest[k]);
        const float own = counter_signed(seed_, leader, kStreamMember);
        const float blur =
            counter_signed(seed_ + leader, static_cast<std::uint32_t>(strand), kStreamMember);
        const float distance =
            norm(root - leaders_[leader]) * (1 + noise_ * (0.5f * own + 0.25f * blur));
        if (distance >= least) continue;
        least = distance;
        best = nearest[k];
    }
    return best;
}

}  // namespace ringlet
