// Owners of OpenGL objects. Each deletes its object, so the context must be current on destruction.
#pragma once

#include <epoxy/gl.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "ringlet/result.h"

namespace ringlet {

template <void (*Delete)(GLuint)>
class GlName {
public:
    GlName() = default;
    explicit GlName(GLuint name) : name_(name) {}
    ~GlName() {
        if (name_) Delete(name_);
    }
    GlName(GlName&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
    GlName& operator=(GlName&& other) noexcept {
        std::swap(name_, other.name_);
        return *this;
    }
    operator GLuint() const { return name_; }

private:
    GLuint name_ = 0;
};

inline void delete_buffer(GLuint name) { glDeleteBuffers(1, &name); }
inline void delete_texture(GLuint name) { glDeleteTextures(1, &name); }
inline void delete_framebuffer(GLuint name) { glDeleteFramebuffers(1, &name); }
inline void delete_renderbuffer(GLuint name) { glDeleteRenderbuffers(1, &name); }
inline void delete_vertex_array(GLuint name) { glDeleteVertexArrays(1, &name); }
inline void delete_program(GLuint name) { glDeleteProgram(name); }

using Texture = GlName<delete_texture>;
using Framebuffer = GlName<delete_framebuffer>;
using Renderbuffer = GlName<delete_renderbuffer>;
using VertexArray = GlName<delete_vertex_array>;
using Program = GlName<delete_program>;

Framebuffer make_framebuffer();
// Returns a framebuffer that draws into the texture.
Framebuffer make_colour_target(GLuint texture);
VertexArray make_vertex_array();
// Clamped to its edge and linearly filtered.
Texture make_texture_2d(GLenum format, int width, int height, int levels = 1);
// The same with several layers.
Texture make_texture_array(GLenum format, int width, int height, int layers, int levels = 1);
// One level, with linear filtering and clamped edges.
Texture make_texture_3d(GLenum format, int width, int height, int depth);
Texture make_multisampled_texture(GLenum format, int width, int height, int samples);
// `samples` 0: not multisampled.
Renderbuffer make_renderbuffer(GLenum format, int width, int height, int samples);

// A buffer that grows but never shrinks.
class StreamBuffer {
public:
    // Allocates at least `bytes`. The contents are undefined if that reallocates.
    void reserve(std::size_t bytes, GLenum usage = GL_STREAM_DRAW);
    // Replaces the contents. Orphans the old storage, so the driver need not wait for draws that
    // still read it.
    void upload(const void* data, std::size_t bytes);
    GLuint name() const { return name_; }
    std::size_t capacity() const { return capacity_; }

private:
    GlName<delete_buffer> name_;
    std::size_t capacity_ = 0;
};

inline void bind_storage(int binding, GLuint buffer) {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, static_cast<GLuint>(binding), buffer);
}
inline void bind_storage(int binding, const StreamBuffer& buffer) {
    bind_storage(binding, buffer.name());
}

// Shaders are given by their file names in shaders/. Errors contain the driver's log.
Result<Program> make_program(std::string_view vertex, std::string_view fragment);
// Links NAME.vert, NAME.tesc, NAME.tese, NAME.geom and the fragment shader.
Result<Program> make_tessellated_program(const std::string& name, std::string_view fragment);
Result<Program> make_compute_program(std::string_view compute);

struct ComputeProgram {
    Program* program;
    const char* shader;
};
Result<void> load_compute_programs(std::initializer_list<ComputeProgram> wanted);

// Whether the current context draws on the CPU with Mesa.
bool is_software_renderer();

// The largest range of a storage buffer that can be bound.
std::size_t max_storage_bytes();

}  // namespace ringlet
