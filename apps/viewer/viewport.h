// The picture between the panels: rendered off screen, then copied into the window.
#pragma once

#include "render_gl/renderer.h"

namespace ringlet {

// A rectangle in window pixels, from the lower left corner.
struct PixelRect {
    int x = 0, y = 0, width = 0, height = 0;
};

class Viewport {
public:
    ~Viewport();
    Viewport() = default;
    Viewport(const Viewport&) = delete;
    Viewport& operator=(const Viewport&) = delete;

    void draw(RendererGl& renderer, const Picture& picture, const PixelRect& where);

    // Shows an image of the rectangle's size in place of a drawn picture.
    void show(const Image& image, const PixelRect& where);

private:
    // Copies the texture into the window.
    void copy(const PixelRect& where, bool is_upside_down);
    void resize(int width, int height);

    unsigned framebuffer_ = 0, texture_ = 0;
    int width_ = 0, height_ = 0;
};

// Clears the window.
void clear_window(int width, int height);

}  // namespace ringlet
