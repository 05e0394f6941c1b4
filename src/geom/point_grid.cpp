#include "geom/point_grid.h"

#include <algorithm>
#include <cmath>

namespace ringlet {

PointGrid::PointGrid(std::span<const Vec3f> points) : points_(points.begin(), points.end()) {
    if (points.empty()) return;
    bounds_ = {points[0], points[0]};
    for (const Vec3f& p : points) {
        bounds_.low = {min(bounds_.low.x, p.x), min(bounds_.low.y, p.y), min(bounds_.low.z, p.z)};
        bounds_.high = {max(bounds_.high.x, p.x), max(bounds_.high.y, p.y),
                        max(bounds_.high.z, p.z)};
    }
    // The points lie on a surface: with sqrt(n) cells per side an occupied cell holds a few of
    // them. At most 128 cells per side, to bound the memory.
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

template <class Visit>
void PointGrid::visit_ring(Cell centre, int ring, const Visit& visit) const {
    const auto low = [ring](int c) { return std::max(0, c - ring); };
    const auto high = [ring](int c, int size) { return std::min(size - 1, c + ring); };
    for (int z = low(centre.z); z <= high(centre.z, size_.z); ++z)
        for (int y = low(centre.y); y <= high(centre.y, size_.y); ++y)
            for (int x = low(centre.x); x <= high(centre.x, size_.x); ++x) {
                const int away = std::max(
                    {std::abs(x - centre.x), std::abs(y - centre.y), std::abs(z - centre.z)});
                if (away != ring) continue;
                const std::size_t slot = slot_of({x, y, z});
                for (int k = first_of_[slot]; k < first_of_[slot + 1]; ++k)
                    visit(order_[static_cast<std::size_t>(k)]);
            }
}

int PointGrid::nearest(Vec3f p) const {
    int best = -1;
    nearest(p, std::span<int>(&best, 1));
    return best;
}

int PointGrid::nearest(Vec3f p, std::span<int> out) const {
    int found = 0;
    const auto distance_to = [&](int i) {
        const Vec3f d = points_[static_cast<std::size_t>(i)] - p;
        return dot(d, d);
    };
    const auto nearer = [&](int a, int b) {
        const float da = distance_to(a), db = distance_to(b);
        return da != db ? da < db : a < b;
    };
    // Inserts into the sorted list of the nearest points so far.
    const auto consider = [&](int i) {
        const int room = static_cast<int>(out.size());
        int at = found < room ? found++ : room - 1;
        if (at == room - 1 && found == room && out[static_cast<std::size_t>(at)] >= 0 &&
            !nearer(i, out[static_cast<std::size_t>(at)]))
            return;
        for (; at > 0 && nearer(i, out[static_cast<std::size_t>(at - 1)]); --at)
            out[static_cast<std::size_t>(at)] = out[static_cast<std::size_t>(at - 1)];
        out[static_cast<std::size_t>(at)] = i;
    };
    std::fill(out.begin(), out.end(), -1);
    if (points_.empty() || out.empty()) return 0;

    const Cell centre = cell_of(p);
    const int widest = std::max({size_.x, size_.y, size_.z});
    for (int ring = 0; ring < widest; ++ring) {
        // Points in this ring or beyond are at least ring - 1 cells away.
        const float clear = static_cast<float>(ring - 1) * side_;
        if (found == static_cast<int>(out.size()) && clear > 0 &&
            distance_to(out.back()) <= clear * clear)
            break;
        visit_ring(centre, ring, consider);
    }
    return found;
}

}  // namespace ringlet
