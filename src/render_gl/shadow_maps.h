// What the key light sees: the nearest body, the nearest strand, and how much hair lies behind it
// (deep opacity maps, Yuksel and Keyser 2008); and what the ground sees straight above.
#pragma once

#include <functional>

#include "render_gl/body_buffers.h"
#include "render_gl/gl_objects.h"
#include "render_gl/strand_stream.h"

namespace ringlet {

class ShadowMaps {
public:
    // Sets the matrix at uniform location 0 of the current program and draws.
    using DrawBodies = std::function<void(Parts)>;
    // Draws fur as the light sees it, or from straight below; may be empty.
    using CastFur = std::function<void(bool from_below)>;

    static Result<ShadowMaps> create();

    // Sets the maps' sides to `detail` times those of view.h; what they hold is lost if that
    // changes.
    void resize(int detail);
    // The frame block must be bound.
    void draw(const StrandStream& strands, const DrawBodies& draw_bodies, bool has_ground,
              const CastFur& cast_fur = {});
    // Binds the maps to the units shaders/light.glsl names.
    void bind() const;
    static void unbind();

private:
    ShadowMaps() = default;
    void draw_strands(const StrandStream& strands);
    void add_lines(const StrandStream& strands, GLuint program, const StreamBuffer& sums) const;
    void draw_sums(GLuint program, const StreamBuffer& sums) const;
    void draw_ground_maps(const DrawBodies& draw_bodies, const CastFur& cast_fur);

    int detail_ = 0;
    // The second of a pair is for the parts of bodies with holes.
    Program depth_program_, depth_cut_program_, cover_program_, cover_cut_program_,
        contact_program_, contact_cut_program_;
    // Strands are counted by compute shaders, and the counts drawn into the maps.
    Program first_program_, first_sums_program_, layers_program_, layers_sums_program_;
    StreamBuffer first_, layers_;
    VertexArray no_attributes_ = make_vertex_array();
    std::size_t max_storage_bytes_ = 0;
    Texture opaque_, strand_depth_, opacity_, cover_, contact_;
    Framebuffer opaque_target_, strand_depth_target_, opacity_target_, cover_target_,
        contact_target_;
};

}  // namespace ringlet
