#include "session/control/ray_cast.h"

#include <algorithm>
#include <cmath>

#include "collide/mesh_body.h"

namespace ringlet {

namespace {

constexpr float kFarthest = 1000;  // m

float half_height(const Camera& camera) {
    return std::tan(0.5f * camera.field_of_view_degrees * kPi / 180);
}

// Transforms a ray from world space to the frame at `pose`.
Ray to_frame(const Ray& ray, const Rigidf& pose) {
    const Quatf back = conjugate(pose.rotation);
    return {rotate(back, ray.origin - pose.translation), rotate(back, ray.direction)};
}

// Möller and Trumbore 1997.
std::optional<MeshHit> hit_triangle(Vec3f a, Vec3f b, Vec3f c, const Ray& ray) {
    const Vec3f ab = b - a, ac = c - a, p = cross(ray.direction, ac);
    const float det = dot(ab, p);
    if (std::abs(det) < 1e-14f) return std::nullopt;
    const Vec3f t = ray.origin - a, q = cross(t, ab);
    const float u = dot(t, p) / det, v = dot(ray.direction, q) / det, at = dot(ac, q) / det;
    if (u < 0 || v < 0 || u + v > 1 || at < 0) return std::nullopt;
    return MeshHit{at, -1, u, v};
}

}  // namespace

CameraAxes axes_of(const Camera& camera) {
    const Vec3f forward = unit_or(camera.target - camera.eye, Vec3f{0, 0, -1});
    const Vec3f right = unit_or(cross(forward, Vec3f{0, 1, 0}), Vec3f{1, 0, 0});
    return {right, cross(right, forward), forward};
}

Ray ray_through(const Camera& camera, float x, float y, float width, float height) {
    const CameraAxes axes = axes_of(camera);
    const float tall = half_height(camera), wide = tall * width / height;
    const float right = (2 * x / width - 1) * wide, up = (1 - 2 * y / height) * tall;
    return {camera.eye, unit_or(axes.forward + axes.right * right + axes.up * up, axes.forward)};
}

float pixel_slope(const Camera& camera, float height) { return 2 * half_height(camera) / height; }

Vec3f on_plane_facing(const Camera& camera, Vec3f point, const Ray& ray) {
    const Vec3f forward = axes_of(camera).forward;
    const float ahead = dot(ray.direction, forward);
    if (!(ahead > 1e-6f)) return point;
    return ray.origin + ray.direction * (dot(point - ray.origin, forward) / ahead);
}

std::optional<StrandHit> hit_strand(const Channel<3>& positions, const Ray& ray, float slope) {
    std::optional<StrandHit> best;
    for (int s = 0; s < positions.layout().strand_count(); ++s) {
        const int count = positions.layout().vertex_count(s);
        for (int i = 0; i + 1 < count; ++i) {
            // The point of the segment nearest to the ray, projected along the ray.
            const Vec3f a = positions.vec3(s, i) - ray.origin;
            const Vec3f d = positions.vec3(s, i + 1) - ray.origin - a;
            const auto across = [&](Vec3f p) { return p - ray.direction * dot(p, ray.direction); };
            const Vec3f a2 = across(a), d2 = across(d);
            const float t = std::clamp(-dot(a2, d2) / std::max(dot(d2, d2), 1e-20f), 0.0f, 1.0f);
            const Vec3f p = a + d * t;
            const float along = dot(p, ray.direction);
            if (!(along > 0) || !(norm(across(p)) <= slope * along)) continue;
            if (best && best->distance <= along) continue;
            best = {s, t < 0.5f ? i : i + 1, ray.origin + p, along};
        }
    }
    return best;
}

std::optional<MeshHit> first_hit(const Mesh& mesh, const Rigidf& to_world, const Ray& ray) {
    const Ray own = to_frame(ray, to_world);
    std::optional<MeshHit> best;
    for (int k = 0; k < mesh.triangle_count(); ++k) {
        const auto at = hit_triangle(mesh.corner(k, 0), mesh.corner(k, 1), mesh.corner(k, 2), own);
        if (!at || (best && at->distance >= best->distance)) continue;
        best = at;
        best->triangle = k;
    }
    return best;
}

std::optional<float> hit_mesh(const Mesh& mesh, const Rigidf& to_world, const Ray& ray) {
    const std::optional<MeshHit> hit = first_hit(mesh, to_world, ray);
    return hit ? std::optional<float>(hit->distance) : std::nullopt;
}

// Sphere tracing: nearest_surface() never overestimates the distance.
std::optional<float> hit_collider(const PlacedCollider& collider, const Rigidf& to_world,
                                  const Ray& ray) {
    const Ray own = to_frame(ray, to_world);
    float along = 0;
    for (int step = 0; step < 200 && along < kFarthest; ++step) {
        const float gap =
            nearest_surface<float>(collider, own.origin + own.direction * along).distance;
        if (gap < 1e-4f) return along;
        along += gap;
    }
    return std::nullopt;
}

}  // namespace ringlet
