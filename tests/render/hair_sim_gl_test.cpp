// Positions that a GPU simulates, written into a program's OpenGL buffer.
#include <epoxy/gl.h>
#include <gtest/gtest.h>

#include "library/sample_hair.h"
#include "render_gl/offscreen.h"

namespace ringlet {
namespace {

TEST(hair_sim_gl, a_buffer_holds_the_memory_of_the_view) {
    const Result<void> there = check_backend(Backend::cuda);
    if (!there) GTEST_SKIP() << there.error().text();
    const Result<OffscreenContext> context = OffscreenContext::create();
    ASSERT_TRUE(context) << context.error().text();
    SimOptions options = sample_options();
    options.backend = Backend::cuda;
    HairSim hair = make_sample(0, options);
    GLuint buffer = 0;
    glCreateBuffers(1, &buffer);
    glNamedBufferData(buffer, static_cast<GLsizeiptr>(4 * hair.memory_size()), nullptr,
                      GL_DYNAMIC_DRAW);
    const Result<void> attached = hair.attach_gl_buffer(buffer);
    if (!attached) GTEST_SKIP() << attached.error().text();
    play(hair, 0, 5);
    ASSERT_TRUE(hair.write_gl_buffer());
    std::vector<float> drawn(hair.memory_size());
    glGetNamedBufferSubData(buffer, 0, static_cast<GLsizeiptr>(4 * drawn.size()), drawn.data());
    const VectorView now = hair.positions();
    for (int s = 0; s < hair.strand_count(); ++s)
        for (int i = 0; i < now[s].count; ++i)
            for (std::size_t c = 0; c < 3; ++c) {
                const std::size_t at = hair.offsets()[static_cast<std::size_t>(s)] +
                                       24 * static_cast<std::size_t>(i) + 8 * c;
                EXPECT_EQ(drawn[at], now.memory()[at]);
            }
    hair.detach_gl_buffer();
    glDeleteBuffers(1, &buffer);
}

}  // namespace
}  // namespace ringlet
