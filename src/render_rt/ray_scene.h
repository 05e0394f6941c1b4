// The strands and meshes of a picture in an Embree scene.
#pragma once

#include <limits>
#include <memory>

#include "picture/picture.h"
#include "ringlet/result.h"

namespace ringlet {

struct Ray {
    Vec3f origin, direction;  // m; unit
    float near = 0;           // m
    float far = std::numeric_limits<float>::infinity();
    float time = 1;  // from 0, when the shutter opens, to 1, when it closes
};

struct RayHit {
    enum class Kind { nothing, strand, mesh };
    Kind kind = Kind::nothing;
    float distance = 0;       // m
    float time = 1;           // of the ray
    Vec3f position{0, 0, 0};  // m
    Vec3f motion{0, 0, 0};    // m, of the point, from the opening of the shutter to its closing
    Vec3f colour{0, 0, 0};    // linear RGB, of the strand or the mesh
    // Unit, on the side of the ray's origin. Mesh: smooth. Flat strand: across the strand.
    Vec3f normal{0, 0, 0};
    Vec3f face_normal{0, 0, 0};  // mesh: of the triangle, likewise
    Vec3f tangent{0, 0, 0};      // strand: unit, towards the tip
    float h = 0;                 // strand: offset as FibreScatter expects it
    float radius = 0;            // strand, m
    bool is_round = false;       // strand: the hit is on the surface of a tube
    bool has_inside = false;     // mesh: light may travel under the surface
};

// Thread-safe once built.
class RayScene {
public:
    // The picture's strands, meshes and shapes must outlive it. `image_height` is that of the image
    // in pixels, which decides the shape of the strands if the settings leave it open; 0: flat.
    // Fails if memory is too small.
    static Result<RayScene> build(const Picture& picture, int image_height = 0);
    ~RayScene();
    RayScene(RayScene&&) noexcept;
    RayScene& operator=(RayScene&&) noexcept;

    // The nearest hit. Round strands are hit where rays enter them, not where rays leave them.
    RayHit hit(const Ray& ray) const;
    // The nearest hit of a ray that travels under the surface of a mesh; other objects do not stop
    // it. The normals point outwards, along the ray. Finds nothing if the settings want no light
    // under surfaces.
    RayHit exit(const Ray& ray) const;
    // Whether anything lies on the ray.
    bool is_blocked(const Ray& ray) const;

    // The extent of everything but ground planes.
    const Bounds& bounds() const;
    std::size_t segment_count() const;

private:
    struct Impl;
    explicit RayScene(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// "Embree 3.13.5"
std::string ray_library();

}  // namespace ringlet
