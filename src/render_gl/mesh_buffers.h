// A mesh on the GPU, split into parts that each use at most one texture.
#pragma once

#include <memory>
#include <vector>

#include "geom/mesh.h"
#include "render_gl/gl_objects.h"

namespace ringlet {

// One triangle of an opaque surface, as the density grid reads it.
struct SurfaceSample {
    Vec3f centre;
    float area;  // m^2
};

// Parts whose texture has holes need a shader that discards fragments.
enum class PartKind { opaque, cutout };

class MeshBuffers {
public:
    MeshBuffers();

    // Copies the mesh. Omits triangles with an index out of range or an opacity below one half. A
    // texture without pixels or with a side above 16384 pixels is ignored.
    void upload(const Mesh& mesh);
    bool empty() const { return sample_count_ == 0; }
    // Whether the mesh refers to the same textures as the one last uploaded.
    bool has_textures_of(const Mesh& mesh) const;
    const Bounds& bounds() const { return bounds_; }
    // A buffer of SurfaceSample, one per triangle.
    GLuint samples() const { return samples_.name(); }
    std::size_t sample_count() const { return sample_count_; }
    // Binds the vertex attributes and the resources of shaders/paint.glsl, and draws.
    void draw(PartKind kind) const;
    static void unbind();

private:
    struct Part {
        GLsizei index_count;
        std::size_t first_index;
        GLintptr blocks;  // offset in blocks_, bytes
        GLuint texture;
        bool is_cutout;
    };

    void upload_colours(const Mesh& mesh);

    VertexArray layout_;
    Texture white_;
    StreamBuffer vertices_, indices_, samples_;
    StreamBuffer colours_;  // of the vertices; unused if no material draws them
    StreamBuffer blocks_;   // for each part: uniform block `Paint`, then the triangles' colours
    std::vector<Part> parts_;
    std::vector<Texture> textures_;
    // The texture of each material, or null. Shared ownership prevents another texture from being
    // allocated at the same address, so that has_textures_of() may compare pointers.
    std::vector<std::shared_ptr<const Image>> images_;
    Bounds bounds_{};
    std::size_t sample_count_ = 0;
};

}  // namespace ringlet
