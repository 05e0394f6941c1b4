#include <fmt/format.h>

#include <filesystem>

#include "command.h"
#include "terminal.h"

namespace {

struct ValidateArguments {
    ringlet::ValidateOptions validate;
    std::string folder;
    bool json = false, quick = false;
};

ringlet::Result<ExitCode> run_validate(ValidateArguments& arguments, const SharedOptions& shared) {
    arguments.validate.threads = shared.threads;
    arguments.validate.backend = shared.backend_kind();
    if (arguments.quick) arguments.validate.size = ringlet::ValidationSize::quick;
    std::error_code ignored;
    if (std::filesystem::exists(arguments.folder, ignored) &&
        !std::filesystem::is_directory(arguments.folder, ignored))
        return ringlet::Error{"is not a folder; name one for the page and its plots",
                              arguments.folder};
    const ringlet::Result<ringlet::Validation> found =
        ringlet::validate(arguments.validate, shared.listener());
    if (!found) return found.error();
    if (arguments.json)
        print(found->to_json());
    else if (!shared.quiet)
        print(found->to_table(output_columns()));
    if (!arguments.folder.empty()) {
        const ringlet::Result<void> done = ringlet::write_validation(arguments.folder, *found);
        if (!done) return done.error();
        if (!arguments.json && !shared.quiet) print(fmt::format("wrote {}\n", arguments.folder));
    }
    const std::string failures = found->failures();
    if (!failures.empty()) return ringlet::Error{failures};
    return ExitCode::done;
}

Job declare_validate(CLI::App& app, const SharedOptions& shared) {
    const auto arguments = std::make_shared<ValidateArguments>();
    app.add_option("--model", arguments->validate.model, "One model; otherwise all");
    app.add_option("--check", arguments->validate.check, "One check; otherwise all");
    app.add_option("--scenes", arguments->validate.scenes,
                   "Number of scenes of the check random_scenes; otherwise 1,000")
        ->check(CLI::Range(1, 100'000'000));
    app.add_flag("--json", arguments->json, "Print JSON");
    app.add_flag("--quick", arguments->quick, "Fewer and coarser cases: seconds, not minutes");
    app.add_option("-o,--output", arguments->folder, "Folder for validation.md and its plots");
    return [arguments, &shared] { return run_validate(*arguments, shared); };
}

}  // namespace

Command validate_command() {
    return {"validate", "Compare the models with theory and invariants", declare_validate, false};
}
