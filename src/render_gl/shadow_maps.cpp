#include "render_gl/shadow_maps.h"

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>

#include "render_gl/control_ranges.h"
#include "render_gl/shader_constants.h"
#include "render_gl/view.h"

namespace ringlet {

namespace {

constexpr int kOpacityLevels = 6;
constexpr int kContactLevels = 7;
// With more segments than this, only a part of their texels is visited. A texel of a dense head
// still has a dozen samples and more. The nearest strand may be a single stray hair, so the search
// for it visits more.
constexpr std::size_t kEnoughSegments = 300'000, kEnoughForNearest = 4'000'000, kWidestStride = 4;
constexpr GLuint kFarBits = 0x3f800000;  // the bits of the float 1

Framebuffer depth_target(GLuint depth) {
    Framebuffer target = make_framebuffer();
    glNamedFramebufferTexture(target, GL_DEPTH_ATTACHMENT, depth, 0);
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
                                           {&maps.depth_map_program_, "light_depth_map.comp"},
                                           {&maps.opacity_map_program_, "light_opacity_map.comp"}});
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
    opaque_ = make_texture_2d(GL_DEPTH_COMPONENT32F, opaque, opaque);
    glTextureParameteri(opaque_, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTextureParameteri(opaque_, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    strand_depth_ = make_texture_2d(GL_R32F, strands, strands);
    // Interpolating the depths of two strands is meaningless.
    glTextureParameteri(strand_depth_, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(strand_depth_, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    opacity_ = make_texture_2d(GL_R16F, strands, strands, kOpacityLevels);
    knots_ = make_texture_2d(GL_RGBA16, strands, strands);
    cover_ = make_texture_2d(GL_R8, strands, strands, kOpacityLevels);
    contact_ = make_texture_2d(GL_R16F, contact, contact, kContactLevels);
    const auto texels = static_cast<std::size_t>(strands) * static_cast<std::size_t>(strands);
    nearest_.reserve(texels * sizeof(GLuint), GL_DYNAMIC_COPY);
    bins_.reserve(texels * shader::kOpacityBins * sizeof(GLuint), GL_DYNAMIC_COPY);
    // Each frame clears them again after it has read them.
    clear_sums(nearest_, kFarBits);
    clear_sums(bins_, 0);
    opaque_target_ = depth_target(opaque_);
    cover_target_ = make_colour_target(cover_);
    contact_target_ = make_colour_target(contact_);
}

void ShadowMaps::begin_lines(GLuint program, const StreamBuffer& sums, GLuint stride) const {
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glUseProgram(program);
    glUniform1i(shader::kMapSizeUniform, kOpacityMapSize * detail_);
    glUniform1ui(shader::kLightStrideUniform, stride);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, shader::kLightSumBinding, sums.name());
}

void ShadowMaps::find_nearest(const StrandStream& strands) const {
    begin_lines(nearest_program_, nearest_,
                light_stride(strands.searched_count(), kEnoughForNearest, kWidestStride));
    strands.dispatch_over_blocks();
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void ShadowMaps::add_layers(const StrandStream& strands) const {
    begin_lines(layers_program_, bins_,
                light_stride(strands.control_count(), kEnoughSegments, kWidestStride));
    dispatch_over_controls(strands.control_buffer(), strands.control_count(), shader::kGroupSize,
                           max_storage_bytes_);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void ShadowMaps::copy_sums(GLuint program, const StreamBuffer& sums, GLuint map,
                           GLenum format) const {
    glUseProgram(program);
    bind_storage(shader::kLightSumBinding, sums);
    glBindImageTexture(shader::kLightMapImage, map, 0, GL_FALSE, 0, GL_WRITE_ONLY, format);
    const auto groups = static_cast<GLuint>(kOpacityMapSize * detail_ / shader::kImageGroupSide);
    glDispatchCompute(groups, groups, 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
}

void ShadowMaps::draw_strands(const StrandStream& strands, PassTimer& timer) {
    if (strands.empty()) {
        const float far = 1;
        glClearTexImage(strand_depth_, 0, GL_RED, GL_FLOAT, &far);
        glClearTexImage(opacity_, 0, GL_RED, GL_FLOAT, nullptr);
    } else {
        find_nearest(strands);
        timer.end_part("shadows: nearest");
        copy_sums(depth_map_program_, nearest_, strand_depth_, GL_R32F);
        timer.end_part("shadows: copy");
        glBindTextureUnit(shader::kOpaqueMapUnit, opaque_);
        glBindTextureUnit(shader::kStrandDepthUnit, strand_depth_);
        add_layers(strands);
        timer.end_part("shadows: layers");
        bind_storage(shader::kNearestBinding, nearest_);
        glBindImageTexture(shader::kKnotImage, knots_, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16);
        copy_sums(opacity_map_program_, bins_, opacity_, GL_R16F);
        timer.end_part("shadows: copy");
    }
    glGenerateTextureMipmap(opacity_);
    timer.end_part("shadows: levels");
}

void ShadowMaps::draw(const StrandStream& strands, const DrawMeshes& draw_meshes, bool has_ground,
                      const CastFur& cast_fur, PassTimer& timer) {
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    clear_depth(opaque_target_);
    bind_target(opaque_target_, kOpaqueMapSize * detail_);
    draw_all(draw_meshes, depth_program_, depth_cutout_program_);
    if (cast_fur) cast_fur(false);
    timer.end_part("shadows: meshes");
    draw_strands(strands, timer);
    if (has_ground) draw_ground_maps(draw_meshes, cast_fur);
}

void ShadowMaps::draw_ground_maps(const DrawMeshes& draw_meshes, const CastFur& cast_fur) {
    glDisable(GL_DEPTH_TEST);
    clear_colour(cover_target_);
    bind_target(cover_target_, kOpacityMapSize * detail_);
    draw_all(draw_meshes, cover_program_, cover_cutout_program_);
    if (cast_fur) cast_fur(false);
    glGenerateTextureMipmap(cover_);

    clear_colour(contact_target_);
    bind_target(contact_target_, kContactMapSize * detail_);
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX);
    draw_all(draw_meshes, contact_program_, contact_cutout_program_);
    if (cast_fur) cast_fur(true);
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
    for (const int unit : {shader::kOpaqueMapUnit, shader::kStrandDepthUnit, shader::kOpacityUnit,
                           shader::kKnotUnit, shader::kContactUnit, shader::kCoverUnit})
        glBindTextureUnit(static_cast<GLuint>(unit), 0);
}

}  // namespace ringlet
