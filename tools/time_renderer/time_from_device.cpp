// Times how displayed strands reach OpenGL, without the host and through it:
//   time_from_device STRANDS VERTICES [GUIDES] [cpu]
// By default CUDA simulates: positions are copied within the GPU or through the host. With `cpu`, a
// shader or the CPU computes children. `show` interpolates between two steps; `upload` is the
// renderer's pass that reads or computes the positions. Children are part of `show` with CUDA, and
// of `upload` otherwise. Each part of a pass is completed before the next begins.
//   time_from_device --rate STRANDS VERTICES [GUIDES]
// simulates and draws rods at 1920 x 1080, with the hair and the bust of `ringlet bench` and
// hair-hair coupling, and prints frames per second.
#include <epoxy/gl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "render_gl/offscreen.h"
#include "render_gl/renderer.h"
#include "session/bench/bench_hair.h"
#include "session/draw.h"
#include "session/live/session_impl.h"
#include "strand/device_positions.h"

namespace {

using namespace ringlet;

constexpr int kFrames = 12;
constexpr int kRateFrames = 120, kRateWidth = 1920, kRateHeight = 1080;

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
    std::vector<double> show, frame_ms;
    std::map<std::string, std::vector<double>> upload;  // by part
    Session::Impl& impl = session.impl();
    Device* const device = impl.actors.front().live.device();
    const auto finish = [device] {
        if (device) device->finish();
    };
    if (!device) renderer.compute_children(direct);
    for (int frame = 0; frame < kFrames; ++frame) {
        impl.advance_to(impl.time() + 1e-3);
        finish();
        const double start = now_ms();
        impl.advance_to(impl.time() - 0.5 * static_cast<double>(impl.scene.sim.dt));
        finish();
        show.push_back(now_ms() - start);
        Picture picture = picture_of(session);
        std::optional<UnsharedPositions> unshared;
        if (!direct && device)
            picture.strands.deferred = &unshared.emplace(*picture.strands.deferred->on_device());
        const double begin = now_ms();
        const Result<Image> image = renderer.draw_to_image(picture, 640, 480);
        if (!image) std::printf("  %s\n", image.error().text().c_str());
        frame_ms.push_back(now_ms() - begin);
        for (const PassTime& pass : renderer.pass_times())
            if (frame > kFrames / 2 && std::string(pass.name).starts_with("upload"))
                upload[pass.name].push_back(pass.cpu_ms);
    }
    frame_ms.erase(frame_ms.begin(), frame_ms.begin() + kFrames / 2);
    show.erase(show.begin(), show.begin() + kFrames / 2);
    const bool is_direct = device ? renderer.drew_from_device() : renderer.drew_computed_children();
    double sum = 0;
    for (const auto& [part, times] : upload) sum += median(times);
    std::printf("  %-16s show %8.2f ms, upload %8.2f ms, picture %8.2f ms%s\n",
                direct ? "direct" : "through the host", median(show), sum, median(frame_ms),
                is_direct == direct ? "" : "  (used the other path)");
    for (const auto& [part, times] : upload)
        std::printf("    %-18s %8.2f ms\n", part.c_str(), median(times));
}

unsigned make_target() {
    GLuint colour = 0, target = 0;
    glCreateTextures(GL_TEXTURE_2D, 1, &colour);
    glTextureStorage2D(colour, 1, GL_RGBA8, kRateWidth, kRateHeight);
    glCreateFramebuffers(1, &target);
    glNamedFramebufferTexture(target, GL_COLOR_ATTACHMENT0, colour, 0);
    return target;
}

// Simulates and draws frame after frame, without waiting for any of them but the last. Prints the
// milliseconds per frame of both together and of their parts.
void time_rate(Session& session, RendererGl& renderer) {
    Session::Impl& impl = session.impl();
    const unsigned target = make_target();
    const double dt = static_cast<double>(impl.scene.sim.dt);
    const auto draw = [&] { renderer.draw(picture_of(session), kRateWidth, kRateHeight, target); };
    const auto ms_per_frame = [&](const auto& frame) {
        const double start = now_ms();
        for (int k = 0; k < kRateFrames; ++k) frame();
        glFinish();
        impl.actors.front().simulation().device()->finish();
        return (now_ms() - start) / kRateFrames;
    };
    const auto simulate_and_draw = [&] {
        impl.advance_to(impl.time() + dt);
        draw();
    };
    ms_per_frame(simulate_and_draw);  // allocates, and lets the hair move
    const double both = ms_per_frame(simulate_and_draw);
    std::printf("  simulated and drawn: %.2f ms per frame, %.1f frames per second\n", both,
                1000 / both);
    std::printf("  steps alone: %.2f ms\n", ms_per_frame([&] { impl.step(); }));
    Simulation& simulation = impl.actors.front().simulation();
    std::printf("  of that measuring: %.2f ms\n",
                ms_per_frame([&] { simulation.measure(impl.pool); }));
    std::printf("  display alone: %.2f ms\n",
                ms_per_frame([&] { impl.advance_to(impl.time() - 0.5 * dt); }));
    std::printf("  drawing alone: %.2f ms%s\n", ms_per_frame(draw),
                renderer.drew_from_device() ? "" : "  (through the host)");
    for (const PassTime& pass : renderer.pass_times())
        std::printf("    %-10s CPU %6.2f  GPU %6.3f ms\n", pass.name, pass.cpu_ms, pass.gpu_ms);
}

// Opens the scene of a measurement.
Result<Session> open_session(bool rate, const std::vector<std::string>& sizes) {
    std::vector<std::string> overrides =
        rate ? bench_overrides() : std::vector<std::string>{"record.settle=0"};
    for (const std::string& more :
         {"groom.strands=" + sizes[0], "groom.vertices=" + sizes[1], "groom.guides=" + sizes[2],
          std::string(rate ? "sim.model=rod" : "sim.model=ftl")})
        overrides.push_back(more);
    if (rate)
        overrides.insert(overrides.end(),
                         {"hair_hair.friction=5", "hair_hair.repulsion=2", "hair_hair.volume=4",
                          "sim.rod.solves=1", "head.motion=shake", "head.key=[]"});
    const bool on_cpu = !rate && sizes.size() > 3 && sizes[3] == "cpu";
    return Session::open(
        "curls", {.overrides = overrides, .backend = on_cpu ? Backend::cpu : Backend::cuda});
}

int run(std::vector<std::string> words) {
    const bool rate = !words.empty() && words[0] == "--rate";
    if (rate) words.erase(words.begin());
    const std::vector<std::string> defaults{"100000", "32", "0"};
    for (std::size_t i = words.size(); i < defaults.size(); ++i) words.push_back(defaults[i]);
    const Result<OffscreenContext> context = OffscreenContext::create();
    if (!context) {
        std::printf("%s\n", context.error().text().c_str());
        return 1;
    }
    Result<Session> session = open_session(rate, words);
    if (!session) {
        std::printf("%s\n", session.error().text().c_str());
        return 1;
    }
    std::printf("%s strands x %s, %s guides, %s\n", words[0].c_str(), words[1].c_str(),
                words[2].c_str(), context->description().c_str());
    for (const bool direct : {true, false}) {
        if (rate && !direct) break;
        Result<RendererGl> renderer = RendererGl::create();
        if (!renderer) {
            std::printf("%s\n", renderer.error().text().c_str());
            return 1;
        }
        renderer->wait_for_passes(!rate);
        renderer->time_parts(!rate);
        if (rate)
            time_rate(*session, *renderer);
        else
            time_path(*session, *renderer, direct);
        for (const std::string& message : renderer->messages())
            std::printf("  driver: %s\n", message.c_str());
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) { return run({argv + 1, argv + argc}); }
