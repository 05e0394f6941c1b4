#include "groom/comb_map.h"

#include <cmath>

namespace ringlet {

namespace {

constexpr float kAnywhere = 1e15f;  // m; its square does not overflow a float
// Values this near to grey are no direction: 8 bits have no exact middle.
constexpr float kGrey = 0.02f;

}  // namespace

CombMap::CombMap(const Mesh& mesh, const Image& image) : image_(image) {
    if (empty()) return;
    bvh_ = Bvh(mesh);
    triangles_.reserve(static_cast<std::size_t>(mesh.triangle_count()));
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        Tangents out{};
        for (int k = 0; k < 3; ++k)
            out.uv[k] = mesh.uvs[mesh.indices[static_cast<std::size_t>(t) * 3 +
                                              static_cast<std::size_t>(k)]];
        const Vec3f p = mesh.corner(t, 1) - mesh.corner(t, 0);
        const Vec3f q = mesh.corner(t, 2) - mesh.corner(t, 0);
        const Vec2f a{out.uv[1].x - out.uv[0].x, out.uv[1].y - out.uv[0].y};
        const Vec2f b{out.uv[2].x - out.uv[0].x, out.uv[2].y - out.uv[0].y};
        const float area = a.x * b.y - b.x * a.y;
        if (area != 0) {
            out.along_u = (p * b.y - q * a.y) * (1 / area);
            out.along_v = (q * a.x - p * b.x) * (1 / area);
        }
        triangles_.push_back(out);
    }
}

Vec3f CombMap::at(Vec3f position) const {
    const ClosestPoint on_skin = bvh_.closest(position, kAnywhere);
    if (on_skin.triangle < 0) return {0, 0, 0};
    const Tangents& triangle = triangles_[static_cast<std::size_t>(on_skin.triangle)];
    Vec2f uv{0, 0};
    for (int k = 0; k < 3; ++k) {
        uv.x += triangle.uv[k].x * on_skin.weight[k];
        uv.y += triangle.uv[k].y * on_skin.weight[k];
    }
    const FlowSample flow = sample_flow(image_, uv);
    const float length = std::sqrt(flow.u * flow.u + flow.v * flow.v);
    if (length < kGrey) return {0, 0, 0};
    const Vec3f along = triangle.along_u * flow.u + triangle.along_v * flow.v;
    return unit_or(along, Vec3f{0, 0, 0}) * (min(length, 1.0f) * flow.strength);
}

}  // namespace ringlet
