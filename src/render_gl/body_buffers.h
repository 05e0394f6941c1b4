// A mesh on the GPU.
#pragma once

#include <span>
#include <vector>

#include "geom/mesh.h"
#include "render_gl/gl_objects.h"

namespace ringlet {

// A piece of an opaque surface.
struct SurfacePatch {
    Vec3f centre;
    float area;  // m^2
};

class BodyBuffers {
public:
    BodyBuffers();

    // Copies the mesh; triangles with an index out of range are left out.
    void upload(const Mesh& mesh);
    bool empty() const { return index_count_ == 0; }
    const Bounds& bounds() const { return bounds_; }
    // The triangles, for the density grid.
    std::span<const SurfacePatch> patches() const { return patches_; }
    // Binds position, normal and per-triangle colour, and draws.
    void draw() const;

private:
    VertexArray layout_;
    StreamBuffer vertices_, indices_, colours_;
    GLsizei index_count_ = 0;
    Bounds bounds_{};
    std::vector<SurfacePatch> patches_;
};

}  // namespace ringlet
