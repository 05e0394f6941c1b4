#include "render_gl/shape_mesh.h"

#include "math/elementary.h"

namespace ringlet {

namespace {

constexpr int kAround = 64;  // facets around the axis of a capsule
constexpr int kHalf = 16;    // rings of each of its two half balls

std::uint32_t add_vertex(Mesh& mesh, Vec3f position, Vec3f normal) {
    mesh.positions.push_back(position);
    mesh.normals.push_back(normal);
    mesh.uvs.push_back({0, 0});
    return static_cast<std::uint32_t>(mesh.positions.size() - 1);
}

void add_triangle(Mesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (const std::uint32_t index : {a, b, c}) mesh.indices.push_back(index);
    mesh.triangle_material.push_back(static_cast<std::int32_t>(mesh.materials.size()) - 1);
    mesh.triangle_group.push_back(-1);
}

// Rings from one pole to the other; the equator comes twice, once at each end of the axis.
void add_capsule(Mesh& mesh, Vec3f a, Vec3f b, float radius) {
    const Framef frame = frame_along(unit_or(b - a, {0, 1, 0}));
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    constexpr int kRings = 2 * kHalf + 2;
    for (int ring = 0; ring < kRings; ++ring) {
        const bool upper = ring > kHalf;
        const int step = upper ? ring - 1 : ring;
        const float angle = kPi * (static_cast<float>(step) / (2 * kHalf) - 0.5f);
        const SinCos<float> latitude = sin_cos(angle);
        for (int i = 0; i <= kAround; ++i) {
            const SinCos<float> around = sin_cos(2 * kPi * static_cast<float>(i) / kAround);
            const Vec3f normal = to_world(
                frame, {around.cos * latitude.cos, around.sin * latitude.cos, latitude.sin});
            add_vertex(mesh, (upper ? b : a) + normal * radius, normal);
        }
    }
    for (std::uint32_t ring = 0; ring + 1 < kRings; ++ring)
        for (std::uint32_t i = 0; i < kAround; ++i) {
            const std::uint32_t low = first + ring * (kAround + 1) + i, high = low + kAround + 1;
            add_triangle(mesh, low, low + 1, high + 1);
            add_triangle(mesh, low, high + 1, high);
        }
}

// A unit ball, stretched and turned.
void add_ellipsoid(Mesh& mesh, const DrawnShape& shape) {
    const std::size_t first = mesh.positions.size();
    add_capsule(mesh, {0, 0, 0}, {0, 0, 0}, 1);
    const Vec3f r = shape.b;
    for (std::size_t k = first; k < mesh.positions.size(); ++k) {
        const Vec3f n = mesh.normals[k];
        mesh.positions[k] =
            shape.a + rotate(shape.rotation, Vec3f{n.x * r.x, n.y * r.y, n.z * r.z});
        mesh.normals[k] =
            rotate(shape.rotation, unit_or(Vec3f{n.x / r.x, n.y / r.y, n.z / r.z}, n));
    }
}

void add_plane(Mesh& mesh, Vec3f point, Vec3f normal, float half_side) {
    const Framef frame = frame_along(unit_or(normal, {0, 1, 0}));
    const auto corner = [&](float u, float v) {
        return add_vertex(mesh, point + to_world(frame, {u * half_side, v * half_side, 0}),
                          frame.tangent);
    };
    const std::uint32_t a = corner(-1, -1), b = corner(1, -1), c = corner(1, 1), d = corner(-1, 1);
    add_triangle(mesh, a, b, c);
    add_triangle(mesh, a, c, d);
}

}  // namespace

Mesh mesh_of(const std::vector<DrawnShape>& shapes) {
    Mesh mesh;
    for (const DrawnShape& shape : shapes) {
        mesh.materials.push_back({"clay", shape.colour});
        switch (shape.kind) {
            case DrawnShape::Kind::sphere:
                add_capsule(mesh, shape.a, shape.a, shape.radius);
                break;
            case DrawnShape::Kind::capsule:
                add_capsule(mesh, shape.a, shape.b, shape.radius);
                break;
            case DrawnShape::Kind::plane:
                add_plane(mesh, shape.a, shape.b, shape.radius);
                break;
            case DrawnShape::Kind::ellipsoid:
                add_ellipsoid(mesh, shape);
                break;
        }
    }
    return mesh;
}

}  // namespace ringlet
