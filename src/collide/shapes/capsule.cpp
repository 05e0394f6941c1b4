#include "collide/shapes/capsule.h"

#include "collide/collider.h"
#include "collide/shapes/capsule_triangles.h"
#include "math/elementary.h"

namespace ringlet {

namespace {

constexpr int kAround = 64;  // facets around the axis
constexpr int kHalf = 16;    // rings of each hemisphere

}  // namespace

// Rings from one pole to the other; the equator occurs twice, once at each end of the axis.
void add_capsule_triangles(const DrawnShape& shape, Mesh& mesh) {
    const Framef frame = frame_along(unit_or(shape.b - shape.a, {0, 1, 0}));
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
            add_vertex(mesh, (upper ? shape.b : shape.a) + normal * shape.radius, normal);
        }
    }
    for (std::uint32_t ring = 0; ring + 1 < kRings; ++ring)
        for (std::uint32_t i = 0; i < kAround; ++i) {
            const std::uint32_t low = first + ring * (kAround + 1) + i, high = low + kAround + 1;
            add_triangle(mesh, low, low + 1, high + 1);
            add_triangle(mesh, low, high + 1, high);
        }
}

void ShapeCapsule::place(const Collider& collider, const Rigidf& pose, PlacedCollider& placed) {
    placed.b = apply(pose, collider.end);
}

void ShapeCapsule::draw(const PlacedCollider& body, const Rigidf& to_world, DrawnShape& drawn) {
    drawn.b = apply(to_world, body.b);
    drawn.add_triangles = add_capsule_triangles;
}

}  // namespace ringlet
