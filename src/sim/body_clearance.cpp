#include "sim/body_clearance.h"

#include <numeric>

namespace ringlet {

namespace {

// Steps to the surface per vertex. A mesh's distance is a lower bound far below its surface, so one
// step may not suffice.
constexpr int kSteps = 8;

// Height that a strand gains per length as it leaves a root inside a body: an angle of 30 degrees.
constexpr float kRise = 0.5f;

SurfacePoint<float> nearest_of(std::span<const PlacedCollider> bodies, Vec3f x) {
    SurfacePoint<float> out{1e9f, {0, 1, 0}};
    for (const PlacedCollider& body : bodies) {
        const SurfacePoint<float> surface = nearest_surface(body, x);
        if (surface.distance < out.distance) out = surface;
    }
    return out;
}

Vec3f raised_to(std::span<const PlacedCollider> bodies, Vec3f x, float height) {
    for (int n = 0; n < kSteps; ++n) {
        const SurfacePoint<float> surface = nearest_of(bodies, x);
        if (surface.distance >= height) break;
        x += surface.normal * (height - surface.distance);
    }
    return x;
}

// Rotates the segment `e` about its start until its end is at least that high, as far as its length
// permits.
Vec3f rotated_to(std::span<const PlacedCollider> bodies, Vec3f start, Vec3f e, float height) {
    const float l = norm(e);
    for (int n = 0; n < kSteps; ++n) {
        const SurfacePoint<float> surface = nearest_of(bodies, start + e);
        const float push = height - surface.distance;
        if (push <= 0) break;
        const float along_normal = dot(surface.normal, e), c = min(along_normal + push, l);
        const Vec3f along =
            unit_or(e - surface.normal * along_normal, perpendicular(surface.normal));
        e = surface.normal * c + along * sqrt(max(l * l - c * c, 0.0f));
    }
    return e;
}

bool is_inside(std::span<const Vec3f> strand, std::span<const PlacedCollider> bodies,
               float tolerated) {
    for (const Vec3f x : strand)
        if (nearest_of(bodies, x).distance < -tolerated) return true;
    return false;
}

void move_out(std::span<Vec3f> strand, std::span<const PlacedCollider> bodies, float height) {
    Vec3f groomed = strand[0], before = groomed;
    const float root_height = min(nearest_of(bodies, groomed).distance, height);
    float from_root = 0;
    for (Vec3f& x : strand.subspan(1)) {
        const float l = norm(x - groomed);
        from_root += l;
        const float least = min(height, root_height + kRise * from_root);
        const Vec3f towards =
            unit_or(raised_to(bodies, x, least) - before, unit_or(x - groomed, Vec3f{0, 1, 0}));
        groomed = x;
        x = before += rotated_to(bodies, before, towards * l, least);
    }
}

}  // namespace

int move_out_of_bodies(StrandSet& strands, const Rigidf& head,
                       std::span<const PlacedCollider> bodies, const BodyClearance& clearance,
                       const TaskPool& pool) {
    if (bodies.empty()) return 0;
    std::vector<int> moved(static_cast<std::size_t>(strands.strand_count()), 0);
    const Rigidf back = motion_from(head, {});
    pool.for_each(strands.strand_count(), [&](int s) {
        std::vector<Vec3f> strand;
        for (int i = 0; i < strands.layout->vertex_count(s); ++i)
            strand.push_back(apply(head, strands.position.vec3(s, i)));
        if (!is_inside(strand, bodies, clearance.tolerated)) return;
        move_out(strand, bodies, clearance.height);
        for (int i = 1; i < strands.layout->vertex_count(s); ++i)
            strands.position.set_vec3(s, i, apply(back, strand[static_cast<std::size_t>(i)]));
        moved[static_cast<std::size_t>(s)] = 1;
    });
    return std::accumulate(moved.begin(), moved.end(), 0);
}

}  // namespace ringlet
