#include <fmt/format.h>

#include "command.h"
#include "terminal.h"

namespace {

struct Options {
    std::string input, output, up = "y";
    ringlet::ConvertOptions convert;
};

ringlet::Result<ExitCode> run(Options& options, const SharedOptions& shared) {
    options.convert.z_up = options.up == "z";
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
    app.add_option("--scale", options->convert.scale, "Metres per unit of the input")
        ->check(CLI::Range(1e-6, 1e6));
    app.add_option("--up", options->up, "The axis that points up in the input")
        ->check(CLI::IsMember({"y", "z"}));
    app.add_option("--vertices", options->convert.vertices,
                   "Resample each strand to this many vertices")
        ->check(CLI::Range(2, 4096));
    return [options, &shared] { return run(*options, shared); };
}

}  // namespace

Command convert_command() { return {"convert", "Convert between groom file formats", declare}; }
