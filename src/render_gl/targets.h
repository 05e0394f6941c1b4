// The linear HDR images a frame is drawn into before it is tone mapped.
#pragma once

#include "render_gl/gl_objects.h"
#include "render_gl/view.h"

namespace ringlet {

class Targets {
public:
    // Reallocates only if something changed.
    void resize(int width, int height, int samples);
    // Binds the multisampled image and clears `box` of it: nothing is drawn there. Colours are
    // cleared only if `with_colours`; otherwise a colour is undefined where the depth is 1.
    void begin(const PixelBox& box, bool with_colours) const;
    // Binds resolved() with a depth buffer of one sample, whose contents are undefined until drawn.
    void bind_resolved() const;
    // The light of each pixel, and that of the samples in front along mesh edges
    // (shaders/front.glsl).
    GLuint resolved() const { return resolved_; }
    GLuint front() const { return front_; }
    // Multisampled; the colours are premultiplied.
    GLuint colours() const { return colour_; }
    GLuint depths() const { return depth_; }
    // Written by shaders/resolve.comp.
    GLuint edges() const { return edges_; }
    GLuint farthest() const { return farthest_; }
    // The image after tone mapping.
    GLuint toned() const { return toned_; }
    // Copies toned() to the lower left corner of a framebuffer.
    void copy_toned(GLuint framebuffer) const;
    int width() const { return width_; }
    int height() const { return height_; }
    int samples() const { return samples_; }
    // Accumulates images: call begin_sum() once, then bind_sum() for each.
    void begin_sum();
    void bind_sum() const;
    GLuint sum() const { return sum_; }

private:
    void bind_target(GLuint target) const;

    int width_ = 0, height_ = 0, samples_ = 0;
    Texture colour_, depth_, resolved_, front_, edges_, farthest_, toned_, sum_;
    Renderbuffer resolved_depth_;
    Framebuffer drawn_, resolved_target_, toned_target_, sum_target_;
};

}  // namespace ringlet
