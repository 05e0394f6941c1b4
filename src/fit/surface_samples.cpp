#include "fit/surface_samples.h"

#include <cmath>

namespace ringlet {

namespace {

bool inside(const Bounds& box, Vec3f p) {
    return p.x >= box.low.x && p.y >= box.low.y && p.z >= box.low.z && p.x <= box.high.x &&
           p.y <= box.high.y && p.z <= box.high.z;
}

// Twice the area, or 0 if the triangle is not to be sampled.
double sampled_area(const Mesh& mesh, int t, const TriangleSubset& subset, const Bounds* region) {
    if (!subset.holds(mesh, t)) return 0;
    if (region) {
        const Vec3f centre =
            (mesh.corner(t, 0) + mesh.corner(t, 1) + mesh.corner(t, 2)) * (1.0f / 3);
        if (!inside(*region, centre)) return 0;
    }
    const double area = static_cast<double>(norm(area_normal(mesh, t)));
    return std::isfinite(area) ? area : 0;
}

// The k-th point of the R2 sequence (Roberts 2018), folded into the triangle.
Vec3f point_in(const Mesh& mesh, int t, int k) {
    const double u = std::fmod(0.5 + k * 0.7548776662466927, 1.0);
    const double v = std::fmod(0.5 + k * 0.5698402909980532, 1.0);
    const bool folded = u + v > 1;
    const auto a = static_cast<float>(folded ? 1 - u : u);
    const auto b = static_cast<float>(folded ? 1 - v : v);
    const Vec3f origin = mesh.corner(t, 0);
    return origin + (mesh.corner(t, 1) - origin) * a + (mesh.corner(t, 2) - origin) * b;
}

}  // namespace

std::vector<Vec3f> sample_surface(const Mesh& mesh, int count, const TriangleSubset& subset,
                                  const Bounds* region) {
    double total = 0;
    for (int t = 0; t < mesh.triangle_count(); ++t) total += sampled_area(mesh, t, subset, region);
    std::vector<Vec3f> out;
    if (!(total > 0)) return out;
    out.reserve(static_cast<std::size_t>(count));
    const double step = total / count;
    double reached = 0.5 * step;  // area up to the next sample
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        reached -= sampled_area(mesh, t, subset, region);
        for (; reached < 0; reached += step)
            out.push_back(point_in(mesh, t, static_cast<int>(out.size())));
    }
    return out;
}

}  // namespace ringlet
