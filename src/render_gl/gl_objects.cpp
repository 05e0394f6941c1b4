#include "render_gl/gl_objects.h"

#include <algorithm>
#include <string>

#include "render_gl/shader_source.h"

namespace ringlet {

namespace {

std::string shader_log(GLuint shader) {
    std::string log(2048, '\0');
    GLsizei length = 0;
    glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    return log;
}

std::string program_log(GLuint program) {
    std::string log(2048, '\0');
    GLsizei length = 0;
    glGetProgramInfoLog(program, static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    return log;
}

Result<void> attach(GLuint program, GLenum stage, std::string_view name) {
    const std::string_view source = shader_source(name);
    if (source.empty()) return Error{"no shader \"" + std::string(name) + "\" in this build", {}};
    const GLuint shader = glCreateShader(stage);
    const char* const text = source.data();
    const auto length = static_cast<GLint>(source.size());
    glShaderSource(shader, 1, &text, &length);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    const std::string log = compiled ? std::string() : shader_log(shader);
    if (compiled) glAttachShader(program, shader);
    glDeleteShader(shader);  // deferred by OpenGL while it is attached
    if (compiled) return {};
    return Error{"the graphics driver refuses shader " + std::string(name) + ": " + log, {}};
}

Result<Program> link(Program program, std::string_view name) {
    glLinkProgram(program);
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked) return program;
    return Error{
        "the graphics driver cannot link " + std::string(name) + ": " + program_log(program), {}};
}

}  // namespace

Framebuffer make_framebuffer() {
    GLuint name = 0;
    glCreateFramebuffers(1, &name);
    return Framebuffer(name);
}

Framebuffer make_colour_target(GLuint texture) {
    Framebuffer target = make_framebuffer();
    glNamedFramebufferTexture(target, GL_COLOR_ATTACHMENT0, texture, 0);
    return target;
}

VertexArray make_vertex_array() {
    GLuint name = 0;
    glCreateVertexArrays(1, &name);
    return VertexArray(name);
}

namespace {

void set_clamped_and_linear(GLuint name, int levels) {
    glTextureParameteri(name, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(name, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(name, GL_TEXTURE_MIN_FILTER,
                        levels > 1 ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
}

}  // namespace

Texture make_texture_2d(GLenum format, int width, int height, int levels) {
    GLuint name = 0;
    glCreateTextures(GL_TEXTURE_2D, 1, &name);
    glTextureStorage2D(name, levels, format, width, height);
    set_clamped_and_linear(name, levels);
    return Texture(name);
}

Texture make_texture_array(GLenum format, int width, int height, int layers, int levels) {
    GLuint name = 0;
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &name);
    glTextureStorage3D(name, levels, format, width, height, layers);
    set_clamped_and_linear(name, levels);
    return Texture(name);
}

Texture make_texture_3d(GLenum format, int width, int height, int depth) {
    GLuint name = 0;
    glCreateTextures(GL_TEXTURE_3D, 1, &name);
    glTextureStorage3D(name, 1, format, width, height, depth);
    for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
        glTextureParameteri(name, axis, GL_CLAMP_TO_EDGE);
    glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    return Texture(name);
}

Texture make_multisampled_texture(GLenum format, int width, int height, int samples) {
    GLuint name = 0;
    glCreateTextures(GL_TEXTURE_2D_MULTISAMPLE, 1, &name);
    glTextureStorage2DMultisample(name, samples, format, width, height, GL_TRUE);
    return Texture(name);
}

Renderbuffer make_renderbuffer(GLenum format, int width, int height, int samples) {
    GLuint name = 0;
    glCreateRenderbuffers(1, &name);
    glNamedRenderbufferStorageMultisample(name, samples, format, width, height);
    return Renderbuffer(name);
}

void StreamBuffer::reserve(std::size_t bytes, GLenum usage) {
    if (name_ && bytes <= capacity_) return;
    if (!name_) {
        GLuint name = 0;
        glCreateBuffers(1, &name);
        name_ = GlName<delete_buffer>(name);
    }
    // Half as much again, so that a growing number of strands does not reallocate every frame.
    capacity_ = bytes <= capacity_ ? capacity_ : bytes + (capacity_ ? bytes / 2 : 0);
    // glClearNamedBufferData needs whole elements, of up to 16 bytes.
    capacity_ = std::max((capacity_ + 15) / 16 * 16, std::size_t{16});
    glNamedBufferData(name_, static_cast<GLsizeiptr>(capacity_), nullptr, usage);
}

void StreamBuffer::upload(const void* data, std::size_t bytes) {
    reserve(bytes);
    if (bytes == 0) return;
    glInvalidateBufferData(name_);
    glNamedBufferSubData(name_, 0, static_cast<GLsizeiptr>(bytes), data);
}

Result<Program> make_program(std::string_view vertex, std::string_view fragment) {
    Program program(glCreateProgram());
    if (auto done = attach(program, GL_VERTEX_SHADER, vertex); !done) return done.error();
    if (auto done = attach(program, GL_FRAGMENT_SHADER, fragment); !done) return done.error();
    return link(std::move(program), fragment);
}

Result<Program> make_tessellated_program(const std::string& name, std::string_view fragment) {
    Program program(glCreateProgram());
    struct Stage {
        GLenum stage;
        std::string file;
    };
    for (const Stage& stage :
         {Stage{GL_VERTEX_SHADER, name + ".vert"}, Stage{GL_TESS_CONTROL_SHADER, name + ".tesc"},
          Stage{GL_TESS_EVALUATION_SHADER, name + ".tese"},
          Stage{GL_GEOMETRY_SHADER, name + ".geom"},
          Stage{GL_FRAGMENT_SHADER, std::string(fragment)}})
        if (auto done = attach(program, stage.stage, stage.file); !done) return done.error();
    return link(std::move(program), name + ".tese");
}

Result<Program> make_compute_program(std::string_view compute) {
    Program program(glCreateProgram());
    if (auto done = attach(program, GL_COMPUTE_SHADER, compute); !done) return done.error();
    return link(std::move(program), compute);
}

Result<void> load_compute_programs(std::initializer_list<ComputeProgram> wanted) {
    for (const ComputeProgram& each : wanted) {
        auto made = make_compute_program(each.shader);
        if (!made) return made.error();
        *each.program = std::move(*made);
    }
    return {};
}

bool is_software_renderer() {
    const auto* const name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    return name && std::string_view(name).find("pipe") != std::string_view::npos;
}

std::size_t max_storage_bytes() {
    GLint bytes = 0;
    glGetIntegerv(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
    return static_cast<std::size_t>(bytes);
}

}  // namespace ringlet
