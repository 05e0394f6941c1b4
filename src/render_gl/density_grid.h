// How much hair and body lies around each point, coarsely: soft light and light from behind are
// dimmed by it. A grid of about 1 cm cells over the subject, made anew on the GPU in every frame.
#pragma once

#include <glm/glm.hpp>
#include <span>

#include "geom/mesh.h"
#include "render_gl/body_buffers.h"
#include "render_gl/gl_objects.h"
#include "render_gl/strand_stream.h"

namespace ringlet {

// The surface of a body, and the motion that takes it into the world.
struct MovedSurface {
    const BodyBuffers* body;
    glm::mat4 motion;
};

class DensityGrid {
public:
    static Result<DensityGrid> create();

    // Recomputes everything from the strands and the surfaces.
    void build(const StrandStream& strands, std::span<const MovedSurface> surfaces,
               const Subject& subject, glm::vec3 rim_direction);
    // Channels of the texture: light left from above, from below, from the rim light, and the
    // strands' own share of the first.
    GLuint texture() const { return texture_; }
    // Light left from the rim light, the strands alone counted.
    GLuint rim_texture() const { return rim_texture_; }
    glm::vec3 origin() const { return origin_; }
    glm::ivec3 cells() const { return cells_; }
    float cell() const { return cell_; }

private:
    DensityGrid() = default;
    void fit(const Subject& subject);
    void make_room();
    void use(GLuint program) const;
    void deposit_strands(const StrandStream& strands);
    void deposit_bodies(std::span<const MovedSurface> surfaces);
    void sweep();
    void light(glm::vec3 rim_direction);

    glm::vec3 origin_{0};
    glm::ivec3 cells_{0};
    float cell_ = 0;
    Program strands_program_, bodies_program_, sweep_program_, light_program_;
    StreamBuffer field_, depths_;
    Texture texture_, rim_texture_;
    glm::ivec3 texture_cells_{0};
    std::size_t max_storage_bytes_ = 0;
};

}  // namespace ringlet
