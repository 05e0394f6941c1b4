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

private:
    int width_ = 0, height_ = 0, samples_ = 0;
    Renderbuffer colour_, depth_;
    Texture resolved_;
    Framebuffer drawn_, resolve_target_;
};

}  // namespace ringlet
