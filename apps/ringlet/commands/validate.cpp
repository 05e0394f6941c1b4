#include <fmt/format.h>

#include <filesystem>

#include "command.h"
#include "terminal.h"

namespace {

struct Options {
    ringlet::ValidateOptions validate;
    std::string folder;
    bool json = false, quick = false;
};

ringlet::Result<ExitCode> run(Options& options, const SharedOptions& shared) {
    options.validate.threads = shared.threads;
    options.validate.backend = shared.backend_kind();
    if (options.quick) options.validate.size = ringlet::ValidationSize::quick;
    std::error_code ignored;
    if (std::filesystem::exists(options.folder, ignored) &&
        !std::filesystem::is_directory(options.folder, ignored))
        return ringlet::Error{"is not a folder; name one for the page and its plots",
                              options.folder};
    const ringlet::Result<ringlet::Validation> found =
        ringlet::validate(options.validate, shared.listener());
    if (!found) return found.error();
    if (options.json)
        print(found->to_json());
    else if (!shared.quiet)
        print(found->to_table(output_columns()));
    if (!options.folder.empty()) {
        const ringlet::Result<void> done = ringlet::write_validation(options.folder, *found);
        if (!done) return done.error();
        if (!options.json && !shared.quiet) print(fmt::format("wrote {}\n", options.folder));
    }
    const std::string failures = found->failures();
    if (!failures.empty()) return ringlet::Error{failures};
    return ExitCode::done;
}

Job declare(CLI::App& app, const SharedOptions& shared) {
    const auto options = std::make_shared<Options>();
    app.add_option("--model", options->validate.model, "One model; otherwise all");
    app.add_flag("--json", options->json, "Print JSON");
    app.add_flag("--quick", options->quick, "Fewer and coarser cases: seconds, not minutes");
    app.add_option("-o,--output", options->folder, "Folder for validation.md and its plots");
    return [options, &shared] { return run(*options, shared); };
}

}  // namespace

Command validate_command() {
    return {"validate", "Compare the models with theory and invariants", declare, false};
}
