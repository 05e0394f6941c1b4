#include <fmt/format.h>

#include <cstdio>

#include "command.h"
#include "run_outcome.h"
#include "terminal.h"

namespace {

struct RenderArguments {
    std::string scene, size;
    ringlet::RenderOptions render;
};

ringlet::Result<ExitCode> run_render(const RenderArguments& arguments,
                                     const SharedOptions& shared) {
    const ringlet::Listener listener = shared.listener();
    const auto known = ringlet::check_output(arguments.render.output, ringlet::OutputKind::frames);
    if (!known) return known.error();
    if (!ringlet::is_helper_rank()) {  // which draws nothing
        const auto usable = ringlet::check_renderer(arguments.render.renderer);
        if (!usable) return usable.error();
    }
    ringlet::Result<ringlet::Session> session =
        ringlet::Session::open(arguments.scene, shared.session(), listener);
    if (!session) return session.error();
    if (ringlet::is_helper_rank()) return help(*session);
    const ringlet::Result<void> done = ringlet::render(*session, arguments.render, listener);
    if (!done) return done.error();
    if (!shared.quiet) print(fmt::format("wrote {}\n", arguments.render.output));
    return finish_run(session->report(), shared.quiet);
}

// Parses "960x720". Returns what is wrong with the text, or nothing.
std::string parse_size(const std::string& text, ringlet::RenderOptions& options) {
    int used = 0;
    const bool good =
        std::sscanf(text.c_str(), "%5dx%5d%n", &options.width, &options.height, &used) == 2 &&
        static_cast<std::size_t>(used) == text.size() && options.width >= 16 &&
        options.width <= 8192 && options.height >= 16 && options.height <= 8192;
    return good ? "" : "write the size as 960x720, each side 16 to 8192";
}

Job declare_render(CLI::App& app, const SharedOptions& shared) {
    const auto arguments = std::make_shared<RenderArguments>();
    ringlet::RenderOptions& render = arguments->render;
    app.add_option("scene", arguments->scene, "Built-in name or TOML file")->required();
    app.add_option("-o,--output", render.output,
                   ringlet::list_extensions(ringlet::frame_formats()) +
                       " (an image: the last frame), or a folder/")
        ->required();
    app.add_option("--frames", render.frames, "Number of frames")->check(CLI::Range(1, 1000000));
    app.add_option("--size", arguments->size, "Size in pixels: 960x720")
        ->check([&render](const std::string& text) { return parse_size(text, render); });
    app.add_option("--fps", render.fps, "Frames per second")->check(CLI::Range(1.0, 240.0));
    app.add_option("--renderer", render.renderer, "Renderer of the images")
        ->check(CLI::IsMember(ringlet::renderer_names()));
    declare_checkpoints(app, render.checkpoint);
    return [arguments, &shared] { return run_render(*arguments, shared); };
}

}  // namespace

Command render_command() {
    return {"render", "Draw a scene to a video or pictures", declare_render};
}
