// Shadow maps of the lamps: the nearest mesh, the nearest strand, and the depths behind it at
// which certain amounts of hair are reached (deep opacity maps, Yuksel and Keyser 2008). Also the
// maps for shadows on the ground.
#pragma once

#include <array>
#include <functional>

#include "render_gl/gl_objects.h"
#include "render_gl/mesh_buffers.h"
#include "render_gl/pass_timer.h"
#include "render_gl/shader_constants.h"
#include "render_gl/strand_stream.h"

namespace ringlet {

class ShadowMaps {
public:
    // Sets the transform of the current program and draws all meshes.
    using DrawMeshes = std::function<void(PartKind)>;
    // Draws fur as seen from a lamp, or, for shader::kNoLamp, from straight below. May be empty.
    using CastFur = std::function<void(int lamp)>;

    static Result<ShadowMaps> create();

    // Sets the maps' sides to `detail` times those of view.h. Discards the contents if that changes
    // them.
    void resize(int detail);
    // The frame block must be bound.
    void draw(const StrandStream& strands, const DrawMeshes& draw_meshes, bool has_ground,
              const CastFur& cast_fur, PassTimer& timer);
    // Binds the maps to the texture units of shaders/light.glsl.
    void bind() const;
    static void unbind();

private:
    ShadowMaps() = default;
    void draw_lamp_meshes(int lamp, const DrawMeshes& draw_meshes, const CastFur& cast_fur);
    // Consecutive lamps, whose strands are drawn by the same dispatches.
    struct Lamps {
        int first, count;
    };
    void draw_strands(Lamps lamps, const StrandStream& strands, PassTimer& timer);
    void use(const Program& program, Lamps lamps) const;
    void begin_lines(const Program& program, Lamps lamps, GLuint stride) const;
    void find_nearest(Lamps lamps, const StrandStream& strands) const;
    void add_layers(Lamps lamps, const StrandStream& strands) const;
    void find_knots(Lamps lamps) const;
    void draw_ground_maps(const DrawMeshes& draw_meshes, const CastFur& cast_fur);

    int detail_ = 0;
    Program depth_program_, depth_cutout_program_, cover_program_, cover_cutout_program_,
        contact_program_, contact_cutout_program_;
    // Compute shaders rasterise the strands into buffers, which are then copied into the maps.
    Program nearest_program_, layers_program_, knots_program_;
    StreamBuffer nearest_, bins_;  // of each lamp
    std::size_t texels_ = 0;       // of the opacity map of a lamp
    std::size_t max_storage_bytes_ = 0;
    Texture opaque_, opacity_, knots_;  // a layer for each lamp
    Texture cover_, contact_;
    std::array<Framebuffer, shader::kLampCount> opaque_targets_;
    Framebuffer cover_target_, contact_target_;
};

}  // namespace ringlet
