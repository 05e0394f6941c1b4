// Once buffers have grown, a frame allocates no memory on the CPU or in the driver, and does not
// wait for the GPU.
#include <epoxy/gl.h>

#include <cstdlib>
#include <new>

#include "guided_fixture.h"
#include "picture_fixture.h"
#include "render_gl/gl_objects.h"

namespace {

thread_local long allocations = 0;

}  // namespace

// The address sanitizer replaces these operators itself.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kCountsMemory = false;
#else
constexpr bool kCountsMemory = true;

[[gnu::noinline]] void* operator new(std::size_t bytes) {
    ++allocations;
    if (void* memory = std::malloc(bytes)) return memory;
    std::abort();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
    ++allocations;
    const auto line = static_cast<std::size_t>(alignment);
    if (void* memory = std::aligned_alloc(line, (bytes + line - 1) / line * line)) return memory;
    std::abort();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
#endif

namespace ringlet {
namespace {

class steady_state : public PictureTest {};

// Counts the calls of one OpenGL function during its lifetime. epoxy stores each function pointer
// in a variable and resolves it on the first call, so a function that is counted from before its
// first call is not counted at all.
template <auto* Place, class Function = std::remove_pointer_t<decltype(Place)>>
class Count;
template <auto* Place, class... Arguments>
class Count<Place, void (*)(Arguments...)> {
public:
    Count() {
        calls_ = 0;
        real_ = *Place;
        *Place = [](Arguments... arguments) {
            ++calls_;
            real_(arguments...);
        };
    }
    ~Count() { *Place = real_; }
    Count(const Count&) = delete;
    Count& operator=(const Count&) = delete;
    int calls() const { return calls_; }

private:
    inline static int calls_ = 0;
    inline static void (*real_)(Arguments...) = nullptr;
};

struct Calls {
    Count<&epoxy_glNamedBufferData> data;
    Count<&epoxy_glNamedBufferStorage> storage;
    Count<&epoxy_glTextureStorage2D> flat;
    Count<&epoxy_glTextureStorage3D> deep;
    Count<&epoxy_glGetNamedBufferSubData> read;
    Count<&epoxy_glGetTextureImage> image;
    Count<&epoxy_glFinish> finish;

    int all() const {
        return data.calls() + storage.calls() + flat.calls() + deep.calls() + read.calls() +
               image.calls() + finish.calls();
    }
};

TEST_F(steady_state, allocates_nothing_and_reads_nothing_back) {
    const Mesh head = ball(0.05f, {0.75f, 0.5f, 0.4f});
    std::vector<TestStrand> strands;
    for (int s = 0; s < 300; ++s) {
        const SinCos<float> angle = sin_cos(0.02f * static_cast<float>(s));
        TestStrand strand{{}, 0.0003f};
        for (int i = 0; i < 8; ++i)
            strand.vertices.push_back(
                {0.05f * angle.sin, 0.06f - 0.02f * static_cast<float>(i), 0.06f * angle.cos});
        strands.push_back(strand);
    }
    StrandSet set = strand_set(strands);
    Picture picture;
    picture.meshes = {{&head}};
    picture.strands = view_of(set);
    const Texture image = make_texture_2d(GL_RGBA8, 96, 64);
    const Framebuffer target = make_colour_target(image);
    const auto draw_frame = [&](int frame) {
        const float sway = frame % 2 == 0 ? 0.0f : 0.002f;
        for (int s = 0; s < set.strand_count(); ++s)
            set.position.at(s, 7, 0) = strands[static_cast<std::size_t>(s)].vertices[7].x + sway;
        picture.settings.mode = frame % 4 < 2 ? StrandMode::ribbons : StrandMode::compute;
        picture.camera.eye.x = 0.02f * static_cast<float>(frame % 3);
        renderer_->draw(picture, frame < 0 ? 48 : 96, 64, target);
    };
    draw_frame(-1);
    {
        const Calls calls;
        const long before = allocations;
        for (int frame = 0; frame < 12; ++frame) draw_frame(frame);
        EXPECT_EQ(allocations > before, kCountsMemory) << "nothing is counted";
        EXPECT_GT(calls.all(), 0) << "nothing is counted";
    }
    const Calls calls;
    const long before = allocations;
    for (int frame = 0; frame < 12; ++frame) draw_frame(frame);
    EXPECT_EQ(allocations - before, 0);
    EXPECT_EQ(calls.all(), 0);
}

TEST_F(steady_state, holds_for_children_that_a_shader_computes) {
    GuidedTuft tuft;
    Picture picture;
    picture.strands = tuft.view();
    renderer_->compute_children(true);
    const Texture image = make_texture_2d(GL_RGBA8, 96, 64);
    const Framebuffer target = make_colour_target(image);
    const auto draw_frame = [&](int frame) {
        tuft.pose(0.001f * static_cast<float>(frame % 3));
        renderer_->draw(picture, 96, 64, target);
        EXPECT_TRUE(renderer_->drew_computed_children());
    };
    for (int frame = 0; frame < 12; ++frame) draw_frame(frame);
    const Calls calls;
    const long before = allocations;
    for (int frame = 0; frame < 12; ++frame) draw_frame(frame);
    EXPECT_EQ(allocations - before, 0);
    EXPECT_EQ(calls.all(), 0);
    renderer_->compute_children(false);
}

}  // namespace
}  // namespace ringlet
