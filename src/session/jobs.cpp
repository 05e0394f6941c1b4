#include "ringlet/jobs.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "base/files.h"
#include "io/hair/hair_file.h"
#include "io/image/image_file.h"
#include "io/video/video_writer.h"
#include "render_gl/offscreen.h"
#include "session/draw.h"
#include "session/parts.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

bool is_folder(const std::string& output) { return output.ends_with('/'); }

std::string extension(const std::string& output) { return fs::path(output).extension().string(); }

Error cannot_write(const std::string& output, const std::string& known) {
    return Error{"cannot write this kind of file; give " + known, output};
}

Error stopped() { return Error{"stopped"}; }

// Where frames go: a video, numbered pictures, or only the last picture.
class FrameSink {
public:
    static Result<FrameSink> open(const std::string& output, int width, int height, double fps) {
        FrameSink sink;
        sink.output_ = output;
        if (is_folder(output)) return sink;
        const std::string kind = extension(output);
        if (kind == ".mp4") {
            Result<VideoWriter> video = VideoWriter::open(output, width, height, fps);
            if (!video) return video.error();
            sink.video_ = std::make_unique<VideoWriter>(std::move(*video));
        } else if (kind != ".png" && kind != ".bmp") {
            return cannot_write(output, ".mp4, .png, .bmp, or a folder ending in /");
        }
        return sink;
    }

    // A single picture needs no frame but the last.
    bool wants(int frame, int total) const {
        return video_ || is_folder(output_) || frame + 1 == total;
    }

    Result<void> add(const Image& image, int frame) {
        if (video_) return video_->add(image);
        if (is_folder(output_))
            return write_image(fs::path(output_) / fmt::format("render{:04}.png", frame), image);
        return write_image(output_, image);
    }

    Result<void> finish() { return video_ ? video_->finish() : Result<void>(); }

private:
    std::string output_;
    std::unique_ptr<VideoWriter> video_;
};

Result<Report> write_last(Session& session, const std::string& output) {
    if (!output.empty() && !is_folder(output)) {
        const Session::Parts& parts = session.parts();
        const StrandView strands{parts.groom.layout.get(), &parts.simulation->state().x,
                                 &parts.groom.colour, &parts.groom.radius};
        const Result<void> done = write_hair(output, strands, "ringlet " + parts.scene.name);
        if (!done) return done.error();
    }
    return session.report();
}

}  // namespace

Result<void> write_report(const std::string& path, const Report& report) {
    return write_file(path, report.to_json());
}

Result<Report> simulate(Session& session, const SimulateOptions& options,
                        const Listener& listener) {
    if (!options.output.empty() && !is_folder(options.output) &&
        extension(options.output) != ".hair")
        return cannot_write(options.output, ".hair, or a folder ending in /");
    Session::Parts& parts = session.parts();
    const Record& record = parts.scene.record;
    const int frames = options.frames > 0
                           ? options.frames
                           : static_cast<int>(std::lround(record.duration / parts.scene.sim.dt));
    for (int frame = 0; frame < frames; ++frame) {
        if (!listener.proceed("simulating", frame, frames)) return stopped();
        session.step();
        if (!is_folder(options.output)) continue;
        const StrandView strands{parts.groom.layout.get(), &parts.simulation->state().x,
                                 &parts.groom.colour, &parts.groom.radius};
        const Result<void> done =
            write_hair(fs::path(options.output) / fmt::format("frame{:04}.hair", frame), strands,
                       "ringlet " + parts.scene.name);
        if (!done) return done.error();
    }
    listener.proceed("simulating", frames, frames);
    return write_last(session, options.output);
}

Result<void> render(Session& session, const RenderOptions& options, const Listener& listener) {
    Session::Parts& parts = session.parts();
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
    Result<Renderer> renderer = Renderer::create();
    if (!renderer) return renderer.error();
    listener.say("drawing with " + context->description());

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
    for (const std::string& message : renderer->messages()) listener.say("OpenGL: " + message);
    return sink->finish();
}

Result<void> save_groom(const Session& session, const std::string& output) {
    if (extension(output) != ".hair") return cannot_write(output, ".hair");
    const Session::Parts& parts = session.parts();
    return write_hair(output, view_of(parts.groom), "ringlet groom " + parts.scene.name);
}

}  // namespace ringlet
