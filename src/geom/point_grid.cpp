#include "geom/point_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ringlet {

PointGrid::PointGrid(std::span<const Vec3f> points) : points_(points.begin(), points.end()) {
    if (points.empty()) return;
    bounds_ = {points[0], points[0]};
    for (const Vec3f& p : points) {
        bounds_.low = {min(bounds_.low.x, p.x), min(bounds_.low.y, p.y), min(bounds_.low.z, p.z)};
        bounds_.high = {max(bounds_.high.x, p.x), max(bounds_.high.y, p.y),
                        max(bounds_.high.z, p.z)};
    }
    // Points on a surface: with sqrt(n) cells a side, an occupied cell holds a few; 128 a side
    // bound the memory.
    const Vec3f extent = bounds_.high - bounds_.low;
    const float longest = max(max(extent.x, extent.y), max(extent.z, 1e-6f));
    const float wanted = std::sqrt(static_cast<float>(points.size()));
    side_ = longest / min(max(wanted, 1.0f), 128.0f);
    const Cell last = {static_cast<int>(extent.x / side_), static_cast<int>(extent.y / side_),
                       static_cast<int>(extent.z / side_)};
    size_ = {last.x + 1, last.y + 1, last.z + 1};

    first_of_.assign(static_cast<std::size_t>(size_.x) * static_cast<std::size_t>(size_.y) *
                             static_cast<std::size_t>(size_.z) +
                         1,
                     0);
    for (const Vec3f& p : points_) ++first_of_[slot_of(cell_of(p)) + 1];
    for (std::size_t c = 1; c < first_of_.size(); ++c) first_of_[c] += first_of_[c - 1];
    order_.resize(points_.size());
    std::vector<int> next(first_of_.begin(), first_of_.end() - 1);
    for (std::size_t i = 0; i < points_.size(); ++i)
        order_[static_cast<std::size_t>(next[slot_of(cell_of(points_[i]))]++)] =
            static_cast<int>(i);
}

PointGrid::Cell PointGrid::cell_of(Vec3f p) const {
    const auto along = [&](float a, float low, int count) {
        return static_cast<int>(min(max((a - low) / side_, 0.0f), static_cast<float>(count - 1)));
    };
    return {along(p.x, bounds_.low.x, size_.x), along(p.y, bounds_.low.y, size_.y),
            along(p.z, bounds_.low.z, size_.z)};
}

std::size_t PointGrid::slot_of(Cell c) const {
    return (static_cast<std::size_t>(c.z) * static_cast<std::size_t>(size_.y) +
            static_cast<std::size_t>(c.y)) *
               static_cast<std::size_t>(size_.x) +
           static_cast<std::size_t>(c.x);
}

int PointGrid::nearest(Vec3f p) const {
    int best = -1;
    float best_squared = std::numeric_limits<float>::infinity();
    const Cell centre = cell_of(p);
    const int widest = std::max({size_.x, size_.y, size_.z});
    for (int ring = 0; ring < widest; ++ring) {
        // Everything beyond this ring is at least `ring` whole cells away from the centre cell.
        const float clear = static_cast<float>(ring - 1) * side_;
        if (best >= 0 && ring > 0 && clear > 0 && best_squared <= clear * clear) break;
        for (int z = std::max(0, centre.z - ring); z <= std::min(size_.z - 1, centre.z + ring); ++z)
            for (int y = std::max(0, centre.y - ring); y <= std::min(size_.y - 1, centre.y + ring);
                 ++y)
                for (int x = std::max(0, centre.x - ring);
                     x <= std::min(size_.x - 1, centre.x + ring); ++x) {
                    const int away = std::max(
                        {std::abs(x - centre.x), std::abs(y - centre.y), std::abs(z - centre.z)});
                    if (away != ring) continue;
                    const std::size_t slot = slot_of({x, y, z});
                    for (int k = first_of_[slot]; k < first_of_[slot + 1]; ++k) {
                        const int i = order_[static_cast<std::size_t>(k)];
                        const Vec3f d = points_[static_cast<std::size_t>(i)] - p;
                        const float squared = dot(d, d);
                        if (squared < best_squared || (squared == best_squared && i < best)) {
                            best = i;
                            best_squared = squared;
                        }
                    }
                }
    }
    return best;
}

}  // namespace ringlet
