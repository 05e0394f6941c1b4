#include "render_gl/targets.h"

namespace ringlet {

void Targets::resize(int width, int height, int samples) {
    if (width == width_ && height == height_ && samples == samples_) return;
    width_ = width;
    height_ = height;
    samples_ = samples;
    const int stored = samples > 1 ? samples : 0;
    colour_ = make_renderbuffer(GL_RGBA16F, width, height, stored);
    depth_ = make_renderbuffer(GL_DEPTH_COMPONENT32F, width, height, stored);
    resolved_ = make_texture_2d(GL_RGBA16F, width, height);
    drawn_ = make_framebuffer();
    glNamedFramebufferRenderbuffer(drawn_, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_);
    glNamedFramebufferRenderbuffer(drawn_, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_);
    sum_ = Texture();
    resolve_target_ = make_framebuffer();
    glNamedFramebufferTexture(resolve_target_, GL_COLOR_ATTACHMENT0, resolved_, 0);
}

void Targets::begin() const {
    const float far = 1;
    glClearNamedFramebufferfv(drawn_, GL_DEPTH, 0, &far);
    glBindFramebuffer(GL_FRAMEBUFFER, drawn_);
    glViewport(0, 0, width_, height_);
}

void Targets::resolve() const {
    glBlitNamedFramebuffer(drawn_, resolve_target_, 0, 0, width_, height_, 0, 0, width_, height_,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void Targets::begin_sum() {
    if (!sum_) {
        sum_ = make_texture_2d(GL_RGBA32F, width_, height_);
        sum_target_ = make_framebuffer();
        glNamedFramebufferTexture(sum_target_, GL_COLOR_ATTACHMENT0, sum_, 0);
    }
    const float nothing[4] = {0, 0, 0, 0};
    glClearNamedFramebufferfv(sum_target_, GL_COLOR, 0, nothing);
}

void Targets::aim_at_sum() const {
    glBindFramebuffer(GL_FRAMEBUFFER, sum_target_);
    glViewport(0, 0, width_, height_);
}

}  // namespace ringlet
