#include "render_gl/upload_ring.h"

namespace ringlet {

void UploadRing::grow(std::size_t bytes) {
    constexpr std::size_t kAlignment = 256;  // every driver can bind ranges at multiples of this
    const std::size_t wanted = bytes + (part_bytes_ ? bytes / 2 : 0);
    part_bytes_ = (wanted + kAlignment - 1) / kAlignment * kAlignment;
    for (Fence& fence : fences_) fence.reset();
    GLuint name = 0;
    glCreateBuffers(1, &name);
    name_ = GlName<delete_buffer>(name);
    constexpr GLbitfield kHow = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    const auto size = static_cast<GLsizeiptr>(part_bytes_ * kParts);
    glNamedBufferStorage(name_, size, nullptr, kHow);
    memory_ = static_cast<std::byte*>(glMapNamedBufferRange(name_, 0, size, kHow));
    current_ = 0;
}

std::byte* UploadRing::begin(std::size_t bytes) {
    if (bytes > part_bytes_) grow(bytes);
    current_ = (current_ + 1) % kParts;
    if (Fence fence = std::move(fences_[current_])) {
        constexpr GLuint64 kSecond = 1'000'000'000;
        glClientWaitSync(fence.get(), GL_SYNC_FLUSH_COMMANDS_BIT, kSecond);
    }
    return memory_ ? memory_ + current_ * part_bytes_ : nullptr;
}

void UploadRing::end() { fences_[current_].reset(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)); }

}  // namespace ringlet
