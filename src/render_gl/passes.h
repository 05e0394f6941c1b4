// What Renderer keeps between frames, and the passes of one frame in order.
#pragma once

#include <chrono>
#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "base/parallel.h"
#include "render_gl/body_buffers.h"
#include "render_gl/density_grid.h"
#include "render_gl/fur_pass.h"
#include "render_gl/gl_objects.h"
#include "render_gl/message_log.h"
#include "render_gl/renderer.h"
#include "render_gl/shadow_maps.h"
#include "render_gl/strand_stream.h"
#include "render_gl/targets.h"
#include "render_gl/view.h"

namespace ringlet {

class Stopwatch {
public:
    // Milliseconds since the last call, or since the start.
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const double ms = std::chrono::duration<double, std::milli>(now - start_).count();
        start_ = now;
        return ms;
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

inline constexpr std::uint64_t kNoBody = 0;

// A mesh as last uploaded, and where it is in this frame.
struct UploadedBody {
    BodyBuffers buffers;
    std::uint64_t fingerprint = kNoBody;
    glm::mat4 motion{1};
};

struct Renderer::Passes {
    Passes(ShadowMaps maps, FurPass coats) : shadows(std::move(maps)), fur(std::move(coats)) {}

    void upload_bodies(const Picture& picture);
    Subject subject_of(const Picture& picture) const;
    void draw_bodies(Parts which) const;
    void prepare_light(const Picture& picture, FrameBlock& frame, const Subject& subject);
    void upload_frame(const FrameBlock& frame);
    void shade_strands();
    void draw_scene(const Picture& picture, const FrameBlock& frame);
    void draw(const Picture& picture, int width, int height, GLuint framebuffer);

    MessageLog log;  // first, so that it hears what the set-up of the others causes
    TaskPool pool;
    Program backdrop_program, body_program, body_cut_program, shade_program, ribbon_program,
        tone_program;
    ShadowMaps shadows;
    FurPass fur;
    StrandStream strands;
    DensityGrid grid;
    std::vector<UploadedBody> bodies;
    BodyBuffers shape_body;
    StreamBuffer frame_buffer;
    VertexArray no_attributes = make_vertex_array();
    Targets targets;
    DrawTimes times;
    int samples = 4;
    int max_storage_bytes = 0;
    int max_size = 0;

    std::vector<BodyShape> uploaded_shapes;
};

}  // namespace ringlet
