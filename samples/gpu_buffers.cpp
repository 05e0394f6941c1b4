// Draws the strands that a GPU simulates from an OpenGL buffer: the positions never leave the GPU.
// Without a GPU that CUDA and OpenGL share, it says so and draws nothing.
#include <epoxy/gl.h>
#include <ringlet/sim.h>

#include <cstdio>
#include <utility>
#include <vector>

#include "gl_context.h"

// A vertex shader finds its vertex by the offsets of the strands, which never change.
static const char* const kVertexShader = R"(#version 450
layout(std430, binding = 0) readonly buffer Positions { float x[]; };
layout(std430, binding = 1) readonly buffer Offsets { uint offset[]; };
void main() {
    const uint at = offset[gl_InstanceID] + 24 * gl_VertexID;
    gl_Position = vec4(x[at], x[at + 8], x[at + 16], 1);
})";
static const char* const kFragmentShader = R"(#version 450
layout(location = 0) out vec4 colour;
void main() { colour = vec4(0.4, 0.2, 0.1, 1); })";

static GLuint make_program() {
    const GLuint program = glCreateProgram();
    for (const auto& [kind, text] : {std::pair{GL_VERTEX_SHADER, kVertexShader},
                                     std::pair{GL_FRAGMENT_SHADER, kFragmentShader}}) {
        const GLuint shader = glCreateShader(static_cast<GLenum>(kind));
        glShaderSource(shader, 1, &text, nullptr);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    return program;
}

static GLuint make_buffer(GLuint binding, std::size_t bytes, const void* data) {
    GLuint buffer = 0;
    glCreateBuffers(1, &buffer);
    glNamedBufferData(buffer, static_cast<GLsizeiptr>(bytes), data, GL_DYNAMIC_DRAW);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
    return buffer;
}

int main() {
    std::vector<float> xyz;
    const int vertices = 16;
    const std::vector<int> counts(1000, vertices);
    for (int s = 0; s < 1000; ++s)
        for (int i = 0; i < vertices; ++i)
            xyz.insert(xyz.end(),
                       {0.002f * static_cast<float>(s) - 1, 0.05f * static_cast<float>(i), 0});
    ringlet::SimOptions options;
    options.backend = ringlet::Backend::cuda;
    auto hair = ringlet::HairSim::create({xyz, counts}, ringlet::scene_defaults(), {}, options);
    if (!hair || !make_gl_context()) {
        std::printf("nothing to draw: %s\n",
                    hair ? "there is no OpenGL 4.5" : hair.error().text().c_str());
        return 0;
    }
    glUseProgram(make_program());
    const GLuint positions = make_buffer(0, 4 * hair->memory_size(), nullptr);
    const std::vector<GLuint> offsets(hair->offsets().begin(), hair->offsets().end());
    make_buffer(1, 4 * offsets.size(), offsets.data());
    if (auto done = hair->attach_gl_buffer(positions); !done) {
        std::printf("nothing to draw: %s\n", done.error().text().c_str());
        return 0;
    }
    for (int frame = 0; frame < 60; ++frame) {
        if (!hair->step(1.0 / 60) || !hair->write_gl_buffer()) return 1;
        glDrawArraysInstanced(GL_LINE_STRIP, 0, vertices, static_cast<GLsizei>(counts.size()));
    }
    float height = 0;  // of the first strand's root, read back to show that it is there
    glGetNamedBufferSubData(positions, static_cast<GLintptr>(4 * (offsets[0] + 8)), 4, &height);
    hair->detach_gl_buffer();
    glDeleteBuffers(1, &positions);
    std::printf("drew %zu strands, root of the first at a height of %.3f m\n", counts.size(),
                static_cast<double>(height));
    return height == 0 ? 0 : 1;
}
