#include "command.h"
#include "terminal.h"

namespace {

Job declare_info(CLI::App& app, const SharedOptions& shared) {
    struct Options {
        std::string file, mesh;
        bool json = false;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("file", options->file, ringlet::list_extensions(ringlet::file_formats()))
        ->required();
    app.add_option("--mesh", options->mesh, "Mesh that the strands grow on");
    app.add_flag("--json", options->json, "Print JSON");
    return [options, &shared]() -> ringlet::Result<ExitCode> {
        const ringlet::Result<std::string> text =
            ringlet::describe_file(options->file, options->mesh, options->json, shared.overrides);
        if (!text) return text.error();
        print(*text);
        return ExitCode::done;
    };
}

}  // namespace

Command info_command() { return {"info", "Describe a mesh or groom file", declare_info}; }
