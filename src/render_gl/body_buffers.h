// A mesh on the GPU, in parts that are each painted with one texture or with none.
#pragma once

#include <memory>
#include <vector>

#include "geom/mesh.h"
#include "render_gl/gl_objects.h"

namespace ringlet {

// A piece of an opaque surface.
struct SurfacePatch {
    Vec3f centre;
    float area;  // m^2
};

// Which parts to draw: those whose texture has holes need a shader that looks.
enum class Parts { whole, cut_out };

class BodyBuffers {
public:
    BodyBuffers();

    // Copies the mesh; triangles with an index out of range or an opacity below one half are left
    // out. A texture without its pixels or beyond 16384 a side counts as none.
    void upload(const Mesh& mesh);
    bool empty() const { return patch_count_ == 0; }
    // Whether the mesh's textures are the very pictures that were uploaded.
    bool has_textures_of(const Mesh& mesh) const;
    const Bounds& bounds() const { return bounds_; }
    // The triangles, for the density grid: a buffer of SurfacePatch.
    GLuint patches() const { return patches_.name(); }
    std::size_t patch_count() const { return patch_count_; }
    // Binds position, normal, UV and what shaders/paint.glsl needs, and draws.
    void draw(Parts which) const;
    static void unbind();

private:
    struct Part {
        GLsizei index_count;
        std::size_t first_index;
        GLintptr blocks;  // offset of what shaders/paint.glsl needs, bytes
        GLuint texture;
        bool cut_out;
    };

    VertexArray layout_;
    Texture white_;
    StreamBuffer vertices_, indices_, blocks_, patches_;
    std::vector<Part> parts_;
    std::vector<Texture> textures_;
    // Of every material, null for none; held, so that no other picture can come to its address.
    std::vector<std::shared_ptr<const Image>> pictures_;
    Bounds bounds_{};
    std::size_t patch_count_ = 0;
};

}  // namespace ringlet
