#include "ringlet/jobs.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "base/files.h"
#include "io/groom_file.h"
#include "io/image/image_file.h"
#include "render_gl/offscreen.h"
#include "render_gl/renderer.h"
#include "session/draw.h"
#include "session/frame_sink.h"
#include "session/live/session_impl.h"
#include "strand/resample.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

constexpr const char* kGroomFiles = ".hair, .tfx, .data, .bin, .ply or .obj";

bool is_folder(const std::string& output) { return output.ends_with('/'); }

std::string extension(const std::string& output) { return fs::path(output).extension().string(); }

Error cannot_write(const std::string& output, const std::string& known) {
    return Error{"unknown kind of file; give " + known, output};
}

Error stopped() { return Error{"stopped"}; }

// All strands as they are now, children included.
Result<void> write_present(Session& session, const fs::path& path) {
    Session::Impl& parts = session.impl();
    Channel<3> all;
    const StrandView strands = parts.present_strands(all);
    return write_groom(path, strands, parts.groom().root_uv, "ringlet " + parts.scene.name);
}

}  // namespace

Result<void> check_output(const std::string& output, OutputKind kind) {
    const bool folder = is_folder(output), strands = is_groom_file(output);
    const std::string end = extension(output);
    const bool picture = end == ".mp4" || end == ".png" || end == ".bmp";
    if (kind == OutputKind::frames && !folder && !picture)
        return cannot_write(output, ".mp4, .png, .bmp, or a folder ending in /");
    if (kind == OutputKind::strands && !strands) return cannot_write(output, kGroomFiles);
    if (kind == OutputKind::strands_or_folder && !folder && !strands)
        return cannot_write(output, std::string(kGroomFiles) + ", or a folder ending in /");
    return {};
}

Result<void> write_report(const std::string& path, const Report& report) {
    return write_file(path, report.to_json());
}

Result<Report> simulate(Session& session, const SimulateOptions& options,
                        const Listener& listener) {
    const bool each_frame = is_folder(options.output);
    if (!options.output.empty()) {
        const Result<void> known = check_output(options.output, OutputKind::strands_or_folder);
        if (!known) return known.error();
    }
    const Session::Impl& parts = session.impl();
    const int frames =
        options.frames > 0
            ? options.frames
            : static_cast<int>(std::lround(parts.scene.record.duration / parts.scene.sim.dt));
    for (int frame = 0; frame < frames; ++frame) {
        if (!listener.proceed("simulating", frame, frames)) return stopped();
        session.step();
        if (!each_frame) continue;
        const Result<void> done = write_present(
            session, fs::path(options.output) / fmt::format("frame{:04}.hair", frame));
        if (!done) return done.error();
    }
    listener.proceed("simulating", frames, frames);
    if (!options.output.empty() && !each_frame) {
        const Result<void> done = write_present(session, options.output);
        if (!done) return done.error();
    }
    return session.report();
}

Result<void> render(Session& session, const RenderOptions& options, const Listener& listener) {
    Session::Impl& parts = session.impl();
    const Record& record = parts.scene.record;
    const double fps = options.fps > 0 ? options.fps : static_cast<double>(record.fps);
    const int width = options.width > 0 ? options.width : record.width;
    const int height = options.height > 0 ? options.height : record.height;
    const int frames = options.frames > 0
                           ? options.frames
                           : std::max(1, static_cast<int>(std::lround(record.duration * fps)));

    Result<FrameSink> sink = FrameSink::open(options.output, width, height, fps);
    if (!sink) return sink.error();
    const Result<OffscreenContext> context = OffscreenContext::create();
    if (!context) return context.error();
    Result<RendererGl> renderer = RendererGl::create();
    if (!renderer) return renderer.error();
    listener.notify("drawing with " + context->description());

    const int still_frame = std::min(frames - 1, static_cast<int>(options.still_time * fps));
    for (int frame = 0; frame < frames; ++frame) {
        if (!listener.proceed("rendering", frame, frames)) return stopped();
        parts.advance_to(frame / fps);
        const bool still = !options.still.empty() && frame == still_frame;
        if (!still && !sink->wants(frame, frames)) continue;
        const Result<Image> image = renderer->draw_to_image(picture_of(session), width, height);
        if (!image) return image.error();
        Result<void> done = sink->wants(frame, frames) ? sink->add(*image, frame) : Result<void>();
        if (done && still) done = write_image(options.still, *image);
        if (!done) return done;
    }
    listener.proceed("rendering", frames, frames);
    for (const std::string& message : renderer->messages()) listener.notify("OpenGL: " + message);
    return sink->finish();
}

Result<void> save_groom(Session& session, const std::string& output) {
    Result<void> known = check_output(output, OutputKind::strands);
    if (!known) return known;
    Session::Impl& parts = session.impl();
    Channel<3> all;
    const StrandView strands = parts.rest_strands(all);
    return write_groom(output, strands, parts.groom().root_uv, "ringlet groom " + parts.scene.name);
}

Result<void> convert(const std::string& input, const std::string& output,
                     const ConvertOptions& options) {
    for (const std::string& path : {input, output}) {
        Result<void> known = check_output(path, OutputKind::strands);
        if (!known) return known;
    }
    Result<StrandSet> strands = read_groom(input, {options.scale, options.z_up});
    if (!strands) return strands.error();
    if (options.vertices >= 2) *strands = resample(*strands, options.vertices);
    return write_groom(output, *strands, "ringlet convert");
}

}  // namespace ringlet
