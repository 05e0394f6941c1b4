#include <fmt/format.h>

#include "command.h"
#include "terminal.h"

namespace {

ringlet::Result<ExitCode> run_scenes(const std::string& name, bool keys) {
    if (keys) {
        print(ringlet::scene_keys());
    } else if (name.empty()) {
        for (const ringlet::SceneInfo& scene : ringlet::builtin_scenes())
            print(fmt::format("{:<15} {}\n", scene.name, scene.title));
    } else {
        const ringlet::Result<std::string> text = ringlet::builtin_scene_text(name);
        if (!text) return text.error();
        print(*text);
    }
    return ExitCode::done;
}

Job declare_scenes(CLI::App& app, const SharedOptions&) {
    struct Options {
        std::string name;
        bool keys = false;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("name", options->name, "Print this scene's TOML");
    app.add_flag("--keys", options->keys, "List every key of scene files");
    return [options] { return run_scenes(options->name, options->keys); };
}

}  // namespace

Command scenes_command() {
    return {"scenes", "List the built-in scenes, or print one", declare_scenes, false};
}
