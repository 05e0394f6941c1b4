// The linear HDR images a frame is drawn into before it is tone mapped.
#pragma once

#include "render_gl/gl_objects.h"

namespace ringlet {

class Targets {
public:
    // Reallocates only if something changed.
    void resize(int width, int height, int samples);
    // Binds the multisampled image and clears its depth.
    void begin() const;
    // Averages the samples into resolved().
    void resolve() const;
    // Binds resolved() with resolved_depth().
    void bind_resolved() const;
    GLuint resolved() const { return resolved_; }
    GLuint depths() const { return depth_; }  // multisampled
    GLuint edges() const { return edges_; }   // written by shaders/edge.frag
    GLuint resolved_depth() const { return resolved_depth_; }
    int width() const { return width_; }
    int height() const { return height_; }
    int samples() const { return samples_; }
    // Binds edges() with resolved_depth().
    void bind_edges() const;
    // Accumulates images: call begin_sum() once, then resolve() and bind_sum() for each.
    void begin_sum();
    void bind_sum() const;
    GLuint sum() const { return sum_; }

private:
    void bind_target(GLuint target) const;

    int width_ = 0, height_ = 0, samples_ = 0;
    Renderbuffer colour_;
    Texture depth_, resolved_, resolved_depth_, edges_, sum_;
    Framebuffer drawn_, resolved_target_, edges_target_, sum_target_;
};

}  // namespace ringlet
