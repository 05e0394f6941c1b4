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
    float distance = 0;          // m
    float time = 1;              // of the ray
    Vec3f position{0, 0, 0};     // m
    Vec3f colour{0, 0, 0};       // linear RGB, of the strand or the mesh
    Vec3f normal{0, 0, 0};       // mesh: smooth; unit, on the side of the ray's origin
    Vec3f face_normal{0, 0, 0};  // mesh: of the triangle, likewise
    Vec3f tangent{0, 0, 0};      // strand: unit, towards the tip
    float h = 0;                 // strand: offset as FibreScatter expects it
    float radius = 0;            // strand, m
};

// Thread-safe once built.
class RayScene {
public:
    // The picture's strands, meshes and shapes must outlive it. Fails if memory is too small.
    static Result<RayScene> build(const Picture& picture);
    ~RayScene();
    RayScene(RayScene&&) noexcept;
    RayScene& operator=(RayScene&&) noexcept;

    // The nearest hit.
    RayHit hit(const Ray& ray) const;
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
