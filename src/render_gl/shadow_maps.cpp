#include "render_gl/shadow_maps.h"

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>

#include "render_gl/control_ranges.h"
#include "render_gl/view.h"

namespace ringlet {

namespace {

constexpr int kOpacityLevels = 6;
constexpr int kContactLevels = 7;
// With more segments than this, only a part of their texels is visited. A texel of a dense head
// still has a dozen samples and more. The nearest strand may be a single stray hair, so the search
// for it visits more.
constexpr std::size_t kEnoughSegments = 300'000, kEnoughForNearest = 4'000'000, kWidestStride = 4;
constexpr std::size_t kBinBytes = shader::kOpacityBins * sizeof(GLuint);  // of a texel
constexpr GLuint kFarBits = 0x3f800000;                                   // the bits of the float 1

Framebuffer depth_target(GLuint depth, int layer) {
    Framebuffer target = make_framebuffer();
    glNamedFramebufferTextureLayer(target, GL_DEPTH_ATTACHMENT, depth, 0, layer);
    glNamedFramebufferDrawBuffer(target, GL_NONE);
    return target;
}

void clear_depth(GLuint target) {
    const float far = 1;
    glClearNamedFramebufferfv(target, GL_DEPTH, 0, &far);
}

void clear_colour(GLuint target) {
    const float nothing[4] = {0, 0, 0, 0};
    glClearNamedFramebufferfv(target, GL_COLOR, 0, nothing);
}

void clear_sums(const StreamBuffer& sums, GLuint value) {
    glClearNamedBufferData(sums.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &value);
}

void bind_target(GLuint target, int size) {
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, size, size);
}

void draw_all(const ShadowMaps::DrawMeshes& draw_meshes, GLuint opaque, GLuint cutout) {
    glUseProgram(opaque);
    draw_meshes(PartKind::opaque);
    glUseProgram(cutout);
    draw_meshes(PartKind::cutout);
}

// The lamp from which the programs of light_depth.vert see meshes.
void set_lamp(int lamp, GLuint opaque, GLuint cutout) {
    glProgramUniform1i(opaque, shader::kLampUniform, lamp);
    glProgramUniform1i(cutout, shader::kLampUniform, lamp);
}

}  // namespace

Result<ShadowMaps> ShadowMaps::create() {
    ShadowMaps maps;
    struct Needed {
        Program& program;
        const char *vertex, *fragment;
    };
    for (const Needed& needed :
         {Needed{maps.depth_program_, "light_depth.vert", "light_depth.frag"},
          Needed{maps.depth_cutout_program_, "light_depth.vert", "light_depth_cutout.frag"},
          Needed{maps.cover_program_, "light_depth.vert", "cover.frag"},
          Needed{maps.cover_cutout_program_, "light_depth.vert", "cover_cutout.frag"},
          Needed{maps.contact_program_, "contact.vert", "contact.frag"},
          Needed{maps.contact_cutout_program_, "contact.vert", "contact_cutout.frag"}}) {
        auto made = make_program(needed.vertex, needed.fragment);
        if (!made) return made.error();
        needed.program = std::move(*made);
    }
    if (auto done = load_compute_programs({{&maps.nearest_program_, "light_nearest.comp"},
                                           {&maps.layers_program_, "light_layers.comp"},
                                           {&maps.knots_program_, "light_knots.comp"}});
        !done)
        return done.error();
    maps.max_storage_bytes_ = max_storage_bytes();
    maps.resize(1);
    return maps;
}

void ShadowMaps::resize(int detail) {
    if (detail == detail_) return;
    detail_ = detail;
    const int opaque = kOpaqueMapSize * detail, strands = kOpacityMapSize * detail,
              contact = kContactMapSize * detail;
    opaque_ = make_texture_array(GL_DEPTH_COMPONENT32F, opaque, opaque, shader::kLampCount);
    glTextureParameteri(opaque_, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTextureParameteri(opaque_, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    opacity_ = make_texture_array(GL_RG16F, strands, strands, shader::kLampCount, kOpacityLevels);
    knots_ = make_texture_array(GL_RGBA16, strands, strands, shader::kLampCount);
    cover_ = make_texture_2d(GL_R8, strands, strands, kOpacityLevels);
    contact_ = make_texture_2d(GL_R16F, contact, contact, kContactLevels);
    texels_ = static_cast<std::size_t>(strands) * static_cast<std::size_t>(strands);
    nearest_.reserve(texels_ * shader::kLampCount * sizeof(GLuint), GL_DYNAMIC_COPY);
    bins_.reserve(texels_ * shader::kLampCount * kBinBytes, GL_DYNAMIC_COPY);
    // find_knots() clears them again.
    clear_sums(nearest_, kFarBits);
    clear_sums(bins_, 0);
    for (int lamp = 0; lamp < shader::kLampCount; ++lamp)
        opaque_targets_[static_cast<std::size_t>(lamp)] = depth_target(opaque_, lamp);
    cover_target_ = make_colour_target(cover_);
    contact_target_ = make_colour_target(contact_);
}

void ShadowMaps::use(const Program& program, Lamps lamps) const {
    const auto bind = [&](int binding, const StreamBuffer& sums, std::size_t bytes_per_texel) {
        const auto bytes = static_cast<GLsizeiptr>(texels_ * bytes_per_texel);
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, static_cast<GLuint>(binding), sums.name(),
                          lamps.first * bytes, lamps.count * bytes);
    };
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glUseProgram(program);
    glUniform1i(shader::kLampUniform, lamps.first);
    bind(shader::kNearestBinding, nearest_, sizeof(GLuint));
    bind(shader::kLightSumBinding, bins_, kBinBytes);
}

void ShadowMaps::begin_lines(const Program& program, Lamps lamps, GLuint stride) const {
    use(program, lamps);
    glUniform1i(shader::kMapSizeUniform, kOpacityMapSize * detail_);
    glUniform1ui(shader::kLightStrideUniform, stride);
}

void ShadowMaps::find_nearest(Lamps lamps, const StrandStream& strands) const {
    begin_lines(nearest_program_, lamps,
                light_stride(strands.searched_count(), kEnoughForNearest, kWidestStride));
    strands.dispatch_over_blocks(static_cast<GLuint>(lamps.count));
}

void ShadowMaps::add_layers(Lamps lamps, const StrandStream& strands) const {
    begin_lines(layers_program_, lamps,
                light_stride(strands.control_count(), kEnoughSegments, kWidestStride));
    glBindTextureUnit(shader::kOpaqueMapUnit, opaque_);
    dispatch_over_controls(strands.control_buffer(), strands.control_count(), shader::kGroupSize,
                           max_storage_bytes_, 1, static_cast<GLuint>(lamps.count));
}

void ShadowMaps::find_knots(Lamps lamps) const {
    use(knots_program_, lamps);
    const auto bind = [](GLuint unit, GLuint map, GLenum format) {
        glBindImageTexture(unit, map, 0, GL_TRUE, 0, GL_WRITE_ONLY, format);
    };
    bind(shader::kLightMapImage, opacity_, GL_RG16F);
    bind(shader::kKnotImage, knots_, GL_RGBA16);
    const auto groups = static_cast<GLuint>(kOpacityMapSize * detail_ / shader::kImageGroupSide);
    glDispatchCompute(groups, groups, static_cast<GLuint>(lamps.count));
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
}

void ShadowMaps::draw_strands(Lamps lamps, const StrandStream& strands, PassTimer& timer) {
    find_nearest(lamps, strands);
    timer.end_part("shadows: nearest");
    add_layers(lamps, strands);
    timer.end_part("shadows: layers");
    find_knots(lamps);
    timer.end_part("shadows: knots");
}

void ShadowMaps::draw_lamp_meshes(int lamp, const DrawMeshes& draw_meshes,
                                  const CastFur& cast_fur) {
    const Framebuffer& target = opaque_targets_[static_cast<std::size_t>(lamp)];
    clear_depth(target);
    bind_target(target, kOpaqueMapSize * detail_);
    set_lamp(lamp, depth_program_, depth_cutout_program_);
    draw_all(draw_meshes, depth_program_, depth_cutout_program_);
    if (cast_fur) cast_fur(lamp);
}

void ShadowMaps::draw(const StrandStream& strands, const DrawMeshes& draw_meshes, bool has_ground,
                      const CastFur& cast_fur, PassTimer& timer) {
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    for (int lamp = 0; lamp < shader::kLampCount; ++lamp)
        draw_lamp_meshes(lamp, draw_meshes, cast_fur);
    timer.end_part("shadows: meshes");
    // Together, lamps hide each other's latency.
    const int at_once =
        texels_ * kBinBytes * shader::kLampCount <= max_storage_bytes_ ? shader::kLampCount : 1;
    if (strands.empty())
        glClearTexImage(opacity_, 0, GL_RG, GL_FLOAT, nullptr);
    else
        for (int lamp = 0; lamp < shader::kLampCount; lamp += at_once)
            draw_strands({lamp, at_once}, strands, timer);
    glGenerateTextureMipmap(opacity_);
    timer.end_part("shadows: levels");
    if (has_ground) draw_ground_maps(draw_meshes, cast_fur);
}

void ShadowMaps::draw_ground_maps(const DrawMeshes& draw_meshes, const CastFur& cast_fur) {
    glDisable(GL_DEPTH_TEST);
    clear_colour(cover_target_);
    bind_target(cover_target_, kOpacityMapSize * detail_);
    set_lamp(shader::kKeyLamp, cover_program_, cover_cutout_program_);
    draw_all(draw_meshes, cover_program_, cover_cutout_program_);
    if (cast_fur) cast_fur(shader::kKeyLamp);
    glGenerateTextureMipmap(cover_);

    clear_colour(contact_target_);
    bind_target(contact_target_, kContactMapSize * detail_);
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX);
    draw_all(draw_meshes, contact_program_, contact_cutout_program_);
    if (cast_fur) cast_fur(shader::kNoLamp);
    glBlendEquation(GL_FUNC_ADD);
    glDisable(GL_BLEND);
    glGenerateTextureMipmap(contact_);
}

void ShadowMaps::bind() const {
    glBindTextureUnit(shader::kOpaqueMapUnit, opaque_);
    glBindTextureUnit(shader::kOpacityUnit, opacity_);
    glBindTextureUnit(shader::kKnotUnit, knots_);
    glBindTextureUnit(shader::kContactUnit, contact_);
    glBindTextureUnit(shader::kCoverUnit, cover_);
}

void ShadowMaps::unbind() {
    for (const int unit : {shader::kOpaqueMapUnit, shader::kOpacityUnit, shader::kKnotUnit,
                           shader::kContactUnit, shader::kCoverUnit})
        glBindTextureUnit(static_cast<GLuint>(unit), 0);
}

}  // namespace ringlet
