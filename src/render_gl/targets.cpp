#include "render_gl/targets.h"

namespace ringlet {

void Targets::resize(int width, int height, int samples) {
    if (width == width_ && height == height_ && samples == samples_) return;
    width_ = width;
    height_ = height;
    samples_ = samples;
    colour_ = make_multisampled_texture(GL_RGBA16F, width, height, samples);
    depth_ = make_multisampled_texture(GL_DEPTH_COMPONENT32F, width, height, samples);
    drawn_ = make_colour_target(colour_);
    glNamedFramebufferTexture(drawn_, GL_DEPTH_ATTACHMENT, depth_, 0);

    resolved_ = make_texture_2d(GL_RGBA16F, width, height);
    front_ = make_texture_2d(GL_RGBA16F, width, height);
    resolved_depth_ = make_renderbuffer(GL_DEPTH_COMPONENT32F, width, height, 0);
    edges_ = make_texture_2d(GL_RG32F, width, height);
    farthest_ = make_texture_2d(GL_R32F, width, height);
    toned_ = make_texture_2d(GL_RGBA8, width, height);
    resolved_target_ = make_colour_target(resolved_);
    toned_target_ = make_colour_target(toned_);
    glNamedFramebufferRenderbuffer(resolved_target_, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                                   resolved_depth_);
    sum_ = Texture();
}

void Targets::bind_target(GLuint target) const {
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, width_, height_);
}

void Targets::begin(const PixelBox& box, bool with_colours) const {
    const float far = 1, nothing[4] = {0, 0, 0, 0};
    glEnable(GL_SCISSOR_TEST);
    glScissor(box.low.x, box.low.y, box.high.x - box.low.x, box.high.y - box.low.y);
    glClearNamedFramebufferfv(drawn_, GL_DEPTH, 0, &far);
    if (with_colours) glClearNamedFramebufferfv(drawn_, GL_COLOR, 0, nothing);
    glDisable(GL_SCISSOR_TEST);
    bind_target(drawn_);
}

void Targets::copy_toned(GLuint framebuffer) const {
    glBlitNamedFramebuffer(toned_target_, framebuffer, 0, 0, width_, height_, 0, 0, width_, height_,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void Targets::bind_resolved() const { bind_target(resolved_target_); }

void Targets::begin_sum() {
    if (!sum_) {
        sum_ = make_texture_2d(GL_RGBA32F, width_, height_);
        sum_target_ = make_colour_target(sum_);
    }
    const float nothing[4] = {0, 0, 0, 0};
    glClearNamedFramebufferfv(sum_target_, GL_COLOR, 0, nothing);
}

void Targets::bind_sum() const { bind_target(sum_target_); }

}  // namespace ringlet
