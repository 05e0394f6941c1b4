// Owners of OpenGL names: each deletes what it made, so the context must be current at the end.
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
// One that is drawn into the texture.
Framebuffer make_colour_target(GLuint texture);
VertexArray make_vertex_array();
// One level by default; clamped to its edge, linearly filtered.
Texture make_texture_2d(GLenum format, int width, int height, int levels = 1);
Texture make_multisampled_texture(GLenum format, int width, int height, int samples);
// `samples` 0: not multisampled.
Renderbuffer make_renderbuffer(GLenum format, int width, int height, int samples);

// A buffer that grows and never shrinks.
class StreamBuffer {
public:
    // Room for `bytes`, contents undefined; `usage` says who will fill them.
    void reserve(std::size_t bytes, GLenum usage = GL_STREAM_DRAW);
    // Replaces the contents. The old storage is orphaned, so the driver need not wait for draws
    // that still read it.
    void upload(const void* data, std::size_t bytes);
    GLuint name() const { return name_; }
    std::size_t capacity() const { return capacity_; }

private:
    GlName<delete_buffer> name_;
    std::size_t capacity_ = 0;
};

// Shaders by their file names under shaders/; the error carries the compiler's own words.
Result<Program> make_program(std::string_view vertex, std::string_view fragment);
// NAME.vert, NAME.tesc, NAME.tese, NAME.geom and the fragment shader.
Result<Program> make_tessellated_program(const std::string& name, std::string_view fragment);
Result<Program> make_compute_program(std::string_view compute);

struct ComputeProgram {
    Program* program;
    const char* shader;
};
Result<void> load_compute_programs(std::initializer_list<ComputeProgram> wanted);

// The most of a storage buffer that a shader can see at once.
std::size_t max_storage_bytes();

}  // namespace ringlet
