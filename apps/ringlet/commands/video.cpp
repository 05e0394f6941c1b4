#include <fmt/format.h>

#include "command.h"
#include "terminal.h"

namespace {

ringlet::Result<ExitCode> run_video(const ringlet::VideoOptions& options,
                                    const SharedOptions& shared) {
    const ringlet::Result<void> done = ringlet::make_video(options, shared.listener());
    if (!done) return done.error();
    if (!shared.quiet) print(fmt::format("wrote {}\n", options.output));
    return ExitCode::done;
}

Job declare_video(CLI::App& app, const SharedOptions& shared) {
    const auto options = std::make_shared<ringlet::VideoOptions>();
    app.add_option("folder", options->folder, "Contains render0000.png, render0001.png ...")
        ->required();
    app.add_option("-o,--output", options->output, ".mp4")->required();
    app.add_option("--fps", options->fps, "Frames per second")->check(CLI::Range(1.0, 240.0));
    app.add_flag("--delete-frames", options->delete_frames,
                 "Delete the frames once the video is complete");
    return [options, &shared] { return run_video(*options, shared); };
}

}  // namespace

Command video_command() { return {"video", "Encode a folder of frames as a video", declare_video}; }
