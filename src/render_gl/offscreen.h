// An OpenGL 4.5 core context without a window or display, on a GPU or on Mesa's software renderer.
#pragma once

#include <string>

#include "ringlet/result.h"

namespace ringlet {

class OffscreenContext {
public:
    // Makes the new context current on the calling thread. Fails with a remedy if the machine has
    // no OpenGL 4.5.
    static Result<OffscreenContext> create();

    ~OffscreenContext();
    OffscreenContext(OffscreenContext&& other) noexcept;
    OffscreenContext& operator=(OffscreenContext&& other) noexcept;

    // Makes the context current on the calling thread. It can be current on one thread at a time.
    bool make_current() const;
    // Makes no context current, so that another thread may use this one.
    void release() const;

    // GL_RENDERER, for example "llvmpipe (LLVM 15.0.6, 256 bits)".
    std::string description() const { return description_; }

private:
    OffscreenContext(void* display, void* context) : display_(display), context_(context) {}

    void* display_ = nullptr;  // EGLDisplay
    void* context_ = nullptr;  // EGLContext
    std::string description_;
};

}  // namespace ringlet
