// How much hair and body lies around each point, coarsely: soft light and light from behind are
// dimmed by it. A grid of about 1 cm cells over the subject.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "geom/mesh.h"
#include "render_gl/body_buffers.h"
#include "render_gl/gl_objects.h"
#include "render_gl/strand_stream.h"

namespace ringlet {

// The surface of a body, and the motion that takes it into the world.
struct MovedSurface {
    std::span<const SurfacePatch> patches;
    glm::mat4 motion;
};

class DensityGrid {
public:
    // Recomputes everything from the strands and the surfaces.
    void build(std::span<const ControlVertex> controls, std::span<const MovedSurface> surfaces,
               const Subject& subject, glm::vec3 rim_direction, const TaskPool& pool);
    // Channels of the texture: light left from above, from below, from the rim light, and the
    // strands' own share of the first.
    GLuint texture() const { return texture_; }
    // Light left from the rim light, the strands alone counted.
    GLuint rim_texture() const { return rim_texture_; }
    glm::vec3 origin() const { return origin_; }
    glm::ivec3 cells() const { return cells_; }
    float cell() const { return cell_; }

private:
    void fit(const Subject& subject);
    void deposit(std::vector<float>& field, glm::vec3 at, float amount) const;
    void deposit_strands(std::span<const ControlVertex> controls);
    float sample(const std::vector<float>& field, glm::vec3 at) const;
    std::size_t index(int x, int y, int z) const {
        return (static_cast<std::size_t>(z) * static_cast<std::size_t>(cells_.y) +
                static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(cells_.x) +
               static_cast<std::size_t>(x);
    }
    void sweep(glm::ivec3 direction, int slot);
    void march_rim(glm::vec3 direction, const TaskPool& pool);
    void upload(const TaskPool& pool);

    glm::vec3 origin_{0};
    glm::ivec3 cells_{0};
    float cell_ = 0;
    std::vector<float> hair_, body_;          // extinction, 1/m
    std::vector<std::vector<float>> depths_;  // optical depth per direction
    std::vector<std::vector<float>> hair_depths_;
    std::vector<float> rim_, rim_hair_;
    std::vector<std::uint8_t> texels_, rim_texels_;
    Texture texture_, rim_texture_;
    glm::ivec3 texture_cells_{0};
};

}  // namespace ringlet
