// An OpenGL 4.5 core context without a window or display: a GPU where there is one, Mesa's software
// renderer otherwise.
#pragma once

#include <string>

#include "ringlet/result.h"

namespace ringlet {

class OffscreenContext {
public:
    // Makes the new context current on the calling thread. Fails with a remedy where the machine
    // has no OpenGL 4.5.
    static Result<OffscreenContext> create();

    ~OffscreenContext();
    OffscreenContext(OffscreenContext&& other) noexcept;
    OffscreenContext& operator=(OffscreenContext&& other) noexcept;

    // Binds the context to the calling thread; at most one thread may hold it at a time.
    bool make_current() const;
    // Lets go of it, so that another thread may make it current.
    void release() const;

    // What draws: GL_RENDERER, "llvmpipe (LLVM 15.0.6, 256 bits)" say.
    std::string description() const { return description_; }

private:
    OffscreenContext(void* display, void* context) : display_(display), context_(context) {}

    void* display_ = nullptr;  // EGLDisplay
    void* context_ = nullptr;  // EGLContext
    std::string description_;
};

}  // namespace ringlet
