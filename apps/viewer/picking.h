// What is under the mouse: rays from the camera against strands, meshes and colliders.
#pragma once

#include <optional>

#include "collide/collider.h"
#include "geom/mesh.h"
#include "shade/look.h"
#include "strand/strand_set.h"

namespace ringlet {

struct Ray {
    Vec3f origin, direction;  // unit
};

// Through a pixel of a picture; x to the right, y down, from its upper left corner.
Ray ray_through(const Camera& camera, float x, float y, float width, float height);
// The slope between neighbouring pixels: their distance over that from the eye.
float pixel_slope(const Camera& camera, float height);
// Where a ray meets the plane through a point that faces the camera.
Vec3f on_plane_facing(const Camera& camera, Vec3f point, const Ray& ray);

struct StrandHit {
    int strand, vertex;  // the vertex nearest to the ray
    Vec3f point;
    float distance;  // from the eye, m
};
// The nearest strand among those within `slope` of the ray.
std::optional<StrandHit> pick_strand(const StrandView& strands, const Ray& ray, float slope);

// Distances from the ray's origin; nothing where it passes by.
std::optional<float> hit_mesh(const Mesh& mesh, const Rigidf& motion, const Ray& ray);
std::optional<float> hit_collider(const PlacedCollider& body, const Rigidf& place, const Ray& ray);

}  // namespace ringlet
