#include "render_gl/shadow_maps.h"

#include <glm/glm.hpp>

#include "render_gl/control_ranges.h"
#include "render_gl/view.h"

namespace ringlet {

namespace {

constexpr int kOpacityLevels = 6;
constexpr int kContactLevels = 7;
constexpr std::size_t kLayers = 4;       // counted for each texel
constexpr GLuint kFarBits = 0x3f800000;  // of the depth 1

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

void aim(GLuint target, int size) {
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, size, size);
}

void draw_all(const ShadowMaps::DrawBodies& draw_bodies, GLuint whole, GLuint cut_out) {
    glUseProgram(whole);
    draw_bodies(Parts::whole);
    glUseProgram(cut_out);
    draw_bodies(Parts::cut_out);
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
          Needed{maps.depth_cut_program_, "light_depth.vert", "light_depth_cut.frag"},
          Needed{maps.cover_program_, "light_depth.vert", "cover.frag"},
          Needed{maps.cover_cut_program_, "light_depth.vert", "cover_cut.frag"},
          Needed{maps.contact_program_, "contact.vert", "contact.frag"},
          Needed{maps.contact_cut_program_, "contact.vert", "contact_cut.frag"},
          Needed{maps.first_sums_program_, "screen.vert", "light_first.frag"},
          Needed{maps.layers_sums_program_, "screen.vert", "light_layers.frag"}}) {
        auto made = make_program(needed.vertex, needed.fragment);
        if (!made) return made.error();
        needed.program = std::move(*made);
    }
    if (auto done = load_compute_programs({{&maps.first_program_, "light_first.comp"},
                                           {&maps.layers_program_, "light_layers.comp"}});
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
    strand_depth_ = make_texture_2d(GL_DEPTH_COMPONENT32F, strands, strands);
    // Depths of two strands have no sensible mean.
    glTextureParameteri(strand_depth_, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(strand_depth_, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    opacity_ = make_texture_2d(GL_RGBA16F, strands, strands, kOpacityLevels);
    cover_ = make_texture_2d(GL_R8, strands, strands, kOpacityLevels);
    contact_ = make_texture_2d(GL_R16F, contact, contact, kContactLevels);
    const auto texels = static_cast<std::size_t>(strands) * static_cast<std::size_t>(strands);
    first_.reserve(texels * sizeof(GLuint), GL_DYNAMIC_COPY);
    layers_.reserve(texels * kLayers * sizeof(GLuint), GL_DYNAMIC_COPY);
    opaque_target_ = depth_target(opaque_);
    strand_depth_target_ = depth_target(strand_depth_);
    opacity_target_ = make_colour_target(opacity_);
    cover_target_ = make_colour_target(cover_);
    contact_target_ = make_colour_target(contact_);
}

void ShadowMaps::add_lines(const StrandStream& strands, GLuint program,
                           const StreamBuffer& sums) const {
    constexpr std::size_t kGroup = 64;  // local size of shaders/light_lines.glsl
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glUseProgram(program);
    glUniform1i(2, kOpacityMapSize * detail_);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, sums.name());
    dispatch_over_controls(strands.control_buffer(), strands.control_count(), kGroup,
                           max_storage_bytes_);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

// Over the map that is aimed at.
void ShadowMaps::draw_sums(GLuint program, const StreamBuffer& sums) const {
    glUseProgram(program);
    glUniform1i(0, kOpacityMapSize * detail_);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, sums.name());
    glBindVertexArray(no_attributes_);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void ShadowMaps::draw_strands(const StrandStream& strands) {
    clear_depth(strand_depth_target_);
    clear_colour(opacity_target_);
    if (!strands.empty()) {
        clear_sums(first_, kFarBits);
        add_lines(strands, first_program_, first_);
        aim(strand_depth_target_, kOpacityMapSize * detail_);
        draw_sums(first_sums_program_, first_);

        clear_sums(layers_, 0);
        glBindTextureUnit(0, opaque_);
        glBindTextureUnit(1, strand_depth_);
        add_lines(strands, layers_program_, layers_);
        aim(opacity_target_, kOpacityMapSize * detail_);
        glDisable(GL_DEPTH_TEST);
        glEnable(GL_BLEND);
        glBlendEquation(GL_FUNC_ADD);
        glBlendFunc(GL_ONE, GL_ONE);
        draw_sums(layers_sums_program_, layers_);
        glDisable(GL_BLEND);
    }
    glGenerateTextureMipmap(opacity_);
}

void ShadowMaps::draw(const StrandStream& strands, const DrawBodies& draw_bodies, bool has_ground,
                      const CastFur& cast_fur) {
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    clear_depth(opaque_target_);
    aim(opaque_target_, kOpaqueMapSize * detail_);
    draw_all(draw_bodies, depth_program_, depth_cut_program_);
    if (cast_fur) cast_fur(false);
    draw_strands(strands);
    if (has_ground) draw_ground_maps(draw_bodies, cast_fur);
}

void ShadowMaps::draw_ground_maps(const DrawBodies& draw_bodies, const CastFur& cast_fur) {
    glDisable(GL_DEPTH_TEST);
    clear_colour(cover_target_);
    aim(cover_target_, kOpacityMapSize * detail_);
    draw_all(draw_bodies, cover_program_, cover_cut_program_);
    if (cast_fur) cast_fur(false);
    glGenerateTextureMipmap(cover_);

    clear_colour(contact_target_);
    aim(contact_target_, kContactMapSize * detail_);
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX);
    draw_all(draw_bodies, contact_program_, contact_cut_program_);
    if (cast_fur) cast_fur(true);
    glBlendEquation(GL_FUNC_ADD);
    glDisable(GL_BLEND);
    glGenerateTextureMipmap(contact_);
}

void ShadowMaps::bind() const {
    glBindTextureUnit(0, opaque_);
    glBindTextureUnit(1, strand_depth_);
    glBindTextureUnit(2, opacity_);
    glBindTextureUnit(4, contact_);
    glBindTextureUnit(5, cover_);
}

void ShadowMaps::unbind() {
    for (GLuint unit = 0; unit < 6; ++unit) glBindTextureUnit(unit, 0);
}

}  // namespace ringlet
