// Jobs draw with any renderer of the registry, through the interface alone.
#include "picture/image_renderer.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/image/image_file.h"
#include "picture_fixture.h"
#include "ringlet/ringlet.h"
#include "session/renderers.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

constexpr std::uint8_t kColour[4] = {12, 200, 99, 255};

// A complete second renderer: fills the image with one colour and reports progress in halves.
class RendererFlat final : public ImageRenderer {
public:
    std::string description() const override { return "one colour"; }

    Result<Image> render(const Picture& picture, int width, int height,
                         const ImageProgress& progress) override {
        last_strand_count = picture.strands.layout->strand_count();
        last_eye = picture.camera.eye;
        Image image{width, height, {}};
        for (const float share : {0.0f, 0.5f}) {
            if (progress && !progress(share, {})) return Error{"stopped"};
            for (int i = 0; i < width * height / 2; ++i)
                image.rgba.insert(image.rgba.end(), kColour, kColour + 4);
        }
        return image;
    }

    std::vector<std::string> warnings() const override { return {"one colour is not much"}; }

    inline static int last_strand_count = 0;
    inline static Vec3f last_eye{0, 0, 0};
};

RendererEntry renderer_flat() {
    return {"flat", "one colour", {}, [] {
                return Result<std::unique_ptr<ImageRenderer>>(std::make_unique<RendererFlat>());
            }};
}

RendererEntry renderer_broken() {
    const Error why{"no accelerator on this machine: install one"};
    return {"broken", "", [why] { return Result<void>(why); },
            [why] { return Result<std::unique_ptr<ImageRenderer>>(why); }};
}

class image_renderer : public testing::Test {
protected:
    static void SetUpTestSuite() {
        add_renderer(renderer_flat());
        add_renderer(renderer_broken());
    }
    Result<void> render_with(const std::string& renderer, const Listener& listener = {}) {
        Result<Session> session =
            Session::open("pendulum", {.overrides = {"camera.eye=[0.5, 1.5, 2.5]"}});
        EXPECT_TRUE(session) << session.error().text();
        RenderOptions options;
        options.output = output_;
        options.frames = 1;
        options.width = 32;
        options.height = 24;
        options.renderer = renderer;
        return render(*session, options, listener);
    }

    TempFolder folder_;
    std::string output_ = (folder_ / "image.png").string();
};

void expect_flat(const std::string& path, int width, int height) {
    const Result<Image> image = read_image(path);
    ASSERT_TRUE(image) << image.error().text();
    EXPECT_EQ(image->width, width);
    EXPECT_EQ(image->height, height);
    for (std::size_t i = 0; i < image->rgba.size(); ++i)
        ASSERT_EQ(image->rgba[i], kColour[i % 4]) << "byte " << i;
}

TEST_F(image_renderer, of_a_program_draws_the_frames_of_a_job) {
    std::vector<std::string> log;
    Listener listener;
    listener.log = [&](std::string_view sentence) { log.emplace_back(sentence); };
    const Result<void> done = render_with("flat", listener);
    ASSERT_TRUE(done) << done.error().text();
    expect_flat(output_, 32, 24);
    EXPECT_EQ(RendererFlat::last_strand_count, 1);
    EXPECT_EQ(RendererFlat::last_eye.y, 1.5f);
    ASSERT_GE(log.size(), 2u);
    EXPECT_NE(log[log.size() - 2].find("one colour"), std::string::npos);
    EXPECT_EQ(log.back(), "one colour is not much");
}

TEST_F(image_renderer, of_a_program_draws_a_contact_sheet) {
    const Result<void> done = contact_sheet(
        {.scenes = {"pendulum"}, .output = output_, .columns = 1, .renderer = "flat"}, {}, {});
    ASSERT_TRUE(done) << done.error().text();
    expect_flat(output_, 600, 340);
}

TEST_F(image_renderer, that_is_unknown_gives_an_error_with_the_names_of_the_others) {
    for (const Result<void>& result : {render_with("trac"), check_renderer("trac")}) {
        ASSERT_FALSE(result);
        for (const char* part : {"\"trac\"", "gl, trace, flat, broken"})
            EXPECT_NE(result.error().text().find(part), std::string::npos) << result.error().text();
    }
    EXPECT_FALSE(std::filesystem::exists(output_));
}

TEST_F(image_renderer, that_cannot_run_gives_the_cause) {
    for (const Result<void>& result : {render_with("broken"), check_renderer("broken")}) {
        ASSERT_FALSE(result);
        EXPECT_NE(result.error().text().find("no accelerator"), std::string::npos);
    }
    EXPECT_TRUE(check_renderer("flat"));
}

TEST_F(image_renderer, stops_in_the_middle_of_an_image) {
    Listener listener;
    int calls = 0;
    listener.progress = [&](std::string_view, int, int) { return ++calls < 3; };
    const Result<void> done = render_with("flat", listener);
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().text().find("stopped"), std::string::npos) << done.error().text();
    EXPECT_EQ(calls, 3) << "before the frame, at its start, at its half";
    EXPECT_FALSE(std::filesystem::exists(output_));
}

TEST_F(image_renderer, of_options_is_the_first_in_the_build) {
    EXPECT_EQ(builtin_renderers().front().name, RenderOptions{}.renderer);
    EXPECT_EQ(renderer_names().front(), SheetOptions{}.renderer);
}

class image_renderer_gl : public PictureTest {};

TEST_F(image_renderer_gl, gives_the_bytes_of_the_interactive_renderer) {
    const Mesh mesh = ball(0.2f, {0.7f, 0.5f, 0.4f});
    Picture picture;
    picture.meshes = {{&mesh, {}}};
    const Image direct = draw(picture, 64, 48);
    {
        const Result<std::unique_ptr<ImageRenderer>> gl = create_renderer("gl");
        ASSERT_TRUE(gl) << gl.error().text();
        EXPECT_NE((*gl)->description().find(context_->description()), std::string::npos);
        const Result<Image> image = (*gl)->render(picture, 64, 48, {});
        ASSERT_TRUE(image) << image.error().text();
        EXPECT_EQ(image->rgba, direct.rgba);
        EXPECT_FALSE((*gl)->render(picture, 0, 48, {}));
        EXPECT_TRUE((*gl)->warnings().empty());
    }
    ASSERT_TRUE(context_->make_current());
}

}  // namespace
}  // namespace ringlet
