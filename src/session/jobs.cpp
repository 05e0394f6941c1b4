#include "ringlet/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>

#include "base/files.h"
#include "io/groom_file.h"
#include "io/image/exr.h"
#include "io/image/image_file.h"
#include "io/strand_checks.h"
#include "session/boundary.h"
#include "session/draw.h"
#include "session/frame_sink.h"
#include "session/live/session_impl.h"
#include "session/renderers.h"
#include "session/run_checkpoints.h"
#include "session/shot.h"
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
    bool keeps_frames = false;  // of a shot with a file per frame

    Error stopped(const std::string& output) const {
        std::string text = fmt::format("stopped after {} of {} frames", complete, total);
        const bool has_files = is_folder(output) || (keeps_frames && complete > 0);
        if (!output.empty() && !has_files) text += "; not written";
        if (!output.empty() && has_files && complete > 0) text += "; their files are kept";
        return output.empty() ? Error{text} : Error{text, output};
    }
};

// The error with the way to continue the run.
Error resumable(Error error, const std::optional<RunCheckpoints>& checkpoints) {
    if (checkpoints && checkpoints->saved_frame() >= 0)
        error.message +=
            fmt::format("; --resume continues at frame {}", checkpoints->saved_frame());
    else if (checkpoints && checkpoints->has_image())
        error.message += "; --resume continues the unfinished image";
    return error;
}

// The report of a run that is complete. Tells the listener the warnings that arose since the scene
// was loaded, and what several ranks have exchanged.
Report report_of_run(Session& session, const Listener& listener) {
    Session::Impl& impl = session.impl();
    if (const std::string text = impl.describe_exchange(); !text.empty()) listener.notify(text);
    impl.collect_state();
    Report report = impl.report();
    const std::vector<Warning>& known = impl.messages.warnings;
    for (const Warning& warning : report.warnings)
        if (std::ranges::find(known, warning) == known.end()) listener.notify_of(warning);
    return report;
}

// Writes all strands after the last step, children included.
Result<void> write_current_strands(Session& session, const fs::path& path) {
    Session::Impl& impl = session.impl();
    impl.collect_positions();
    const Strands strands = impl.strands(When::now);
    return write_groom(path, impl.view(strands), {impl.root_uv(), "ringlet " + impl.scene.name});
}

}  // namespace

Result<void> check_output(const std::string& output, OutputKind kind) try {
    const bool folder = is_folder(output), strands = is_groom_file(output);
    if (kind == OutputKind::frames && !folder && !is_video_file(output) && !is_image_file(output) &&
        !is_exr_file(output))
        return cannot_write(output, list_extensions(frame_formats()) + ", or a folder ending in /");
    const ShotFormat* const shot = shot_format_of(output);
    if (kind == OutputKind::strands && !strands) return cannot_write(output, groom_extensions());
    if (kind == OutputKind::strands_or_folder && !folder && !strands && !shot)
        return cannot_write(output, groom_extensions() + ", or a folder ending in /");
    Result<void> writable = check_writable(output);
    if (!writable || !shot || !shot->check || kind == OutputKind::text) return writable;
    const Result<void> ready = shot->check();
    return ready ? writable : Error{ready.error().message, output};
} catch (...) {
    return error_from_exception();
}

bool is_helper_rank() { return is_helper(); }

Result<void> help_first_rank(Session& session) try {
    session.impl().help_first_rank();
    return {};
} catch (...) {
    return error_from_exception();
}

Result<void> write_report(const std::string& path, const Report& report) try {
    return write_file(path, report.to_json());
} catch (...) {
    return error_from_exception();
}

namespace {

std::string step_name(int step) { return fmt::format("frame{:04}.hair", step); }

Result<void> simulate_frames(Session& session, const std::string& output, FrameCount& frames,
                             RunCheckpoints& checkpoints, const Listener& listener) {
    const Result<int> first = checkpoints.begin([&](const OutputStart& start) -> Result<void> {
        if (!is_folder(output)) return {};
        return check_numbered_files(output, start.next_frame, step_name);
    });
    if (!first) return first.error();
    frames.complete = *first;
    for (int frame = *first; frame < frames.total; ++frame) {
        if (!listener.proceed("simulating", frame, frames.total)) return frames.stopped(output);
        session.impl().step();
        if (is_folder(output)) {
            Result<void> done = write_current_strands(session, fs::path(output) / step_name(frame));
            if (!done) return done;
        }
        ++frames.complete;
        if (frames.complete < frames.total) checkpoints.save_if_due(frames.complete, {});
    }
    listener.proceed("simulating", frames.total, frames.total);
    return output.empty() || is_folder(output) ? Result<void>()
                                               : write_current_strands(session, output);
}

// Frames before the first one are simulated, but not written.
Result<void> simulate_shot(Session& session, const SimulateOptions& options, FrameCount& frames,
                           RunCheckpoints& checkpoints, const Listener& listener) {
    const int first = options.first_frame, count = frames.total;
    std::unique_ptr<ShotRecorder> recorder;
    const Result<int> begun = checkpoints.begin(
        [&](const OutputStart& start) -> Result<void> {
            recorder.reset();
            Result<std::unique_ptr<ShotRecorder>> opened =
                ShotRecorder::open(session, options.output, options.shot, first, count, start);
            if (!opened) return opened.error();
            recorder = std::move(*opened);
            return {};
        },
        first);
    if (!begun) return begun.error();
    ShotWriter& writer = recorder->writer();
    frames.keeps_frames = writer.keeps_frames();
    frames.complete = std::max(0, *begun - first);
    const double fps = static_cast<double>(session.impl().scene.record.fps);
    for (int frame = *begun; frame < first + count; ++frame) {
        if (!listener.proceed("simulating", frame, first + count))
            return frames.stopped(options.output);
        session.impl().advance_to(frame / fps);
        if (frame >= first) {
            Result<void> done = recorder->add(frame);
            if (!done) return done;
            ++frames.complete;
        }
        if (frame + 1 < first + count)
            checkpoints.save_if_due(frame + 1, {[&] { return writer.save_progress(); },
                                                [&] { writer.keep_unfinished(); }});
    }
    listener.proceed("simulating", first + count, first + count);
    Result<void> done = recorder->finish();
    if (done && !writer.remark().empty()) listener.notify(options.output + ": " + writer.remark());
    return done;
}

// The options on which the result of a simulation depends.
RunFacts facts_of(const SimulateOptions& options, int frames) {
    return {{"the command", "simulate"},
            {"-o", fs::path(options.output).extension().string()},
            {"--frames", std::to_string(frames)},
            {"--range", std::to_string(options.first_frame)},
            {"--for", options.shot.target == ShotTarget::unreal ? "unreal" : "any program"},
            {"--linear", options.shot.linear ? "on" : "off"},
            {"--no-velocities", options.shot.velocities ? "off" : "on"}};
}

// The number of frames of a shot or, without one, of steps.
int frame_total(const SimulateOptions& options, const Scene& scene) {
    if (options.frames > 0) return options.frames;
    const double duration = static_cast<double>(scene.record.duration);
    if (!shot_format_of(options.output))
        return static_cast<int>(std::lround(duration / static_cast<double>(scene.sim.dt)));
    const long long last = std::lround(duration * static_cast<double>(scene.record.fps));
    return static_cast<int>(std::max(1LL, last - options.first_frame));
}

}  // namespace

Result<Report> simulate(Session& session, const SimulateOptions& options,
                        const Listener& listener) {
    FrameCount frames;
    std::optional<RunCheckpoints> checkpoints;
    try {
        const HelpScope help(session.impl());
        if (const Result<void> fine = session.status(); !fine) return fine.error();
        if (!options.output.empty()) {
            const Result<void> known = check_output(options.output, OutputKind::strands_or_folder);
            if (!known) return known.error();
        }
        frames.total = frame_total(options, session.impl().scene);
        checkpoints.emplace(session, options.checkpoint, options.output,
                            facts_of(options, frames.total), listener);
        const StopScope stop(session.impl().pool, listener);
        const Result<void> done =
            shot_format_of(options.output)
                ? simulate_shot(session, options, frames, *checkpoints, listener)
                : simulate_frames(session, options.output, frames, *checkpoints, listener);
        if (!done) return resumable(done.error(), checkpoints);
        checkpoints->finish();
        Report report = report_of_run(session, listener);
        report.resumed_from_frame = checkpoints->resumed_from();
        for (const Warning& warning : checkpoints->warnings()) report.warnings.push_back(warning);
        return report;
    } catch (const Stopped&) {
        return resumable(frames.stopped(options.output), checkpoints);
    } catch (...) {
        return *(session.impl().failure = error_from_exception());
    }
}

namespace {

// The camera after it has turned about the vertical axis through its target.
Camera orbited(Camera camera, double degrees) {
    const float angle = static_cast<float>(std::fmod(degrees, 360.0)) * kPi / 180;
    const Quatf turn = quat_from_axis_angle(Vec3f{0, 1, 0}, angle);
    camera.eye = camera.target + rotate(turn, camera.eye - camera.target);
    return camera;
}

// The options of a render job, with the scene's values where they are 0.
struct FrameSettings {
    int width, height;
    double fps;

    FrameSettings(const RenderOptions& options, const Record& record)
        : width(options.width > 0 ? options.width : record.width),
          height(options.height > 0 ? options.height : record.height),
          fps(options.fps > 0 ? options.fps : static_cast<double>(record.fps)) {}
};

// Tells the listener every ten seconds how far a slow image is.
class ImageNote {
public:
    ImageNote(const Listener& listener, int frame) : listener_(&listener), frame_(frame) {}

    void add(float share, std::string_view state) {
        const Clock::time_point now = Clock::now();
        if (state.empty() || now - last_ < std::chrono::seconds(10)) return;
        last_ = now;
        const double seconds = std::chrono::duration<double>(now - start_).count();
        const double left = share > 0 ? seconds * (1 / static_cast<double>(share) - 1) : 0;
        listener_->notify(fmt::format("frame {}: {}, at most {:.0f} s left", frame_, state, left));
    }

private:
    using Clock = std::chrono::steady_clock;
    const Listener* listener_;
    int frame_;
    Clock::time_point start_ = Clock::now(), last_ = start_;
};

// The camera and the strands of one image of a job. `in_full` draws all strands.
Picture picture_at(const Session& session, const RenderOptions& options, double time, bool in_full,
                   std::shared_ptr<const OpenShutter> opened) {
    Picture picture = picture_of(session);
    picture.open_shutter = std::move(opened);
    const double orbit = static_cast<double>(session.impl().scene.record.orbit);
    if (orbit != 0) picture.camera = orbited(picture.camera, orbit * time);
    if (!in_full && options.frame_strands > 0) picture.settings.strands = options.frame_strands;
    return picture;
}

// Advances to the frame at `time`. Returns the moment at which its shutter opens; null if the image
// is not blurred.
std::shared_ptr<const OpenShutter> advance_to_frame(Session& session, const RenderOptions& options,
                                                    double time, double fps, bool may_blur) {
    const double open = static_cast<double>(session.impl().scene.render.shutter) / fps;
    std::shared_ptr<const OpenShutter> opened;
    if (may_blur && open > 0 && time > 0) {
        session.impl().advance_to(time - open);
        opened = open_shutter_of(picture_at(session, options, time - open, true, nullptr));
    }
    session.impl().advance_to(time);
    return opened;
}

// The options on which the images depend.
RunFacts facts_of(const RenderOptions& options, const FrameSettings& settings, int frames) {
    return {{"the command", "render"},
            {"-o", fs::path(options.output).extension().string()},
            {"--frames", std::to_string(frames)},
            {"--size", fmt::format("{}x{}", settings.width, settings.height)},
            {"--fps", fmt::format("{}", settings.fps)},
            {"--renderer", options.renderer},
            {"the still", options.still.empty() ? "none" : fmt::format("{} s", options.still_time)},
            {"the number of strands", fmt::format("{}", options.frame_strands)}};
}

int still_frame_of(const RenderOptions& options, double fps, int frames) {
    return std::min(frames - 1, static_cast<int>(options.still_time * fps));
}

// Fails if the renderer cannot make the output.
Result<std::unique_ptr<ImageRenderer>> renderer_for(const RenderOptions& options) {
    Result<std::unique_ptr<ImageRenderer>> created = create_renderer(options.renderer);
    if (created && is_exr_file(options.output) && !(*created)->has_linear_image())
        return Error{"needs linear light, which the renderer " + options.renderer +
                         " does not give: use --renderer trace",
                     options.output};
    return created;
}

Result<void> render_frames(Session& session, const RenderOptions& options, FrameCount& frames,
                           RunCheckpoints& checkpoints, const Listener& listener) {
    const FrameSettings settings(options, session.impl().scene.record);
    std::optional<FrameSink> sink;
    const Result<int> first = checkpoints.begin([&](const OutputStart& start) -> Result<void> {
        sink.reset();
        Result<FrameSink> opened = FrameSink::open(options.output, settings.width, settings.height,
                                                   settings.fps, ".png", start);
        if (!opened) return opened.error();
        sink = std::move(*opened);
        session.impl().keep_previous();
        return {};
    });
    if (!first) return first.error();
    const Result<std::unique_ptr<ImageRenderer>> created = renderer_for(options);
    if (!created) return created.error();
    ImageRenderer& renderer = **created;
    listener.notify("drawing with " + renderer.description());

    const int still_frame = still_frame_of(options, settings.fps, frames.total);
    for (int frame = frames.complete = *first; frame < frames.total; ++frame) {
        bool stopped = false;
        const auto proceed = [&] {
            stopped = stopped || !listener.proceed("rendering", frame, frames.total);
            return !stopped;
        };
        if (!proceed()) return frames.stopped(options.output);
        const bool still = !options.still.empty() && frame == still_frame;
        const bool wanted = sink->wants(frame, frames.total);
        const double time = frame / settings.fps;
        const auto opened = advance_to_frame(session, options, time, settings.fps,
                                             renderer.blurs_motion() && (still || wanted));
        const auto continues = [&, note = ImageNote(listener, frame + 1)](
                                   float share, std::string_view state) mutable {
            note.add(share, state);
            return proceed();
        };
        for (const bool in_full : {true, false}) {
            if (in_full ? !still : !wanted) continue;
            renderer.set_store(checkpoints.image_store(frame, in_full ? "in full" : "as a frame"));
            const Result<Image> image =
                renderer.render(picture_at(session, options, time, in_full, opened), settings.width,
                                settings.height, continues);
            if (stopped) return frames.stopped(options.output);
            if (!image) return image.error();
            const Result<void> done = in_full ? write_image(options.still, *image)
                                              : sink->add(*image, frame, renderer.linear_image());
            if (!done) return done;
            checkpoints.finish_image();
        }
        ++frames.complete;
        if (frames.complete < frames.total)
            checkpoints.save_if_due(frames.complete, {[&] { return sink->save_progress(); },
                                                      [&] { sink->keep_unfinished(); }});
    }
    listener.proceed("rendering", frames.total, frames.total);
    for (const std::string& warning : renderer.warnings()) listener.notify(warning);
    report_of_run(session, listener);
    return sink->finish();
}

}  // namespace

Result<void> render(Session& session, const RenderOptions& options, const Listener& listener) {
    FrameCount frames;
    std::optional<RunCheckpoints> checkpoints;
    try {
        const HelpScope help(session.impl());
        if (const Result<void> fine = session.status(); !fine) return fine.error();
        const Record& record = session.impl().scene.record;
        const FrameSettings settings(options, record);
        frames.total =
            options.frames > 0
                ? options.frames
                : std::max(1, static_cast<int>(std::lround(record.duration * settings.fps)));
        checkpoints.emplace(session, options.checkpoint, options.output,
                            facts_of(options, settings, frames.total), listener);
        const StopScope stop(session.impl().pool, listener);
        Result<void> done = render_frames(session, options, frames, *checkpoints, listener);
        if (!done) return resumable(done.error(), checkpoints);
        checkpoints->finish();
        return done;
    } catch (const Stopped&) {
        return resumable(frames.stopped(options.output), checkpoints);
    } catch (...) {
        return *(session.impl().failure = error_from_exception());
    }
}

Result<Image> render_image(Session& session, const ImageOptions& options,
                           const Listener& listener) try {
    const Record& record = session.impl().scene.record;
    const int width = options.width > 0 ? options.width : record.width;
    const int height = options.height > 0 ? options.height : record.height;
    const StopScope stop(session.impl().pool, listener);
    if (!listener.proceed("rendering", 0, 1)) return Error{"stopped"};
    const Result<std::unique_ptr<ImageRenderer>> renderer = create_renderer(options.renderer);
    if (!renderer) return renderer.error();
    session.impl().advance_to(session.time());
    Result<Image> image = (*renderer)->render(
        picture_of(session), width, height,
        [&](float, std::string_view) { return listener.proceed("rendering", 0, 1); });
    if (image) listener.proceed("rendering", 1, 1);
    return image;
} catch (...) {
    return error_from_exception();
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
