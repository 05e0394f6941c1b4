#include <fmt/format.h>

#include "command.h"
#include "terminal.h"

namespace {

ringlet::Result<ExitCode> run_new(const ringlet::NewSceneOptions& options,
                                  const SharedOptions& shared) {
    const ringlet::Result<ringlet::NewScene> made =
        ringlet::new_scene(options, shared.session(), shared.listener());
    if (!made) return made.error();
    if (!shared.quiet) print(fmt::format("wrote {} and {}\n", made->scene, made->picture));
    return ExitCode::done;
}

Job declare_new(CLI::App& app, const SharedOptions& shared) {
    const auto options = std::make_shared<ringlet::NewSceneOptions>();
    app.add_option("head", options->head,
                   "Mesh: " + ringlet::list_extensions(ringlet::mesh_formats()))
        ->required();
    app.add_option("--style", options->style,
                   "Words for the hairstyle, such as \"shoulder-length auburn waves in wind\"")
        ->default_val(options->style);
    app.add_option("-o,--output", options->output, "Scene file; default: HEAD.toml here");
    app.add_flag("--force", options->overwrite, "Replace existing files");
    app.footer("The words of --style:\n" + ringlet::style_words() +
               "More options for all commands: ringlet --help");
    return [options, &shared] { return run_new(*options, shared); };
}

}  // namespace

Command new_command() {
    return {"new", "Grow hair on any mesh: write a scene to start from", declare_new};
}
