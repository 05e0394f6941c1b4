#include "render_gl/passes.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>

#include "base/hash.h"
#include "picture/mesh_parts.h"
#include "picture/shape_mesh.h"
#include "render_gl/control_ranges.h"
#include "render_gl/shader_constants.h"

namespace ringlet {

namespace {

// The i-th number of the Halton sequence in [0, 1) (Halton 1960).
float halton(int i, int base) {
    float sum = 0, share = 1;
    for (; i > 0; i /= base) {
        share /= static_cast<float>(base);
        sum += share * static_cast<float>(i % base);
    }
    return sum;
}

glm::mat4 matrix_of(const Rigidf& transform) {
    const Quatf q = normalise(transform.rotation);
    glm::mat4 matrix = glm::mat4_cast(glm::quat(q.w, q.x, q.y, q.z));
    matrix[3] = glm::vec4(to_glm(transform.translation), 1);
    return matrix;
}

// A hash of everything that affects how a mesh is drawn, except textures, which are immutable and
// compared by MeshBuffers::has_textures_of. A mesh's address would not do because memory is reused.
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
        hash.add(material.vertex_colours);
    }
    if (draws_vertex_colours(mesh))
        for (const Vec3f colour : mesh.colours) add(colour);
    return hash.value();
}

void include(Bounds& all, glm::vec3 p) {
    if (!std::isfinite(p.x + p.y + p.z)) return;
    all.low = {min(all.low.x, p.x), min(all.low.y, p.y), min(all.low.z, p.z)};
    all.high = {max(all.high.x, p.x), max(all.high.y, p.y), max(all.high.z, p.z)};
}

void include_moved(Bounds& all, const Bounds& box, const glm::mat4& transform) {
    for (int corner = 0; corner < 8; ++corner)
        include(all, glm::vec3(transform * glm::vec4(corner & 1 ? box.high.x : box.low.x,
                                                     corner & 2 ? box.high.y : box.low.y,
                                                     corner & 4 ? box.high.z : box.low.z, 1)));
}

// The texture that a framebuffer draws into, if a compute shader can write it as well, which saves
// a copy. Otherwise 0, as for a window or a renderbuffer.
GLuint writable_texture(GLuint framebuffer) {
    if (framebuffer == 0) return 0;
    const auto value_of = [framebuffer](GLenum name) {
        GLint value = 0;
        glGetNamedFramebufferAttachmentParameteriv(framebuffer, GL_COLOR_ATTACHMENT0, name, &value);
        return value;
    };
    if (value_of(GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) != GL_TEXTURE ||
        value_of(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL) != 0 ||
        value_of(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER) != 0)
        return 0;
    const auto texture = static_cast<GLuint>(value_of(GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME));
    GLint format = 0, target = 0;
    glGetTextureLevelParameteriv(texture, 0, GL_TEXTURE_INTERNAL_FORMAT, &format);
    glGetTextureParameteriv(texture, GL_TEXTURE_TARGET, &target);
    return format == GL_RGBA8 && target == GL_TEXTURE_2D ? texture : 0;
}

}  // namespace

void RendererGl::Passes::upload_meshes(const Picture& picture) {
    meshes.resize(picture.meshes.size());
    fingerprints.clear();
    for (std::size_t k = 0; k < meshes.size(); ++k) {
        const Mesh* mesh = picture.meshes[k].mesh;
        // The heads of a crowd share meshes, so each is hashed once.
        auto known = std::ranges::find(fingerprints, mesh, &Fingerprint::mesh);
        if (known == fingerprints.end())
            known = fingerprints.insert(known, {mesh, mesh ? fingerprint_of(*mesh) : kNoMesh});
        const std::uint64_t fingerprint = known->value;
        UploadedMesh& out = meshes[k];
        if (fingerprint != out.fingerprint || (mesh && !out.buffers.has_textures_of(*mesh))) {
            out.buffers.upload(mesh ? *mesh : Mesh{});
            out.fingerprint = fingerprint;
        }
        out.transform = matrix_of(picture.meshes[k].transform);
    }
    if (uploaded_shapes != picture.shapes) {
        shape_buffers.upload(mesh_of(picture.shapes));
        uploaded_shapes = picture.shapes;
    }
}

Subject RendererGl::Passes::subject_of(const Picture& picture) const {
    constexpr float kFar = 1e30f;
    Bounds all{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
    for (const UploadedMesh& mesh : meshes)
        if (!mesh.buffers.empty()) include_moved(all, mesh.buffers.bounds(), mesh.transform);
    if (!strands.empty()) include_moved(all, strands.bounds(), glm::mat4(1));
    for (const DrawnShape& shape : picture.shapes) {
        // Ground planes would waste the resolution of the shadow maps.
        if (shape.is_ground) continue;
        for (const float sign : {-1.0f, 1.0f}) {
            const glm::vec3 reach(sign * shape.radius);
            include(all, to_glm(shape.a) + reach);
            include(all, to_glm(shape.b) + reach);
        }
    }
    float fur_length = 0;
    for (const FurView& coat : picture.furs)
        if (has_shells(coat.settings))
            fur_length = max(fur_length, coat.settings.length * coat.unit);
    const Vec3f grown{fur_length, fur_length, fur_length};
    all = {all.low - grown, all.high + grown};
    if (all.low.x > all.high.x) all = {{-0.1f, -0.1f, -0.1f}, {0.1f, 0.1f, 0.1f}};
    float head_size = 0;
    if (meshes.size() > 1)
        for (const UploadedMesh& mesh : meshes)
            head_size = std::max(head_size, longest_side(mesh.buffers.bounds()));
    return {all, head_size > 0 ? head_size : longest_side(all)};
}

PixelBox RendererGl::Passes::opaque_pixels(const Picture& picture, const View& view,
                                           const FrameBlock& frame) const {
    const glm::ivec2 size(targets.width(), targets.height());
    const StrandMode mode = strands.mode();
    if (!picture.furs.empty() || mode == StrandMode::ref || mode == StrandMode::lines)
        return {{0, 0}, size};
    PixelBox all;
    for (const UploadedMesh& mesh : meshes)
        if (!mesh.buffers.empty())
            all = united(all, pixels_of(mesh.buffers.bounds(),
                                        frame.view_projection * mesh.transform, view, size));
    if (!shape_buffers.empty())
        all = united(all, pixels_of(shape_buffers.bounds(), frame.view_projection, view, size));
    return all;
}

void RendererGl::Passes::draw_meshes(PartKind kind) const {
    for (const UploadedMesh& mesh : meshes) {
        glUniformMatrix4fv(shader::kTransformUniform, 1, GL_FALSE, &mesh.transform[0][0]);
        mesh.buffers.draw(kind);
    }
    const glm::mat4 identity(1);
    glUniformMatrix4fv(shader::kTransformUniform, 1, GL_FALSE, &identity[0][0]);
    shape_buffers.draw(kind);
}

void RendererGl::Passes::upload_frame(const FrameBlock& frame) {
    frame_buffer.upload(&frame, sizeof frame);
    glBindBufferBase(GL_UNIFORM_BUFFER, shader::kFrameBinding, frame_buffer.name());
}

void RendererGl::Passes::prepare_light(const Picture& picture, FrameBlock& frame,
                                       const Subject& subject) {
    placed_meshes.clear();
    for (const UploadedMesh& mesh : meshes)
        placed_meshes.push_back({&mesh.buffers, mesh.transform});
    grid.build(strands, placed_meshes, subject, timer);
    frame.grid_origin = glm::vec4(grid.origin(), grid.cell());
    frame.grid_scale = glm::vec4(1.0f / (glm::vec3(grid.cells()) * grid.cell()), 0);
    upload_frame(frame);
    timer.end_pass("grid");
    shadows.resize(map_detail(subject));
    ShadowMaps::CastFur cast_fur;
    if (!picture.furs.empty()) cast_fur = [&](int lamp) { fur.cast(picture.furs, lamp); };
    shadows.draw(
        strands, [this](PartKind kind) { draw_meshes(kind); }, picture.settings.ground, cast_fur,
        timer);
    timer.end_pass("shadows");
}

void RendererGl::Passes::tabulate_scattering(const RenderSettings& settings) {
    const Fibre fibre = fibre_of(settings.roughness);
    if (!azimuth_map) {
        using Table = AzimuthTable;
        azimuth_map =
            make_texture_3d(GL_RGBA16F, Table::kAzimuths, Table::kAngles, Table::kColours);
        static_assert(sizeof(FibreLobes) == 4 * sizeof(float));
        glTextureSubImage3D(azimuth_map, 0, 0, 0, 0, Table::kAzimuths, Table::kAngles,
                            Table::kColours, GL_RGBA, GL_FLOAT,
                            azimuth_table(fibre).entries.data());
    }
    if (scatter_table && tabulated.rough_along == fibre.rough_along) return;
    tabulated = fibre;
    const ScatterTable table = ringlet::scatter_table(fibre);
    if (!scatter_table)
        scatter_table = make_texture_2d(GL_RGBA16F, ScatterTable::kColours, ScatterTable::kAngles);
    static_assert(sizeof(ScatterAverages) == 4 * sizeof(float));
    glTextureSubImage2D(scatter_table, 0, 0, 0, ScatterTable::kColours, ScatterTable::kAngles,
                        GL_RGBA, GL_FLOAT, table.entries.data());
    if (!soft_table) soft_table = make_texture_2d(GL_RG16F, ScatterTable::kColours, 1);
    static_assert(sizeof(SoftScatter) == 2 * sizeof(float));
    glTextureSubImage2D(soft_table, 0, 0, 0, ScatterTable::kColours, 1, GL_RG, GL_FLOAT,
                        table.soft.data());
}

void RendererGl::Passes::shade_strands() {
    constexpr std::size_t kGroup = shader::kGroupSize;
    const bool is_compute = strands.mode() == StrandMode::compute;
    const std::size_t bytes = is_compute ? kStrandVertexBytes : kCornerPairBytes;
    const auto steps = static_cast<std::size_t>(strands.subdivision());
    // The previous frame may still read the buffers.
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
    const Program& program = !is_compute         ? shade_program
                             : strands.has_fur() ? compute_shade_fur_program
                                                 : compute_shade_program;
    const std::size_t run = is_compute ? vertices_per_thread : 1;
    if (is_compute) compute_strands.set_layer(program);
    glUseProgram(program);
    if (is_compute) glUniform1ui(shader::kRunUniform, static_cast<GLuint>(run));
    glUniform1ui(shader::kSubdivisionUniform, static_cast<GLuint>(steps));
    bind_storage(shader::kSpanBinding, strands.order().spans());
    // The compute rasteriser needs all vertices in one binding; corners may need several.
    if (is_compute) bind_storage(shader::kStrandVertexBinding, strands.drawn_buffer());
    for_each_control_range(
        strands.control_count(), steps, bytes, kGroup, max_storage, [&](const ControlRange& range) {
            const std::size_t vertices = (range.last - range.first) * steps;
            bind_controls(strands.control_buffer(), range);
            if (!is_compute)
                glBindBufferRange(GL_SHADER_STORAGE_BUFFER, shader::kCornerBinding,
                                  strands.drawn_buffer(),
                                  static_cast<GLintptr>(range.first * steps * bytes),
                                  static_cast<GLsizeiptr>(vertices * bytes));
            glUniform1ui(shader::kFirstVertexUniform, static_cast<GLuint>(range.first * steps));
            glUniform1ui(shader::kVertexCountUniform, static_cast<GLuint>(vertices));
            dispatch((vertices + run - 1) / run, kGroup);
        });
    glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
}

void RendererGl::Passes::draw_opaque(const Picture& picture, const FrameBlock& frame) {
    // Shells blend with the colours below them; all else that is drawn replaces them. With
    // multisampling disabled, llvmpipe writes the depth of one sample and the colours of all.
    has_colours = !picture.furs.empty() || strands.mode() == StrandMode::ref;
    targets.begin(opaque_box, has_colours);
    timer.end_part("meshes: clear");
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    glUseProgram(mesh_program);
    draw_meshes(PartKind::opaque);
    glUseProgram(mesh_cutout_program);
    draw_meshes(PartKind::cutout);
    fur.draw(picture.furs, picture.camera.eye, frame.viewport.z);
}

void RendererGl::Passes::draw_full_screen() const {
    glBindVertexArray(no_attributes);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void RendererGl::Passes::draw_solid_strands() {
    glUseProgram(solid_program);
    strands.draw();
}

void RendererGl::Passes::draw_marks(bool over_resolved) {
    if (marks.empty()) return;
    glUseProgram(mark_program);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, over_resolved ? GL_ZERO : GL_ONE,
                        GL_ONE_MINUS_SRC_ALPHA);
    marks.draw();
}

// Runs one invocation of a compute program per pixel.
void RendererGl::Passes::dispatch_over_image() const {
    constexpr int kSide = shader::kImageGroupSide;
    glDispatchCompute(static_cast<GLuint>((targets.width() + kSide - 1) / kSide),
                      static_cast<GLuint>((targets.height() + kSide - 1) / kSide), 1);
}

void RendererGl::Passes::resolve() {
    const auto bind = [](int unit, GLuint texture, GLenum format) {
        glBindImageTexture(static_cast<GLuint>(unit), texture, 0, GL_FALSE, 0, GL_WRITE_ONLY,
                           format);
    };
    glUseProgram(resolve_program);
    glUniform1i(shader::kSampleCountUniform, targets.samples());
    glUniform4i(shader::kPixelBoxUniform, opaque_box.low.x, opaque_box.low.y, opaque_box.high.x,
                opaque_box.high.y);
    glUniform1i(shader::kHasColoursUniform, has_colours ? 1 : 0);
    glBindTextureUnit(shader::kInputUnit, targets.colours());
    glBindTextureUnit(shader::kSampleDepthUnit, targets.depths());
    bind(shader::kResolvedImage, targets.resolved(), GL_RGBA16F);
    bind(shader::kFrontImage, targets.front(), GL_RGBA16F);
    bind(shader::kEdgeImage, targets.edges(), GL_RG32F);
    bind(shader::kFarthestImage, targets.farthest(), GL_R32F);
    dispatch_over_image();
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT |
                    GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    glBindTextureUnit(shader::kInputUnit, 0);
    glBindTextureUnit(shader::kSampleDepthUnit, 0);
}

void RendererGl::Passes::copy_depth() {
    targets.bind_resolved();
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glUseProgram(farthest_program);
    glBindTextureUnit(shader::kInputUnit, targets.farthest());
    draw_full_screen();
    glBindTextureUnit(shader::kInputUnit, 0);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthFunc(GL_LESS);
}

// Coverage is exact, so one sample per pixel is enough; edges() holds the coverage of mesh edges.
void RendererGl::Passes::draw_strands(const RenderSettings& settings) {
    copy_depth();
    glBindTextureUnit(shader::kEdgeUnit, targets.edges());
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    // The image has the light of the samples behind; its alpha is what is left of those in front.
    glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC1_ALPHA, GL_ZERO, GL_ONE_MINUS_SRC_ALPHA);
    if (strands.mode() == StrandMode::tessellation) {
        glUseProgram(curve_program);
        glUniform1ui(shader::kFirstControlUniform, 0);
        glUniform2f(shader::kSegmentLimitsUniform, kPixelsPerSegment, kCurveTolerance);
        glUniform1f(shader::kMaxSegmentsUniform, static_cast<float>(kMaxSubdivision));
        glUniform1f(shader::kFixedSegmentsUniform,
                    static_cast<float>(std::min(settings.subdivision, kMaxSubdivision)));
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, shader::kControlBinding,
                         strands.control_buffer());
    } else {
        glUseProgram(ribbon_program);
    }
    strands.draw();
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
    glBindTextureUnit(shader::kEdgeUnit, 0);
}

void RendererGl::Passes::draw_compute_strands(const RenderSettings& settings) {
    constexpr float kBytesPerMegabyte = 1e6f;
    const float list_bytes = std::max(settings.list_mb, 0.0f) * kBytesPerMegabyte;
    compute_strands.draw(strands, targets, static_cast<std::size_t>(list_bytes), timer);
}

void RendererGl::Passes::draw_reference(const Picture& picture, FrameBlock& frame) {
    const int frames = std::max(picture.settings.ref_frames, 1);
    targets.begin_sum();
    // Multisampling in addition to the shifts would blur each pixel twice.
    glDisable(GL_MULTISAMPLE);
    for (int i = 0; i < frames; ++i) {
        const glm::vec2 size(frame.viewport);
        const glm::vec2 shift = (glm::vec2(halton(i + 1, 2), halton(i + 1, 3)) - 0.5f) * 2.0f;
        frame.raster = glm::vec4(shift / size, 0, 0);
        upload_frame(frame);
        draw_opaque(picture, frame);
        draw_solid_strands();
        draw_marks(false);
        resolve();

        targets.bind_sum();
        glDisable(GL_DEPTH_TEST);
        glEnable(GL_BLEND);
        glBlendEquation(GL_FUNC_ADD);
        glBlendFunc(GL_ONE, GL_ONE);
        glUseProgram(add_program);
        glUniform1f(shader::kShareUniform, 1 / static_cast<float>(frames));
        glBindTextureUnit(shader::kInputUnit, targets.resolved());
        glBindTextureUnit(shader::kFrontUnit, targets.front());
        draw_full_screen();
        glDisable(GL_BLEND);
    }
    glEnable(GL_MULTISAMPLE);
}

// Blended strands are drawn last, so the depths that hide them are known before the sort.
void RendererGl::Passes::sort_strands(const View& view, bool with_depths) {
    if (strands.empty()) return;
    if (with_depths)
        strands.sort(view, timer, targets.farthest(), targets.width(), targets.height());
    else
        strands.sort(view, timer);
    timer.end_pass("sort");
    if (strands.mode() != StrandMode::tessellation) shade_strands();
    timer.end_pass("shade");
}

void RendererGl::Passes::draw_scene(const Picture& picture, const View& view, FrameBlock& frame) {
    const bool is_reference = strands.mode() == StrandMode::ref;
    const bool is_blended = !is_reference && strands.mode() != StrandMode::lines;
    if (!is_blended) sort_strands(view, false);
    if (is_reference) {
        draw_reference(picture, frame);
        timer.end_pass("strands");
        return;
    }
    draw_opaque(picture, frame);
    timer.end_pass("meshes");
    if (!is_blended) draw_solid_strands();
    resolve();
    timer.end_pass("edges");
    if (is_blended && !strands.empty()) {
        sort_strands(view, true);
        if (strands.mode() == StrandMode::compute)
            draw_compute_strands(picture.settings);
        else
            draw_strands(picture.settings);
    }
    if (!marks.empty()) copy_depth();
    draw_marks(true);
    timer.end_pass("strands");
}

void RendererGl::Passes::tone_map(GLuint hdr, GLuint framebuffer) {
    const GLuint texture = writable_texture(framebuffer);
    glDisable(GL_DEPTH_TEST);
    glUseProgram(tone_program);
    glBindTextureUnit(shader::kInputUnit, hdr);
    glBindTextureUnit(shader::kFrontUnit, targets.front());
    glBindImageTexture(shader::kToneImage, texture ? texture : targets.toned(), 0, GL_FALSE, 0,
                       GL_WRITE_ONLY, GL_RGBA8);
    dispatch_over_image();
    glBindTextureUnit(shader::kInputUnit, 0);
    glMemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT |
                    GL_TEXTURE_FETCH_BARRIER_BIT);
    timer.end_part("tone: map");
    if (!texture) targets.copy_toned(framebuffer);
}

void RendererGl::Passes::bind_light_maps() const {
    glBindTextureUnit(shader::kGridUnit, grid.texture());
    glBindTextureUnit(shader::kSoftUnit, grid.soft_texture());
    glBindTextureUnit(shader::kSkyUnit, grid.sky_texture());
    glBindTextureUnit(shader::kBounceUnit, grid.bounce_texture());
    glBindTextureUnit(shader::kScatterUnit, scatter_table);
    glBindTextureUnit(shader::kSoftScatterUnit, soft_table);
    glBindTextureUnit(shader::kAzimuthUnit, azimuth_map);
}

void RendererGl::Passes::unbind_light_maps() {
    for (const int unit :
         {shader::kGridUnit, shader::kSoftUnit, shader::kSkyUnit, shader::kBounceUnit,
          shader::kScatterUnit, shader::kSoftScatterUnit, shader::kAzimuthUnit})
        glBindTextureUnit(static_cast<GLuint>(unit), 0);
}

void RendererGl::Passes::draw(const Picture& picture, int width, int height, GLuint framebuffer) {
    timer.begin_frame();
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    targets.resize(width, height, samples);
    upload_meshes(picture);
    const View view = view_of(picture.camera, width, height);
    timer.end_part("upload: meshes");
    strands.upload(picture.strands, view, picture.settings, height, pool, timer,
                   picture.first_strands);
    marks.upload(picture.marks, view, width, height);
    fur.upload(picture.furs, pool);
    timer.end_pass("upload");

    const Subject subject = subject_of(picture);
    FrameBlock frame = frame_block(view, picture.light, picture.settings, width, height, subject);
    frame.sizes.y = picture.body_scale;
    frame.camera_right.w = strands.widening();
    // Ribbons are wider than their strand by the pixel's footprint; solid strands are not.
    frame.viewport.w = picture.settings.mode == StrandMode::ref ? 0.0f : 0.5f;
    frame.raster.w = picture.plain_strands ? 1.0f : 0.0f;
    frame.raster.z = picture.settings.mode == StrandMode::lines ? 1.0f : 0.0f;
    if (!picture.settings.flat && picture.settings.shadows)
        prepare_light(picture, frame, subject);
    else
        upload_frame(frame);
    shadows.bind();
    tabulate_scattering(picture.settings);
    bind_light_maps();
    opaque_box = opaque_pixels(picture, view, frame);
    if (strands.mode() == StrandMode::compute)
        compute_strands.choose_layer(strands, view, {width, height}, picture.settings.lod);
    draw_scene(picture, view, frame);
    tone_map(strands.mode() == StrandMode::ref ? targets.sum() : targets.resolved(), framebuffer);
    timer.end_pass("tone");

    glUseProgram(0);
    glBindVertexArray(0);
    ShadowMaps::unbind();
    unbind_light_maps();
    MeshBuffers::unbind();
    log.collect_errors();
    timer.end_frame();
}

}  // namespace ringlet
