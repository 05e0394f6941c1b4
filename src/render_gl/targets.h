// The linear HDR pictures a frame is drawn into before it is tone mapped.
#pragma once

#include "render_gl/gl_objects.h"

namespace ringlet {

class Targets {
public:
    // Keeps what it has when nothing changed.
    void resize(int width, int height, int samples);
    // Aims drawing at the multisampled picture, its depth cleared.
    void begin() const;
    // Averages the samples into resolved().
    void resolve() const;
    // Aims drawing at resolved(), with a depth of its own to be filled from depths().
    void aim_at_resolved() const;
    GLuint resolved() const { return resolved_; }
    GLuint depths() const { return depth_; }  // multisampled
    GLuint edges() const { return edges_; }   // shaders/edge.frag, filled along with the depth
    GLuint resolved_depth() const { return resolved_depth_; }
    int width() const { return width_; }
    int height() const { return height_; }
    int samples() const { return samples_; }
    // Aims drawing at edges() and the depth that belongs to resolved().
    void aim_at_edges() const;
    // Sums of pictures: begin_sum, then resolve and aim_at_sum for each.
    void begin_sum();
    void aim_at_sum() const;
    GLuint sum() const { return sum_; }

private:
    void aim(GLuint target) const;

    int width_ = 0, height_ = 0, samples_ = 0;
    Renderbuffer colour_;
    Texture depth_, resolved_, resolved_depth_, edges_, sum_;
    Framebuffer drawn_, resolved_target_, edges_target_, sum_target_;
};

}  // namespace ringlet
