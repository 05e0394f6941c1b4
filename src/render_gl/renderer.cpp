#include <cstdio>
#include "render_gl/renderer.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "base/parallel.h"
#include "render_gl/body_buffers.h"
#include "render_gl/density_grid.h"
#include "render_gl/gl_objects.h"
#include "render_gl/message_log.h"
#include "render_gl/shadow_maps.h"
#include "render_gl/shape_mesh.h"
#include "render_gl/strand_stream.h"
#include "render_gl/targets.h"
#include "render_gl/view.h"

namespace ringlet {

namespace {

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

glm::mat4 matrix_of(const Rigidf& motion) {
    const Quatf q = normalise(motion.rotation);
    glm::mat4 matrix = glm::mat4_cast(glm::quat(q.w, q.x, q.y, q.z));
    matrix[3] = glm::vec4(to_glm(motion.translation), 1);
    return matrix;
}

void include(Bounds& all, glm::vec3 p) {
    if (!std::isfinite(p.x + p.y + p.z)) return;
    all.low = {min(all.low.x, p.x), min(all.low.y, p.y), min(all.low.z, p.z)};
    all.high = {max(all.high.x, p.x), max(all.high.y, p.y), max(all.high.z, p.z)};
}

void include_moved(Bounds& all, const Bounds& box, const glm::mat4& motion) {
    for (int corner = 0; corner < 8; ++corner)
        include(all, glm::vec3(motion * glm::vec4(corner & 1 ? box.high.x : box.low.x,
                                                  corner & 2 ? box.high.y : box.low.y,
                                                  corner & 4 ? box.high.z : box.low.z, 1)));
}

bool same_shapes(const std::vector<BodyShape>& a, const std::vector<BodyShape>& b) {
    const auto same = [](Vec3f u, Vec3f v) { return u.x == v.x && u.y == v.y && u.z == v.z; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](const BodyShape& s, const BodyShape& t) {
                          return s.kind == t.kind && same(s.a, t.a) && same(s.b, t.b) &&
                                 s.radius == t.radius && same(s.colour, t.colour);
                      });
}

}  // namespace

struct Renderer::Passes {
    explicit Passes(ShadowMaps maps) : shadows(std::move(maps)) {}

    void upload_bodies(const Picture& picture);
    Bounds subject_bounds(const Picture& picture) const;
    void draw_bodies() const;
    void prepare_light(const Picture& picture, FrameBlock& frame, const Bounds& subject);
    void upload_frame(const FrameBlock& frame);
    void shade_strands();
    void draw_scene(bool has_strands);
    void draw(const Picture& picture, int width, int height, GLuint framebuffer);

    MessageLog log;  // first: it must hear what the others' set-up causes
    TaskPool pool;
    Program backdrop_program, body_program, shade_program, ribbon_program, tone_program;
    ShadowMaps shadows;
    StrandStream strands;
    DensityGrid grid;
    BodyBuffers body, shape_body;
    StreamBuffer frame_buffer;
    VertexArray no_attributes = make_vertex_array();
    Targets targets;
    DrawTimes times;
    glm::mat4 motion{1};
    int samples = 4;
    int max_storage_bytes = 0;
    int max_size = 0;

    struct BodyKey {
        const Mesh* mesh = nullptr;
        std::size_t vertices = 0, indices = 0;
        std::uint64_t version = 0;
        bool operator==(const BodyKey&) const = default;
    } body_key;
    std::vector<BodyShape> uploaded_shapes;
};

void Renderer::Passes::upload_bodies(const Picture& picture) {
    BodyKey key;
    if (picture.body)
        key = {picture.body, picture.body->positions.size(), picture.body->indices.size(),
               picture.body_version};
    if (key != body_key) {
        body.upload(picture.body ? *picture.body : Mesh{});
        body_key = key;
    }
    if (!same_shapes(uploaded_shapes, picture.shapes)) {
        shape_body.upload(mesh_of(picture.shapes));
        uploaded_shapes = picture.shapes;
    }
    motion = matrix_of(picture.body_motion);
}

Bounds Renderer::Passes::subject_bounds(const Picture& picture) const {
    constexpr float kFar = 1e30f;
    Bounds all{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
    if (!body.empty()) include_moved(all, body.bounds(), motion);
    if (!strands.empty()) include_moved(all, strands.bounds(), glm::mat4(1));
    for (const BodyShape& shape : picture.shapes) {
        // A plane is a stage, not a subject: the light's maps would be spent on it.
        if (shape.kind == BodyShape::Kind::plane) continue;
        for (const float sign : {-1.0f, 1.0f}) {
            const glm::vec3 reach(sign * shape.radius);
            include(all, to_glm(shape.a) + reach);
            if (shape.kind == BodyShape::Kind::capsule) include(all, to_glm(shape.b) + reach);
        }
    }
    if (all.low.x > all.high.x) return {{-0.1f, -0.1f, -0.1f}, {0.1f, 0.1f, 0.1f}};
    return all;
}

void Renderer::Passes::draw_bodies() const {
    glUniformMatrix4fv(0, 1, GL_FALSE, &motion[0][0]);
    body.draw();
    const glm::mat4 identity(1);
    glUniformMatrix4fv(0, 1, GL_FALSE, &identity[0][0]);
    shape_body.draw();
}

void Renderer::Passes::upload_frame(const FrameBlock& frame) {
    frame_buffer.upload(&frame, sizeof frame);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, frame_buffer.name());
}

void Renderer::Passes::prepare_light(const Picture& picture, FrameBlock& frame,
                                     const Bounds& subject) {
    grid.build(strands.controls(), body.patches(), motion, subject,
               glm::vec3(frame.rim_direction), pool);
    frame.grid_origin = glm::vec4(grid.origin(), grid.cell());
    frame.grid_scale = glm::vec4(1.0f / (glm::vec3(grid.cells()) * grid.cell()), 0);
    upload_frame(frame);
    shadows.draw(strands, [this] { draw_bodies(); }, picture.look.ground);
}

// The storage limit of some drivers (128 MiB) is below what a full head needs, so ranges of both
// buffers are bound in turn. Ranges start at multiples of 8 control vertices, 256 bytes, the
// coarsest alignment a driver may ask for.
void Renderer::Passes::shade_strands() {
    const std::size_t total = strands.controls().size();
    const auto steps = static_cast<std::size_t>(strands.subdivision());
    constexpr std::size_t kCornerBytes = 64;  // two corners of 32 bytes per drawn vertex
    constexpr std::size_t kMaxVertices = std::size_t{65535} * 64;
    const std::size_t by_storage = static_cast<std::size_t>(max_storage_bytes) / kCornerBytes;
    const std::size_t chunk =
        std::max<std::size_t>(std::min(by_storage, kMaxVertices) / steps / 8 * 8, 8);
    glUseProgram(shade_program);
    for (std::size_t first = 0; first < total; first += chunk) {
        const std::size_t last = std::min(first + chunk, total);
        const std::size_t from = first >= 8 ? first - 8 : 0, to = std::min(last + 8, total);
        const std::size_t vertices = (last - first) * steps;
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, strands.control_buffer(),
                          static_cast<GLintptr>(from * sizeof(ControlVertex)),
                          static_cast<GLsizeiptr>((to - from) * sizeof(ControlVertex)));
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 2, strands.ribbon_buffer(),
                          static_cast<GLintptr>(first * steps * kCornerBytes),
                          static_cast<GLsizeiptr>(vertices * kCornerBytes));
        glUniform1ui(0, static_cast<GLuint>(from));
        glUniform1ui(1, static_cast<GLuint>(first * steps));
        glUniform1ui(2, static_cast<GLuint>(vertices));
        glUniform1ui(3, static_cast<GLuint>(steps));
        glDispatchCompute(static_cast<GLuint>((vertices + 63) / 64), 1, 1);
    }
    glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
}

void Renderer::Passes::draw_scene(bool has_strands) {
    targets.begin();
    glUseProgram(backdrop_program);
    glDisable(GL_DEPTH_TEST);
    glDepthMask(GL_FALSE);
    glBindVertexArray(no_attributes);
    glDrawArrays(GL_TRIANGLES, 0, 3);

    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    glUseProgram(body_program);
    draw_bodies();

    Stopwatch q; glFinish(); std::fprintf(stderr,"bodies %.0f ",q.lap());
    if (has_strands) {
        glDepthMask(GL_FALSE);
        glEnable(GL_BLEND);
        glBlendEquation(GL_FUNC_ADD);
        glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
        glUseProgram(ribbon_program);
        strands.draw_ribbons();
        glDisable(GL_BLEND);
        glDepthMask(GL_TRUE);
    }
    glDisable(GL_DEPTH_TEST);
    targets.resolve();
}

void Renderer::Passes::draw(const Picture& picture, int width, int height, GLuint framebuffer) {
    Stopwatch whole, part;
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_BLEND);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    targets.resize(width, height, samples);
    upload_bodies(picture);
    const View view = view_of(picture.camera, width, height);
    strands.gather(picture.strands, picture.look, pool);
    times.gather = part.lap();

    auto lap=[&](const char*n){glFinish(); std::fprintf(stderr,"%s %.0f  ",n,part.lap());};
    const Bounds subject = subject_bounds(picture);
    FrameBlock frame =
        frame_block(view, picture.light, picture.look, width, height, subject);
    // How far a pixel's samples lie from its centre, in pixels: the area itself, and on top the
    // standard positions of multisampling, which stay within 7/16.
    frame.viewport.w = samples > 1 ? 0.9375f : 0.5f;
    if (!picture.look.flat && picture.look.shadows)
        prepare_light(picture, frame, subject);
    else
        upload_frame(frame);
    lap("light");shadows.bind();
    glBindTextureUnit(3, grid.texture());
    times.grid = part.lap();
    if (!strands.empty()) {
        strands.sort(view, pool);
        times.sort = part.lap();
        shade_strands();lap("shade");
    }
    draw_scene(!strands.empty());lap("scene");

    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    glUseProgram(tone_program);
    glBindTextureUnit(0, targets.resolved());
    glBindVertexArray(no_attributes);
    glDrawArrays(GL_TRIANGLES, 0, 3);

    glUseProgram(0);
    glBindVertexArray(0);
    for (GLuint unit = 0; unit < 5; ++unit) glBindTextureUnit(unit, 0);
    log.collect_errors();
    times.total = whole.lap();
}

Result<Renderer> Renderer::create(int samples) {
    if (epoxy_gl_version() < 45)
        return Error{"the current OpenGL context is older than 4.5: update the graphics driver", {}};
    auto maps = ShadowMaps::create();
    if (!maps) return maps.error();
    auto passes = std::make_unique<Passes>(std::move(*maps));
    const auto load = [](Program& into, Result<Program> made) -> Result<void> {
        if (!made) return made.error();
        into = std::move(*made);
        return {};
    };
    Passes& p = *passes;
    for (const Result<void>& done :
         {load(p.backdrop_program, make_program("screen.vert", "backdrop.frag")),
          load(p.body_program, make_program("body.vert", "body.frag")),
          load(p.shade_program, make_compute_program("strand_shade.comp")),
          load(p.ribbon_program, make_program("ribbon.vert", "ribbon.frag")),
          load(p.tone_program, make_program("screen.vert", "tone.frag"))})
        if (!done) return done.error();
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    p.samples = std::clamp(samples, 1, std::max(most, 1));
    glGetIntegerv(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &p.max_storage_bytes);
    GLint texture = 0, buffer = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &buffer);
    p.max_size = std::min(texture, buffer);
    return Renderer(std::move(passes));
}

Renderer::Renderer(std::unique_ptr<Passes> passes) : passes_(std::move(passes)) {}
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

void Renderer::draw(const Picture& picture, int width, int height, unsigned framebuffer) {
    if (width < 1 || height < 1 || width > passes_->max_size || height > passes_->max_size) return;
    passes_->draw(picture, width, height, framebuffer);
}

Result<Image> Renderer::draw_to_image(const Picture& picture, int width, int height) {
    if (width < 1 || height < 1 || width > passes_->max_size || height > passes_->max_size)
        return Error{"cannot draw a picture of " + std::to_string(width) + " x " +
                         std::to_string(height) + " pixels: each side must be from 1 to " +
                         std::to_string(passes_->max_size),
                     {}};
    const Texture bytes = make_texture_2d(GL_RGBA8, width, height);
    const Framebuffer target = make_framebuffer();
    glNamedFramebufferTexture(target, GL_COLOR_ATTACHMENT0, bytes, 0);
    Stopwatch whole;
    passes_->draw(picture, width, height, target);

    Image upside_down{width, height, {}};
    const std::size_t row = static_cast<std::size_t>(width) * 4;
    upside_down.rgba.resize(row * static_cast<std::size_t>(height));
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glGetTextureImage(bytes, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                      static_cast<GLsizei>(upside_down.rgba.size()), upside_down.rgba.data());
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    passes_->log.collect_errors();
    Image image = std::move(upside_down);
    for (int y = 0; y < height / 2; ++y)
        std::swap_ranges(image.pixel(0, y), image.pixel(0, y) + row,
                         image.pixel(0, height - 1 - y));
    passes_->times.total = whole.lap();
    return image;
}

void Renderer::forget_body() {
    passes_->body.upload(Mesh{});
    passes_->body_key = {};
}

std::vector<std::string> Renderer::messages() const { return passes_->log.messages(); }

const DrawTimes& Renderer::times() const { return passes_->times; }

}  // namespace ringlet
