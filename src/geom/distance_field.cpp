#include "geom/distance_field.h"

#include <cmath>

namespace ringlet {

namespace {

constexpr double kMaxSamples = 2.5e5;
constexpr float kFinestCell = 0.003f;  // m
constexpr float kAnywhere = 1e15f;     // m; its square does not overflow a float
constexpr int kCoarser = 4;            // cell size of the coarse grid over that of the fine grid

}  // namespace

DistanceField::DistanceField(const Mesh& mesh, const Bvh& bvh, float margin, const TaskPool& pool)
    : margin_(margin) {
    if (bvh.empty()) return;
    const Bounds bounds = bounds_of(mesh);
    low_ = bounds.low - Vec3f{margin, margin, margin};
    const Vec3f extent = bounds.high - low_ + Vec3f{margin, margin, margin};
    const double volume = static_cast<double>(extent.x) * static_cast<double>(extent.y) *
                          static_cast<double>(extent.z);
    cell_ = max(kFinestCell, static_cast<float>(std::cbrt(volume / kMaxSamples)));
    DistanceField coarse;
    coarse.low_ = low_;
    coarse.cell_ = kCoarser * cell_;
    coarse.margin_ = margin;
    const float sides[3] = {extent.x, extent.y, extent.z};
    for (int k = 0; k < 3; ++k) {
        size_[k] = static_cast<int>(sides[k] / cell_) + 2;
        coarse.size_[k] = static_cast<int>(sides[k] / coarse.cell_) + 3;
    }
    coarse.fill(bvh, pool, nullptr);
    fill(bvh, pool, &coarse);
}

void DistanceField::fill(const Bvh& bvh, const TaskPool& pool, const DistanceField* coarse) {
    const auto row = static_cast<std::size_t>(size_[0]);
    const std::size_t slice = row * static_cast<std::size_t>(size_[1]);
    samples_.resize(slice * static_cast<std::size_t>(size_[2]));
    pool.for_each(size_[2], [&](int z) {
        float* out = samples_.data() + static_cast<std::size_t>(z) * slice;
        for (int y = 0; y < size_[1]; ++y)
            for (int x = 0; x < size_[0]; ++x) {
                const Vec3f p = low_ + Vec3f{static_cast<float>(x), static_cast<float>(y),
                                             static_cast<float>(z)} *
                                           cell_;
                // The coarse grid is accurate to about one of its cells: it is used as is far from
                // the surface and bounds the search near it.
                const float guess = coarse ? coarse->at(p).distance : 0;
                const float doubt = coarse ? kCoarser * cell_ : kAnywhere;
                if (abs(guess) > 1.5f * doubt) {
                    *out++ = guess;
                    continue;
                }
                const ClosestPoint at = bvh.closest(p, abs(guess) + doubt);
                *out++ = at.triangle < 0 ? guess : at.distance;
            }
    });
}

DistanceField::Sample DistanceField::at(Vec3f p) const {
    const Sample far{margin_, {0, 1, 0}};
    if (samples_.empty()) return far;
    const Vec3f q = (p - low_) * (1 / cell_);
    if (!(q.x >= 0 && q.y >= 0 && q.z >= 0 && q.x < static_cast<float>(size_[0] - 1) &&
          q.y < static_cast<float>(size_[1] - 1) && q.z < static_cast<float>(size_[2] - 1)))
        return far;
    const int x = static_cast<int>(q.x), y = static_cast<int>(q.y), z = static_cast<int>(q.z);
    const float fx = q.x - static_cast<float>(x), fy = q.y - static_cast<float>(y),
                fz = q.z - static_cast<float>(z);
    const auto row = static_cast<std::size_t>(size_[0]);
    const std::size_t slice = row * static_cast<std::size_t>(size_[1]);
    const float* c = samples_.data() + static_cast<std::size_t>(z) * slice +
                     static_cast<std::size_t>(y) * row + static_cast<std::size_t>(x);
    // Interpolates along x on four edges, then across; the differences give the gradient.
    const float* edge[4] = {c, c + row, c + slice, c + slice + row};
    float value[4], slope[4];
    for (int k = 0; k < 4; ++k) {
        slope[k] = edge[k][1] - edge[k][0];
        value[k] = edge[k][0] + slope[k] * fx;
    }
    const auto across = [&](const float* v) {
        const float lower = v[0] + (v[1] - v[0]) * fy, upper = v[2] + (v[3] - v[2]) * fy;
        return lower + (upper - lower) * fz;
    };
    const float rise_y = (value[1] - value[0]) * (1 - fz) + (value[3] - value[2]) * fz;
    const float rise_z = (value[2] - value[0]) * (1 - fy) + (value[3] - value[1]) * fy;
    return {across(value), Vec3f{across(slope), rise_y, rise_z} * (1 / cell_)};
}

}  // namespace ringlet
