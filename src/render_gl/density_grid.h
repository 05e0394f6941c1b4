// A coarse grid of optical depth around the subject, which attenuates the soft lights. Its cells
// are 0.5 to 1 cm wide. The GPU rebuilds it in every frame.
#pragma once

#include <glm/glm.hpp>
#include <span>

#include "geom/mesh.h"
#include "render_gl/gl_objects.h"
#include "render_gl/mesh_buffers.h"
#include "render_gl/pass_timer.h"
#include "render_gl/strand_stream.h"

namespace ringlet {

struct PlacedMesh {
    const MeshBuffers* buffers;  // Not owned.
    glm::mat4 transform;         // to world space
};

class DensityGrid {
public:
    static Result<DensityGrid> create();

    // Recomputes the grid from the strands and the meshes.
    void build(const StrandStream& strands, std::span<const PlacedMesh> meshes,
               const Subject& subject, PassTimer& timer);
    // Transmittance from above and from below, and the same through meshes only.
    GLuint texture() const { return texture_; }
    // The open share of all directions: above and below the horizon through thin hair, and the same
    // through thick hair (soft_light.glsl).
    GLuint soft_texture() const { return soft_texture_; }
    // How the open share varies with the direction, above and below the horizon.
    GLuint sky_texture() const { return sky_texture_; }
    GLuint bounce_texture() const { return bounce_texture_; }
    glm::vec3 origin() const { return origin_; }
    glm::ivec3 cells() const { return cells_; }
    float cell() const { return cell_; }  // m

private:
    DensityGrid() = default;
    void fit(const Subject& subject);
    void allocate();
    void use(GLuint program) const;
    void deposit_strands(const StrandStream& strands);
    void deposit_meshes(std::span<const PlacedMesh> meshes);
    void sweep();
    void light();

    glm::vec3 origin_{0};
    glm::ivec3 cells_{0};
    float cell_ = 0;
    Program strands_program_, meshes_program_, sweep_program_, light_program_;
    StreamBuffer field_, depths_;
    Texture texture_, soft_texture_, sky_texture_, bounce_texture_;
    glm::ivec3 texture_cells_{0};
    std::size_t max_storage_bytes_ = 0;
};

}  // namespace ringlet
