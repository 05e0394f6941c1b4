// Times the transfer of strands simulated on a GPU to OpenGL on the same GPU, directly and through
// the host:
//   time_from_device STRANDS VERTICES [GUIDES]
// `show` interpolates between two steps and computes children; `upload` is the renderer's pass that
// reads them. Each pass is completed before the next begins.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "render_gl/offscreen.h"
#include "render_gl/renderer.h"
#include "session/draw.h"
#include "session/live/session_impl.h"
#include "strand/device_positions.h"

namespace {

using namespace ringlet;

constexpr int kFrames = 12;

double now_ms() {
    return std::chrono::duration<double, std::milli>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// Wraps the device so that OpenGL cannot access its positions directly.
class UnsharedPositions final : public DevicePositions {
public:
    explicit UnsharedPositions(DevicePositions& real) : real_(real) {}
    std::unique_ptr<DeviceTarget> open_target(unsigned) override { return nullptr; }
    bool write_to(DeviceTarget&) override { return false; }
    void survey(float reach, int stride, StrandSurvey& out) override {
        real_.survey(reach, stride, out);
    }
    void fetch() override { real_.fetch(); }

private:
    DevicePositions& real_;
};

void time_path(Session& session, RendererGl& renderer, bool direct) {
    std::vector<double> show, upload, frame_ms;
    Session::Impl& impl = session.impl();
    Actor& actor = impl.actors.front();
    for (int frame = 0; frame < kFrames; ++frame) {
        impl.advance_to(impl.time() + 1e-3);
        actor.simulation().device()->finish();
        const double start = now_ms();
        impl.advance_to(impl.time() - 0.5 * static_cast<double>(impl.scene.sim.dt));
        actor.simulation().device()->finish();
        show.push_back(now_ms() - start);
        Picture picture = picture_of(session);
        UnsharedPositions unshared(*picture.strands.on_device);
        if (!direct) picture.strands.on_device = &unshared;
        const double begin = now_ms();
        const Result<Image> image = renderer.draw_to_image(picture, 640, 480);
        if (!image) std::printf("  %s\n", image.error().text().c_str());
        frame_ms.push_back(now_ms() - begin);
        for (const PassTime& pass : renderer.pass_times())
            if (frame > kFrames / 2 && std::string(pass.name) == "upload")
                upload.push_back(pass.cpu_ms);
    }
    frame_ms.erase(frame_ms.begin(), frame_ms.begin() + kFrames / 2);
    show.erase(show.begin(), show.begin() + kFrames / 2);
    std::printf("  %-16s show %8.2f ms, upload %8.2f ms, picture %8.2f ms%s\n",
                direct ? "direct" : "through the host", median(show), median(upload),
                median(frame_ms),
                renderer.drew_from_device() == direct ? "" : "  (used the other path)");
}

int run(int argc, char** argv) {
    const std::string strands = argc > 1 ? argv[1] : "100000", vertices = argc > 2 ? argv[2] : "32";
    const std::string guides = argc > 3 ? argv[3] : "0";
    const Result<OffscreenContext> context = OffscreenContext::create();
    if (!context) {
        std::printf("%s\n", context.error().text().c_str());
        return 1;
    }
    Result<Session> session = Session::open(
        "curls", {.overrides = {"groom.strands=" + strands, "groom.vertices=" + vertices,
                                "groom.guides=" + guides, "sim.model=ftl", "record.settle=0"},
                  .backend = Backend::cuda});
    if (!session) {
        std::printf("%s\n", session.error().text().c_str());
        return 1;
    }
    std::printf("%s strands x %s, %s guides, %s\n", strands.c_str(), vertices.c_str(),
                guides.c_str(), context->description().c_str());
    for (const bool direct : {true, false}) {
        Result<RendererGl> renderer = RendererGl::create();
        if (!renderer) {
            std::printf("%s\n", renderer.error().text().c_str());
            return 1;
        }
        renderer->wait_for_passes(true);
        time_path(*session, *renderer, direct);
        for (const std::string& message : renderer->messages())
            std::printf("  driver: %s\n", message.c_str());
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv); }
