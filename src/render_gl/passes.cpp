#include "render_gl/passes.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>

#include "base/hash.h"
#include "render_gl/control_ranges.h"
#include "render_gl/shape_mesh.h"

namespace ringlet {

namespace {

// As in shaders/add.frag, shaders/tone.frag and shaders/edge.frag; shaders/ribbon.frag;
// shaders/strand_light.glsl.
constexpr GLuint kPictureUnit = 8, kEdgeUnit = 9, kScatterUnit = 10;

// The i-th number of a sequence that fills [0, 1) evenly (Halton 1960).
float halton(int i, int base) {
    float sum = 0, share = 1;
    for (; i > 0; i /= base) {
        share /= static_cast<float>(base);
        sum += share * static_cast<float>(i % base);
    }
    return sum;
}

glm::mat4 matrix_of(const Rigidf& motion) {
    const Quatf q = normalise(motion.rotation);
    glm::mat4 matrix = glm::mat4_cast(glm::quat(q.w, q.x, q.y, q.z));
    matrix[3] = glm::vec4(to_glm(motion.translation), 1);
    return matrix;
}

// Two meshes that draw alike have the same; the address says nothing, for memory is used again.
// Textures are left to BodyBuffers::has_textures_of: they do not change and may be large.
std::uint64_t fingerprint_of(const Mesh& mesh) {
    Hash hash;
    const auto add = [&hash](Vec3f a) {
        hash.add(a.x);
        hash.add(a.y);
        hash.add(a.z);
    };
    for (const Vec3f p : mesh.positions) add(p);
    for (const Vec3f n : mesh.normals) add(n);
    const auto add_pair = [&hash](Vec2f a) {
        hash.add(a.x);
        hash.add(a.y);
    };
    for (const Vec2f uv : mesh.uvs) add_pair(uv);
    for (const std::uint32_t index : mesh.indices) hash.add(index);
    for (const std::int32_t index : mesh.triangle_material)
        hash.add(static_cast<std::uint32_t>(index));
    for (const Material& material : mesh.materials) {
        add(material.colour);
        hash.add(material.opacity);
        add_pair(material.texture_scale);
        add_pair(material.texture_offset);
    }
    return hash.value();
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

}  // namespace

void RendererGl::Passes::upload_bodies(const Picture& picture) {
    bodies.resize(picture.meshes.size());
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const Mesh* mesh = picture.meshes[k].mesh;
        const std::uint64_t fingerprint = mesh ? fingerprint_of(*mesh) : kNoBody;
        UploadedBody& body = bodies[k];
        if (fingerprint != body.fingerprint || (mesh && !body.buffers.has_textures_of(*mesh))) {
            body.buffers.upload(mesh ? *mesh : Mesh{});
            body.fingerprint = fingerprint;
        }
        body.motion = matrix_of(picture.meshes[k].transform);
    }
    if (uploaded_shapes != picture.shapes) {
        shape_body.upload(mesh_of(picture.shapes));
        uploaded_shapes = picture.shapes;
    }
}

Subject RendererGl::Passes::subject_of(const Picture& picture) const {
    constexpr float kFar = 1e30f;
    Bounds all{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
    for (const UploadedBody& body : bodies)
        if (!body.buffers.empty()) include_moved(all, body.buffers.bounds(), body.motion);
    if (!strands.empty()) include_moved(all, strands.bounds(), glm::mat4(1));
    for (const DrawnShape& shape : picture.shapes) {
        if (shape.is_ground) continue;  // the shadow maps would be spent on it
        for (const float sign : {-1.0f, 1.0f}) {
            const glm::vec3 reach(sign * shape.radius);
            include(all, to_glm(shape.a) + reach);
            include(all, to_glm(shape.b) + reach);
        }
    }
    float fur_length = 0;
    for (const FurView& coat : picture.furs)
        fur_length = max(fur_length, coat.settings.length * coat.unit);
    const Vec3f grown{fur_length, fur_length, fur_length};
    all = {all.low - grown, all.high + grown};
    if (all.low.x > all.high.x) all = {{-0.1f, -0.1f, -0.1f}, {0.1f, 0.1f, 0.1f}};
    float head_size = 0;
    if (bodies.size() > 1)
        for (const UploadedBody& body : bodies)
            head_size = std::max(head_size, longest_side(body.buffers.bounds()));
    return {all, head_size > 0 ? head_size : longest_side(all)};
}

void RendererGl::Passes::draw_bodies(Parts which) const {
    for (const UploadedBody& body : bodies) {
        glUniformMatrix4fv(0, 1, GL_FALSE, &body.motion[0][0]);
        body.buffers.draw(which);
    }
    const glm::mat4 identity(1);
    glUniformMatrix4fv(0, 1, GL_FALSE, &identity[0][0]);
    shape_body.draw(which);
}

void RendererGl::Passes::upload_frame(const FrameBlock& frame) {
    frame_buffer.upload(&frame, sizeof frame);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, frame_buffer.name());
}

void RendererGl::Passes::prepare_light(const Picture& picture, FrameBlock& frame,
                                       const Subject& subject) {
    surfaces.clear();
    for (const UploadedBody& body : bodies) surfaces.push_back({&body.buffers, body.motion});
    grid.build(strands, surfaces, subject, glm::vec3(frame.rim_direction));
    frame.grid_origin = glm::vec4(grid.origin(), grid.cell());
    frame.grid_scale = glm::vec4(1.0f / (glm::vec3(grid.cells()) * grid.cell()), 0);
    upload_frame(frame);
    clock.end_pass("grid");
    shadows.resize(map_detail(subject));
    ShadowMaps::CastFur cast_fur;
    if (!picture.furs.empty())
        cast_fur = [&](bool from_below) { fur.cast(picture.furs, from_below); };
    shadows.draw(
        strands, [this](Parts which) { draw_bodies(which); }, picture.settings.ground, cast_fur);
    clock.end_pass("shadows");
}

void RendererGl::Passes::tabulate_scattering(const RenderSettings& settings) {
    const Fibre fibre = fibre_of(settings.roughness);
    if (scatter_table && tabulated.rough_along == fibre.rough_along) return;
    tabulated = fibre;
    const ScatterTable table = ringlet::scatter_table(fibre);
    if (!scatter_table)
        scatter_table = make_texture_2d(GL_RGBA16F, ScatterTable::kColours, ScatterTable::kAngles);
    static_assert(sizeof(ScatterAverages) == 4 * sizeof(float));
    glTextureSubImage2D(scatter_table, 0, 0, 0, ScatterTable::kColours, ScatterTable::kAngles,
                        GL_RGBA, GL_FLOAT, table.entries.data());
}

void RendererGl::Passes::shade_strands() {
    constexpr std::size_t kGroup = 64;        // local size of shaders/strand_shade.comp
    constexpr std::size_t kCornerBytes = 64;  // two corners of 32 bytes per drawn vertex
    const auto steps = static_cast<std::size_t>(strands.subdivision());
    // The last frame may still be reading what is about to be written.
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
    glUseProgram(shade_program);
    glUniform1ui(3, static_cast<GLuint>(steps));
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 5, strands.order().hidden());
    for_each_control_range(strands.control_count(), steps, kCornerBytes, kGroup, max_storage,
                           [&](const ControlRange& range) {
                               const std::size_t vertices = (range.last - range.first) * steps;
                               bind_controls(strands.control_buffer(), range);
                               glBindBufferRange(
                                   GL_SHADER_STORAGE_BUFFER, 2, strands.ribbon_buffer(),
                                   static_cast<GLintptr>(range.first * steps * kCornerBytes),
                                   static_cast<GLsizeiptr>(vertices * kCornerBytes));
                               glUniform1ui(0, static_cast<GLuint>(range.from));
                               glUniform1ui(1, static_cast<GLuint>(range.first * steps));
                               glUniform1ui(2, static_cast<GLuint>(vertices));
                               dispatch(vertices, kGroup);
                           });
    glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
}

// The backdrop and the bodies, depth included.
void RendererGl::Passes::draw_stage(const Picture& picture, const FrameBlock& frame) {
    targets.begin();
    glUseProgram(backdrop_program);
    glDisable(GL_DEPTH_TEST);
    glDepthMask(GL_FALSE);
    draw_over_screen();

    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    glUseProgram(body_program);
    draw_bodies(Parts::whole);
    glUseProgram(body_cut_program);
    draw_bodies(Parts::cut_out);
    fur.draw(picture.furs, picture.camera.eye, frame.viewport.z);
}

void RendererGl::Passes::draw_over_screen() const {
    glBindVertexArray(no_attributes);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void RendererGl::Passes::draw_solid_strands() {
    glUseProgram(solid_program);
    strands.draw();
}

void RendererGl::Passes::draw_marks() {
    if (marks.empty()) return;
    glUseProgram(mark_program);
    marks.draw();
}

void RendererGl::Passes::resolve_depth() {
    targets.aim_at_edges();
    glDepthFunc(GL_ALWAYS);
    glUseProgram(edge_program);
    glUniform1i(0, targets.samples());
    glBindTextureUnit(kPictureUnit, targets.depths());
    draw_over_screen();
    targets.aim_at_resolved();
    glDepthFunc(GL_LESS);
}

// Coverage is exact, so one sample per pixel is enough; only the edges of bodies need theirs.
void RendererGl::Passes::draw_strands(const RenderSettings& settings) {
    glBindTextureUnit(kEdgeUnit, targets.edges());
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    if (strands.mode() == StrandMode::tessellation) {
        glUseProgram(curve_program);
        glUniform1ui(0, 0);
        glUniform2f(1, kPixelsPerSegment, kCurveTolerance);
        glUniform1f(2, static_cast<float>(kMaxSubdivision));
        glUniform1f(3, static_cast<float>(std::min(settings.subdivision, kMaxSubdivision)));
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, strands.control_buffer());
    } else {
        glUseProgram(ribbon_program);
    }
    strands.draw();
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
    glBindTextureUnit(kEdgeUnit, 0);
}

void RendererGl::Passes::draw_reference(const Picture& picture, FrameBlock& frame) {
    const int frames = std::max(picture.settings.ref_frames, 1);
    targets.begin_sum();
    // Shifts over a whole pixel and samples spread over it would blur it twice.
    glDisable(GL_MULTISAMPLE);
    for (int i = 0; i < frames; ++i) {
        const glm::vec2 size(frame.viewport);
        const glm::vec2 shift = (glm::vec2(halton(i + 1, 2), halton(i + 1, 3)) - 0.5f) * 2.0f;
        frame.raster = glm::vec4(shift / size, 0, 0);
        upload_frame(frame);
        draw_stage(picture, frame);
        draw_solid_strands();
        draw_marks();
        targets.resolve();

        targets.aim_at_sum();
        glDisable(GL_DEPTH_TEST);
        glEnable(GL_BLEND);
        glBlendEquation(GL_FUNC_ADD);
        glBlendFunc(GL_ONE, GL_ONE);
        glUseProgram(add_program);
        glUniform1f(0, 1 / static_cast<float>(frames));
        glBindTextureUnit(kPictureUnit, targets.resolved());
        draw_over_screen();
        glDisable(GL_BLEND);
    }
    glEnable(GL_MULTISAMPLE);
}

// Strands that are blended come after all else, so what hides them is known before they are sorted.
void RendererGl::Passes::order_strands(const View& view, bool with_depths) {
    if (strands.empty()) return;
    if (with_depths)
        strands.sort(view, targets.resolved_depth(), targets.width(), targets.height());
    else
        strands.sort(view);
    clock.end_pass("sort");
    if (strands.mode() != StrandMode::tessellation) shade_strands();
    clock.end_pass("shade");
}

void RendererGl::Passes::draw_scene(const Picture& picture, const View& view, FrameBlock& frame) {
    const bool is_reference = strands.mode() == StrandMode::ref;
    const bool is_blended = !is_reference && strands.mode() != StrandMode::lines;
    if (!is_blended) order_strands(view, false);
    if (is_reference) {
        draw_reference(picture, frame);
        clock.end_pass("strands");
        return;
    }
    draw_stage(picture, frame);
    clock.end_pass("bodies");
    if (!is_blended) draw_solid_strands();
    targets.resolve();
    const bool has_ribbons = is_blended && !strands.empty();
    if (has_ribbons || !marks.empty()) resolve_depth();
    clock.end_pass("edges");
    if (has_ribbons) {
        order_strands(view, true);
        draw_strands(picture.settings);
    }
    draw_marks();
    clock.end_pass("strands");
}

void RendererGl::Passes::tone_map(GLuint picture, int width, int height, GLuint framebuffer) {
    glDisable(GL_DEPTH_TEST);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    glUseProgram(tone_program);
    glBindTextureUnit(kPictureUnit, picture);
    draw_over_screen();
    glBindTextureUnit(kPictureUnit, 0);
}

void RendererGl::Passes::draw(const Picture& picture, int width, int height, GLuint framebuffer) {
    clock.begin_frame();
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    targets.resize(width, height, samples);
    upload_bodies(picture);
    const View view = view_of(picture.camera, width, height);
    strands.gather(picture.strands, view, picture.settings, height, pool);
    marks.gather(picture.marks, view, width, height);
    fur.upload(picture.furs, pool);
    clock.end_pass("gather");

    const Subject subject = subject_of(picture);
    FrameBlock frame = frame_block(view, picture.light, picture.settings, width, height, subject);
    // A ribbon is as much wider than its strand as a pixel reaches from its centre; solid strands
    // end at their edge.
    frame.viewport.w = picture.settings.mode == StrandMode::ref ? 0.0f : 0.5f;
    frame.raster.w = picture.plain_strands ? 1.0f : 0.0f;
    frame.raster.z = picture.settings.mode == StrandMode::lines ? 1.0f : 0.0f;
    if (!picture.settings.flat && picture.settings.shadows)
        prepare_light(picture, frame, subject);
    else
        upload_frame(frame);
    shadows.bind();
    glBindTextureUnit(3, grid.texture());
    glBindTextureUnit(7, grid.rim_texture());
    tabulate_scattering(picture.settings);
    glBindTextureUnit(kScatterUnit, scatter_table);
    draw_scene(picture, view, frame);
    tone_map(strands.mode() == StrandMode::ref ? targets.sum() : targets.resolved(), width, height,
             framebuffer);
    clock.end_pass("tone");

    glUseProgram(0);
    glBindVertexArray(0);
    ShadowMaps::unbind();
    for (const GLuint unit : {7u, kScatterUnit}) glBindTextureUnit(unit, 0);
    BodyBuffers::unbind();
    log.collect_errors();
    clock.end_frame();
}

}  // namespace ringlet
