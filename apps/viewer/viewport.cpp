#include "viewer/viewport.h"

#include <epoxy/gl.h>

namespace ringlet {

Viewport::~Viewport() {
    if (framebuffer_) glDeleteFramebuffers(1, &framebuffer_);
    if (texture_) glDeleteTextures(1, &texture_);
}

void Viewport::resize(int width, int height) {
    if (width == width_ && height == height_) return;
    if (!framebuffer_) glCreateFramebuffers(1, &framebuffer_);
    if (texture_) glDeleteTextures(1, &texture_);
    glCreateTextures(GL_TEXTURE_2D, 1, &texture_);
    glTextureStorage2D(texture_, 1, GL_RGBA8, width, height);
    glNamedFramebufferTexture(framebuffer_, GL_COLOR_ATTACHMENT0, texture_, 0);
    width_ = width;
    height_ = height;
}

void Viewport::draw(RendererGl& renderer, const Picture& picture, const PixelRect& where) {
    if (where.width < 1 || where.height < 1) return;
    resize(where.width, where.height);
    renderer.draw(picture, where.width, where.height, framebuffer_);
    copy(where, false);
}

void Viewport::show(const Image& image, const PixelRect& where) {
    if (where.width < 1 || where.height < 1) return;
    resize(where.width, where.height);
    glTextureSubImage2D(texture_, 0, 0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE,
                        image.rgba.data());
    copy(where, true);
}

void Viewport::copy(const PixelRect& where, bool is_upside_down) {
    const int from = is_upside_down ? height_ : 0, to = height_ - from;
    glBlitNamedFramebuffer(framebuffer_, 0, 0, from, width_, to, where.x, where.y, where.x + width_,
                           where.y + height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void clear_window(int width, int height) {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    glClearColor(0.11f, 0.11f, 0.12f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace ringlet
