#include <fmt/format.h>

#include <map>

#include "command.h"
#include "terminal.h"

namespace {

// Metres per unit.
const std::map<std::string, float> kUnits{
    {"m", 1.0f}, {"cm", 0.01f}, {"mm", 0.001f}, {"in", 0.0254f}, {"ft", 0.3048f}};

struct Options {
    std::string input, output, up = "y", units;
    ringlet::ConvertOptions convert;
};

ringlet::Result<ExitCode> run(Options& options, const SharedOptions& shared) {
    options.convert.z_up = options.up == "z";
    if (!options.units.empty()) options.convert.scale = kUnits.at(options.units);
    const ringlet::Result<void> done =
        ringlet::convert(options.input, options.output, options.convert, shared.listener());
    if (!done) return done.error();
    if (!shared.quiet) print(fmt::format("wrote {}\n", options.output));
    return ExitCode::done;
}

Job declare(CLI::App& app, const SharedOptions& shared) {
    const auto options = std::make_shared<Options>();
    app.add_option("in", options->input, ringlet::list_extensions(ringlet::groom_formats()))
        ->required();
    app.add_option("out", options->output, "The same formats; always metres, Y up")->required();
    CLI::Option* const scale =
        app.add_option("--scale", options->convert.scale, "Metres per unit of the input")
            ->check(CLI::Range(1e-6, 1e6));
    app.add_option("--units", options->units, "The unit of the input")
        ->check(CLI::IsMember({"m", "cm", "mm", "in", "ft"}))
        ->excludes(scale);
    app.add_option("--up", options->up, "The axis that points up in the input")
        ->check(CLI::IsMember({"y", "z"}));
    app.add_option("--vertices", options->convert.vertices,
                   "Resample each strand to this many vertices")
        ->check(CLI::Range(2, 4096));
    return [options, &shared] { return run(*options, shared); };
}

}  // namespace

Command convert_command() {
    return {"convert", "Convert between groom file formats", declare, false};
}
