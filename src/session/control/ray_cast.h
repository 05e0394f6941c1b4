// Ray casts against strands, meshes and colliders, for picking with the mouse.
#pragma once

#include <optional>

#include "collide/collider.h"
#include "geom/mesh.h"
#include "picture/camera.h"
#include "strand/strand_set.h"

namespace ringlet {

struct Ray {
    Vec3f origin, direction;  // direction has unit length
};

// The directions of a camera in world space, unit length.
struct CameraAxes {
    Vec3f right, up, forward;
};
CameraAxes axes_of(const Camera& camera);

// The ray through a pixel of a picture. x points right, y down, from the upper left corner.
Ray ray_through(const Camera& camera, float x, float y, float width, float height);
// The distance between neighbouring pixels divided by their distance from the eye.
float pixel_slope(const Camera& camera, float height);
// Intersects a ray with the plane through `point` that faces the camera.
Vec3f on_plane_facing(const Camera& camera, Vec3f point, const Ray& ray);

struct StrandHit {
    int strand, vertex;  // the vertex nearest to the ray
    Vec3f point;
    float distance;  // m, from the ray's origin
};
// The nearest strand within `slope` (distance from the ray per distance from the eye).
std::optional<StrandHit> hit_strand(const Channel<3>& positions, const Ray& ray, float slope);

// The first point of a mesh along a ray.
struct MeshHit {
    float distance;  // m, from the ray's origin
    int triangle;
    float b, c;  // barycentric coordinates of the second and third corner
};
std::optional<MeshHit> first_hit(const Mesh& mesh, const Rigidf& to_world, const Ray& ray);

// Distance from the ray's origin to the first hit; nullopt if the ray misses.
std::optional<float> hit_mesh(const Mesh& mesh, const Rigidf& to_world, const Ray& ray);
std::optional<float> hit_collider(const PlacedCollider& collider, const Rigidf& to_world,
                                  const Ray& ray);

}  // namespace ringlet
