// What RendererGl keeps between frames, and the passes of one frame in order.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "base/parallel.h"
#include "render_gl/body_buffers.h"
#include "render_gl/density_grid.h"
#include "render_gl/fur_pass.h"
#include "render_gl/gl_objects.h"
#include "render_gl/mark_stream.h"
#include "render_gl/message_log.h"
#include "render_gl/pass_clock.h"
#include "render_gl/renderer.h"
#include "render_gl/shadow_maps.h"
#include "render_gl/strand_stream.h"
#include "render_gl/targets.h"
#include "render_gl/view.h"
#include "shade/multiple_scattering.h"

namespace ringlet {

inline constexpr std::uint64_t kNoBody = 0;

// A mesh as last uploaded, and where it is in this frame.
struct UploadedBody {
    BodyBuffers buffers;
    std::uint64_t fingerprint = kNoBody;
    glm::mat4 motion{1};
};

struct RendererGl::Passes {
    Passes(ShadowMaps maps, FurPass coats, StrandStream hair, DensityGrid density)
        : shadows(std::move(maps)),
          fur(std::move(coats)),
          strands(std::move(hair)),
          grid(std::move(density)) {}

    void upload_bodies(const Picture& picture);
    Subject subject_of(const Picture& picture) const;
    void draw_bodies(Parts which) const;
    void prepare_light(const Picture& picture, FrameBlock& frame, const Subject& subject);
    void upload_frame(const FrameBlock& frame);
    void tabulate_scattering(const RenderSettings& settings);
    void shade_strands();
    void draw_stage(const Picture& picture, const FrameBlock& frame);
    // Solid strands or lines, among the bodies.
    void draw_solid_strands();
    // The depth of bodies, for what is drawn over the resolved picture.
    void resolve_depth();
    // Blended over the resolved picture.
    void draw_strands(const RenderSettings& settings);
    void draw_marks();
    void draw_over_screen() const;
    // Sums pictures that are shifted by less than a pixel.
    void draw_reference(const Picture& picture, FrameBlock& frame);
    void order_strands(const View& view, bool with_depths);
    void draw_scene(const Picture& picture, const View& view, FrameBlock& frame);
    void tone_map(GLuint picture, int width, int height, GLuint framebuffer);
    void draw(const Picture& picture, int width, int height, GLuint framebuffer);

    MessageLog log;  // first, so that it hears what the set-up of the others causes
    TaskPool pool;
    Program backdrop_program, body_program, body_cut_program, shade_program, ribbon_program,
        curve_program, solid_program, edge_program, add_program, tone_program, mark_program;
    ShadowMaps shadows;
    FurPass fur;
    StrandStream strands;
    MarkStream marks;
    DensityGrid grid;
    std::vector<UploadedBody> bodies;
    BodyBuffers shape_body;
    std::vector<MovedSurface> surfaces;  // of the bodies in this frame
    StreamBuffer frame_buffer;
    Texture scatter_table;
    Fibre tabulated;  // what scatter_table was made for
    VertexArray no_attributes = make_vertex_array();
    Targets targets;
    // What draw_to_image draws into.
    Texture image;
    Framebuffer image_target;
    int image_width = 0, image_height = 0;
    PassClock clock;
    int samples = 4;
    std::size_t max_storage = 0;  // bytes that a shader sees of a buffer
    int max_size = 0;

    std::vector<DrawnShape> uploaded_shapes;
};

}  // namespace ringlet
