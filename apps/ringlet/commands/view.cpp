#include "viewer/viewer.h"

#include <cstdlib>

#include "command.h"
#include "run_outcome.h"
#include "terminal.h"

namespace {

constexpr const char* kDefaultScene = "curls";

ringlet::Result<ExitCode> run_view(const std::string& scene, const std::string& script,
                                   const SharedOptions& shared) {
    const ringlet::Result<void> done =
        ringlet::view(scene, shared.session(), script, shared.listener());
    if (!done) return done.error();
    return ExitCode::done;
}

Job declare_view(CLI::App& app, const SharedOptions& shared) {
    struct Options {
        std::string scene, script;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("scene", options->scene, "Built-in name or TOML file")
        ->default_val(kDefaultScene);
    app.add_option("--script", options->script, "Script of window actions (docs/viewer.md)");
    return [options, &shared] { return run_view(options->scene, options->script, shared); };
}

}  // namespace

Command view_command() { return {"view", "Open a window on a scene", declare_view}; }

ringlet::Result<ExitCode> run_default_scene(const SharedOptions& shared) {
    if (std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY"))
        return run_view(kDefaultScene, "", shared);
    const ringlet::Listener listener = shared.listener();
    listener.notify("no display: rendering the scene `curls` to renders/ringlet.mp4");
    ringlet::Result<ringlet::Session> session =
        ringlet::Session::open(kDefaultScene, shared.session(), listener);
    if (!session) return session.error();
    ringlet::RenderOptions options;
    options.output = "renders/ringlet.mp4";
    options.still = "renders/ringlet.png";
    options.still_time = 0.75;
    // The picture shows every strand; a software renderer would need minutes for a video of them.
    options.frame_strands = 10'000;
    const ringlet::Result<void> done = ringlet::render(*session, options, listener);
    if (!done) return done.error();
    print("video    renders/ringlet.mp4\npicture  renders/ringlet.png\n");
    return finish_run(session->report(), shared.quiet);
}
