#include <fmt/format.h>

#include <map>

#include "command.h"
#include "terminal.h"

namespace {

// Metres per unit.
const std::map<std::string, float> kUnits{
    {"m", 1.0f}, {"cm", 0.01f}, {"mm", 0.001f}, {"in", 0.0254f}, {"ft", 0.3048f}};

struct ConvertArguments {
    std::string input, output, up = "y", units;
    ringlet::ConvertOptions convert;
};

ringlet::Result<ExitCode> run_convert(ConvertArguments& arguments, const SharedOptions& shared) {
    arguments.convert.z_up = arguments.up == "z";
    if (!arguments.units.empty()) arguments.convert.scale = kUnits.at(arguments.units);
    const ringlet::Result<void> done =
        ringlet::convert(arguments.input, arguments.output, arguments.convert, shared.listener());
    if (!done) return done.error();
    if (!shared.quiet) print(fmt::format("wrote {}\n", arguments.output));
    return ExitCode::done;
}

Job declare_convert(CLI::App& app, const SharedOptions& shared) {
    const auto arguments = std::make_shared<ConvertArguments>();
    app.add_option("in", arguments->input, ringlet::list_extensions(ringlet::groom_formats()))
        ->required();
    app.add_option("out", arguments->output, "The same formats; always metres, Y up")->required();
    CLI::Option* const scale =
        app.add_option("--scale", arguments->convert.scale, "Metres per unit of the input")
            ->check(CLI::Range(1e-6, 1e6));
    app.add_option("--units", arguments->units, "The unit of the input")
        ->check(CLI::IsMember({"m", "cm", "mm", "in", "ft"}))
        ->excludes(scale);
    app.add_option("--up", arguments->up, "The axis that points up in the input")
        ->check(CLI::IsMember({"y", "z"}));
    app.add_option("--vertices", arguments->convert.vertices,
                   "Resample each strand to this many vertices")
        ->check(CLI::Range(2, 4096));
    return [arguments, &shared] { return run_convert(*arguments, shared); };
}

}  // namespace

Command convert_command() {
    return {"convert", "Convert between groom file formats", declare_convert, false};
}
