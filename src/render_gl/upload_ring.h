// A persistently mapped buffer that the CPU writes and the GPU reads. Its parts are used in turn,
// so that the CPU fills one while the GPU still reads another.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "render_gl/gl_objects.h"

namespace ringlet {

class UploadRing {
public:
    // Returns where to write the next `bytes`, or null if the driver cannot map the buffer. Blocks
    // if the GPU is kParts uploads behind.
    std::byte* begin(std::size_t bytes);
    // Call after the commands that read the bytes.
    void end();
    GLuint name() const { return name_; }
    GLintptr offset() const { return static_cast<GLintptr>(current_ * part_bytes_); }

private:
    static constexpr std::size_t kParts = 3;

    struct DeleteFence {
        void operator()(GLsync fence) const { glDeleteSync(fence); }
    };
    using Fence = std::unique_ptr<std::remove_pointer_t<GLsync>, DeleteFence>;

    void grow(std::size_t bytes);

    GlName<delete_buffer> name_;
    std::byte* memory_ = nullptr;
    std::size_t part_bytes_ = 0;
    std::size_t current_ = 0;
    std::array<Fence, kParts> fences_;
};

}  // namespace ringlet
