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
    GLuint resolved() const { return resolved_; }
    // Sums of pictures: begin_sum, then resolve and aim_at_sum for each.
    void begin_sum();
    void aim_at_sum() const;
    GLuint sum() const { return sum_; }

private:
    int width_ = 0, height_ = 0, samples_ = 0;
    Renderbuffer colour_, depth_;
    Texture resolved_, sum_;
    Framebuffer drawn_, resolve_target_, sum_target_;
};

}  // namespace ringlet
