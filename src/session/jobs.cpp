#include "ringlet/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/files.h"
#include "io/groom_file.h"
#include "io/image/image_file.h"
#include "io/strand_checks.h"
#include "session/boundary.h"
#include "session/draw.h"
#include "session/frame_sink.h"
#include "session/live/session_impl.h"
#include "session/renderers.h"
#include "strand/resample.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

Error cannot_write(const std::string& output, const std::string& known) {
    return Error{"unknown kind of file; give " + known, output};
}

// The frames of a job, counted as their files are complete.
struct FrameCount {
    int complete = 0, total = 0;

    Error stopped(const std::string& output) const {
        const std::string text = fmt::format("stopped after {} of {} frames", complete, total);
        if (output.empty()) return Error{text};
        if (!is_folder(output)) return Error{text + "; not written", output};
        return Error{text + (complete > 0 ? "; their files are kept" : ""), output};
    }
};

// The warnings that arose since the scene was loaded.
void notify_of_run(const Session& session, const Report& report, const Listener& listener) {
    const std::vector<Warning>& known = session.impl().messages.warnings;
    for (const Warning& warning : report.warnings)
        if (std::ranges::find(known, warning) == known.end()) listener.notify_of(warning);
}

// Writes all strands after the last step, children included.
Result<void> write_current_strands(Session& session, const fs::path& path) {
    Session::Impl& impl = session.impl();
    const Strands strands = impl.strands(When::now);
    return write_groom(path, impl.view(strands), {impl.root_uv(), "ringlet " + impl.scene.name});
}

}  // namespace

Result<void> check_output(const std::string& output, OutputKind kind) try {
    const bool folder = is_folder(output), strands = is_groom_file(output);
    if (kind == OutputKind::frames && !folder && !is_video_file(output) && !is_image_file(output))
        return cannot_write(output, list_extensions(frame_formats()) + ", or a folder ending in /");
    if (kind == OutputKind::strands && !strands) return cannot_write(output, groom_extensions());
    if (kind == OutputKind::strands_or_folder && !folder && !strands)
        return cannot_write(output, groom_extensions() + ", or a folder ending in /");
    return check_writable(output);
} catch (...) {
    return error_from_exception();
}

Result<void> write_report(const std::string& path, const Report& report) try {
    return write_file(path, report.to_json());
} catch (...) {
    return error_from_exception();
}

namespace {

Result<void> simulate_frames(Session& session, const std::string& output, FrameCount& frames,
                             const Listener& listener) {
    for (int frame = 0; frame < frames.total; ++frame) {
        if (!listener.proceed("simulating", frame, frames.total)) return frames.stopped(output);
        session.step();
        if (is_folder(output)) {
            Result<void> done = write_current_strands(
                session, fs::path(output) / fmt::format("frame{:04}.hair", frame));
            if (!done) return done;
        }
        ++frames.complete;
    }
    listener.proceed("simulating", frames.total, frames.total);
    return output.empty() || is_folder(output) ? Result<void>()
                                               : write_current_strands(session, output);
}

}  // namespace

Result<Report> simulate(Session& session, const SimulateOptions& options,
                        const Listener& listener) {
    FrameCount frames;
    try {
        if (!options.output.empty()) {
            const Result<void> known = check_output(options.output, OutputKind::strands_or_folder);
            if (!known) return known.error();
        }
        const Scene& scene = session.impl().scene;
        frames.total = options.frames > 0
                           ? options.frames
                           : static_cast<int>(std::lround(scene.record.duration / scene.sim.dt));
        const StopScope stop(session.impl().pool, listener);
        const Result<void> done = simulate_frames(session, options.output, frames, listener);
        if (!done) return done.error();
        Report report = session.report();
        notify_of_run(session, report, listener);
        return report;
    } catch (const Stopped&) {
        return frames.stopped(options.output);
    } catch (...) {
        return error_from_exception();
    }
}

namespace {

// The options of a render job, with the scene's values where they are 0.
struct FrameSettings {
    int width, height;
    double fps;

    FrameSettings(const RenderOptions& options, const Record& record)
        : width(options.width > 0 ? options.width : record.width),
          height(options.height > 0 ? options.height : record.height),
          fps(options.fps > 0 ? options.fps : static_cast<double>(record.fps)) {}
};

Result<void> render_frames(Session& session, const RenderOptions& options, FrameCount& frames,
                           const Listener& listener) {
    const FrameSettings settings(options, session.impl().scene.record);
    Result<FrameSink> sink =
        FrameSink::open(options.output, settings.width, settings.height, settings.fps);
    if (!sink) return sink.error();
    const Result<std::unique_ptr<ImageRenderer>> created = create_renderer(options.renderer);
    if (!created) return created.error();
    ImageRenderer& renderer = **created;
    listener.notify("drawing with " + renderer.description());

    const int still_frame =
        std::min(frames.total - 1, static_cast<int>(options.still_time * settings.fps));
    for (int frame = 0; frame < frames.total; ++frame) {
        bool stopped = false;
        const auto proceed = [&] {
            stopped = stopped || !listener.proceed("rendering", frame, frames.total);
            return !stopped;
        };
        if (!proceed()) return frames.stopped(options.output);
        session.impl().advance_to(frame / settings.fps);
        const bool still = !options.still.empty() && frame == still_frame;
        const bool wanted = sink->wants(frame, frames.total);
        const auto draw = [&](bool in_full) {
            Picture picture = picture_of(session);
            if (!in_full && options.frame_strands > 0)
                picture.settings.strands = options.frame_strands;
            return renderer.render(picture, settings.width, settings.height,
                                   [&](float) { return proceed(); });
        };
        for (const bool in_full : {true, false}) {
            if (in_full ? !still : !wanted) continue;
            const Result<Image> image = draw(in_full);
            if (stopped) return frames.stopped(options.output);
            if (!image) return image.error();
            const Result<void> done =
                in_full ? write_image(options.still, *image) : sink->add(*image, frame);
            if (!done) return done;
        }
        ++frames.complete;
    }
    listener.proceed("rendering", frames.total, frames.total);
    for (const std::string& warning : renderer.warnings()) listener.notify(warning);
    notify_of_run(session, session.report(), listener);
    return sink->finish();
}

}  // namespace

Result<void> render(Session& session, const RenderOptions& options, const Listener& listener) {
    FrameCount frames;
    try {
        const Record& record = session.impl().scene.record;
        const double fps = FrameSettings(options, record).fps;
        frames.total = options.frames > 0
                           ? options.frames
                           : std::max(1, static_cast<int>(std::lround(record.duration * fps)));
        const StopScope stop(session.impl().pool, listener);
        return render_frames(session, options, frames, listener);
    } catch (const Stopped&) {
        return frames.stopped(options.output);
    } catch (...) {
        return error_from_exception();
    }
}

Result<void> save_groom(Session& session, const std::string& output) try {
    Result<void> known = check_output(output, OutputKind::strands);
    if (!known) return known;
    Session::Impl& impl = session.impl();
    const Strands strands = impl.strands(When::at_rest);
    return write_groom(output, impl.view(strands),
                       {impl.root_uv(), "ringlet groom " + impl.scene.name});
} catch (...) {
    return error_from_exception();
}

namespace {

// Describes the thickness or colour that the output format stores and the input does not have, or
// returns an empty text.
std::string missing_appearance(const StrandSet& strands, const fs::path& output) {
    const unsigned stores = groom_format_of(output)->stores;
    const StrandView view = view_of(strands);
    const bool colour = (stores & kStoresColour) && !has_colour(view);
    const bool radius = (stores & kStoresRadius) && !has_radius(view);
    if (!colour && !radius) return {};
    const std::string what = colour && radius ? "colour or thickness"
                             : colour         ? "colour"
                                              : "thickness";
    return "has no " + what + "; readers of " + output.filename().string() + " use defaults";
}

}  // namespace

Result<void> convert(const std::string& input, const std::string& output,
                     const ConvertOptions& options, const Listener& listener) try {
    Result<void> known = check_output(output, OutputKind::strands);
    if (!known) return known;
    std::error_code ignored;
    if (fs::equivalent(input, output, ignored))
        return Error{"is also the input; name another file", output};
    Result<StrandSet> strands = read_groom(input, {options.scale, options.z_up});
    if (!strands) return strands.error();
    if (options.vertices >= 2) *strands = resample(*strands, options.vertices);
    if (!listener.proceed("converting", 0, 1)) return Error{"stopped; not written", output};
    if (const std::string missing = missing_appearance(*strands, output); !missing.empty())
        listener.notify(input + ": " + missing);
    return write_groom(output, *strands, "ringlet convert");
} catch (...) {
    return error_from_exception();
}

}  // namespace ringlet
