#include "session/control/growth_view.h"

#include <algorithm>
#include <cmath>

#include "math/noise.h"

namespace ringlet {

namespace {

constexpr int kSamples = 6000;
constexpr float kAboveSkin = 0.0015f;  // m
constexpr std::uint32_t kSeed = 0x9a1;

Vec3f corner_normal(const Mesh& mesh, int triangle, int k) {
    return mesh.normals[mesh.indices[static_cast<std::size_t>(triangle * 3 + k)]];
}
Vec2f corner_uv(const Mesh& mesh, int triangle, int k) {
    return mesh.uvs[mesh.indices[static_cast<std::size_t>(triangle * 3 + k)]];
}

SkinPoint point_on(const Mesh& mesh, int triangle, float b, float c) {
    const float a = 1 - b - c;
    const auto mix = [&](const auto& at) {
        return at(mesh, triangle, 0) * a + at(mesh, triangle, 1) * b + at(mesh, triangle, 2) * c;
    };
    const Vec2f u = corner_uv(mesh, triangle, 0), v = corner_uv(mesh, triangle, 1),
                w = corner_uv(mesh, triangle, 2);
    return {
        mesh.corner(triangle, 0) * a + mesh.corner(triangle, 1) * b + mesh.corner(triangle, 2) * c,
        unit_or(mix(corner_normal), Vec3f{0, 1, 0}),
        {u.x * a + v.x * b + w.x * c, u.y * a + v.y * b + w.y * c},
        triangle,
        b,
        c};
}

// About kSamples points, each at a random place in its share of the area.
std::vector<SkinPoint> spread(const Mesh& mesh, float& spacing) {
    double area = 0;
    for (int t = 0; t < mesh.triangle_count(); ++t)
        area += static_cast<double>(norm(area_normal(mesh, t)) / 2);
    spacing = static_cast<float>(std::sqrt(area / kSamples));
    std::vector<SkinPoint> out;
    double sum = 0;
    for (int t = 0; t < mesh.triangle_count() && area > 0; ++t) {
        sum += static_cast<double>(norm(area_normal(mesh, t)) / 2);
        while (static_cast<double>(out.size()) + 0.5 < sum / area * kSamples) {
            const auto id = static_cast<std::uint32_t>(out.size());
            float b = counter_uniform(kSeed, id, 0), c = counter_uniform(kSeed, id, 1);
            if (b + c > 1) {
                b = 1 - b;
                c = 1 - c;
            }
            out.push_back(point_on(mesh, t, b, c));
        }
    }
    return out;
}

}  // namespace

GrowthView::GrowthView(const Mesh& mesh, const GroomSettings& settings, GroomMaps maps)
    : own_(std::make_shared<const GrowthPaint>(std::move(maps.painted))) {
    maps.painted = GrowthPaint();
    const GrowthWeight below(mesh, root_rules(settings, maps));
    for (const SkinPoint& point : spread(mesh, spacing_)) {
        const float weight = below.may_grow(point.triangle) ? below.at(point).weight : 0;
        samples_.push_back({point.position + point.normal * kAboveSkin, weight, weight});
    }
}

void GrowthView::add_marks(const std::shared_ptr<const GrowthPaint>& paint, const Rigidf& pose,
                           Picture& picture) {
    const std::shared_ptr<const GrowthPaint>& current = paint ? paint : own_;
    if (shown_ != current)
        for (Sample& sample : samples_)
            sample.weight = current->over(sample.below, sample.position);
    shown_ = current;
    const Vec3f bare{0.05f, 0.12f, 0.5f}, hairy{1, 0.35f, 0.03f};
    for (const Sample& sample : samples_) {
        const Vec3f at = apply(pose, sample.position);
        picture.marks.push_back({at, at, bare + (hairy - bare) * sample.weight,
                                 0.25f + 0.6f * sample.weight, 0.5f * spacing_, 2});
    }
}

}  // namespace ringlet
