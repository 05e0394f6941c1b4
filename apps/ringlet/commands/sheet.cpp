#include <fmt/format.h>

#include "command.h"
#include "terminal.h"

namespace {

ringlet::Result<ExitCode> run_sheet(const ringlet::SheetOptions& options,
                                    const SharedOptions& shared) {
    const ringlet::Result<void> done =
        ringlet::contact_sheet(options, shared.session(), shared.listener());
    if (!done) return done.error();
    if (!shared.quiet) print(fmt::format("wrote {}\n", options.output));
    return ExitCode::done;
}

Job declare_sheet(CLI::App& app, const SharedOptions& shared) {
    const auto options = std::make_shared<ringlet::SheetOptions>();
    app.add_option("scenes", options->scenes, "Built-in names or TOML files; none: all presets");
    app.add_option("-o,--output", options->output,
                   ringlet::list_extensions(ringlet::image_formats()))
        ->required();
    app.add_option("--columns", options->columns, "Hairstyles per row")->check(CLI::Range(1, 64));
    app.add_option("--renderer", options->renderer, "Renderer of the images")
        ->check(CLI::IsMember(ringlet::renderer_names()));
    return [options, &shared] { return run_sheet(*options, shared); };
}

}  // namespace

Command sheet_command() {
    return {"sheet", "Draw hairstyles next to each other, front and side", declare_sheet};
}
