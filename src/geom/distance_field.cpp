#include "geom/distance_field.h"

#include <cmath>

namespace ringlet {

namespace {

constexpr double kMaxSamples = 2e6;
constexpr float kFinestCell = 0.003f;  // m

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
    const float sides[3] = {extent.x, extent.y, extent.z};
    for (int k = 0; k < 3; ++k) size_[k] = static_cast<int>(sides[k] / cell_) + 2;
    samples_.resize(static_cast<std::size_t>(size_[0]) * static_cast<std::size_t>(size_[1]) *
                    static_cast<std::size_t>(size_[2]));
    pool.for_each(size_[2], [&](int z) {
        for (int y = 0; y < size_[1]; ++y)
            for (int x = 0; x < size_[0]; ++x) {
                const Vec3f p = low_ + Vec3f{static_cast<float>(x), static_cast<float>(y),
                                             static_cast<float>(z)} *
                                           cell_;
                const ClosestPoint at = bvh.closest(p, margin);
                const std::size_t slot =
                    (static_cast<std::size_t>(z) * static_cast<std::size_t>(size_[1]) +
                     static_cast<std::size_t>(y)) *
                        static_cast<std::size_t>(size_[0]) +
                    static_cast<std::size_t>(x);
                samples_[slot] = at.triangle < 0 ? margin : at.distance;
            }
    });
}

float DistanceField::distance(Vec3f p) const {
    if (samples_.empty()) return margin_;
    const Vec3f at = (p - low_) * (1 / cell_);
    if (!(at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x < static_cast<float>(size_[0] - 1) &&
          at.y < static_cast<float>(size_[1] - 1) && at.z < static_cast<float>(size_[2] - 1)))
        return margin_;
    const int x = static_cast<int>(at.x), y = static_cast<int>(at.y), z = static_cast<int>(at.z);
    const float fx = at.x - static_cast<float>(x), fy = at.y - static_cast<float>(y),
                fz = at.z - static_cast<float>(z);
    const std::size_t row = static_cast<std::size_t>(size_[0]);
    const std::size_t slice = row * static_cast<std::size_t>(size_[1]);
    const float* c = samples_.data() + static_cast<std::size_t>(z) * slice +
                     static_cast<std::size_t>(y) * row + static_cast<std::size_t>(x);
    const auto along = [&](const float* q) { return q[0] + (q[1] - q[0]) * fx; };
    const float near = along(c) + (along(c + row) - along(c)) * fy;
    const float far = along(c + slice) + (along(c + slice + row) - along(c + slice)) * fy;
    return near + (far - near) * fz;
}

}  // namespace ringlet
