#include <fmt/format.h>

#include <filesystem>

#include "command.h"
#include "run_outcome.h"
#include "terminal.h"

namespace {

struct SimulateArguments {
    std::string scene, report;
    ringlet::SimulateOptions simulate;
};

// Fails before the work where the results could not be written afterwards.
ringlet::Result<void> check_outputs(const SimulateArguments& arguments) {
    const std::string& output = arguments.simulate.output;
    if (!output.empty()) {
        ringlet::Result<void> known =
            ringlet::check_output(output, ringlet::OutputKind::strands_or_folder);
        if (!known) return known;
    }
    if (arguments.report.empty()) return {};
    std::error_code ignored;
    if (std::filesystem::equivalent(arguments.scene, arguments.report, ignored))
        return ringlet::Error{"is also the input; name another file", arguments.report};
    if (arguments.report == output)
        return ringlet::Error{"is also the output; name another file", arguments.report};
    return ringlet::check_output(arguments.report, ringlet::OutputKind::text);
}

std::string summary(const ringlet::Report& report) {
    return fmt::format(
        "{} strands, {} vertices, {} frames in {:.2f} s ({:.2f} ms per frame)\n"
        "stretch {:.3f} % at most, {:.3f} % in 99 of 100 strands, {:.4f} % mean; {} strands "
        "strain-limited in {} frames\n"
        "penetration {:.2f} mm at most, {} vertices\n"
        "memory {:.0f} MB at most\n"
        "hash {}\n",
        report.strands, report.vertices, report.frames, report.seconds, report.ms_per_frame,
        report.max_stretch * 100, report.stretch_p99 * 100, report.mean_stretch * 100,
        report.strain_limited_strands, report.strain_limited_frames, report.max_penetration * 1000,
        report.penetrating_vertices, static_cast<double>(report.peak_memory_bytes) / 1e6,
        report.hash);
}

ringlet::Result<ExitCode> run_simulate(const SimulateArguments& arguments,
                                       const SharedOptions& shared) {
    const ringlet::Listener listener = shared.listener();
    const ringlet::Result<void> ready = check_outputs(arguments);
    if (!ready) return ready.error();
    ringlet::SessionOptions once = shared.session();
    once.keep_groom = false;
    ringlet::Result<ringlet::Session> session =
        ringlet::Session::open(arguments.scene, once, listener);
    if (!session) return session.error();
    const ringlet::Result<ringlet::Report> report =
        ringlet::simulate(*session, arguments.simulate, listener);
    if (!report) return report.error();
    if (!arguments.report.empty()) {
        const ringlet::Result<void> written = ringlet::write_report(arguments.report, *report);
        if (!written) return written.error();
    }
    if (!shared.quiet) print(summary(*report));
    return finish_run(*report, shared.quiet);
}

Job declare_simulate(CLI::App& app, const SharedOptions& shared) {
    const auto arguments = std::make_shared<SimulateArguments>();
    app.add_option("scene", arguments->scene, "Built-in name or TOML file")->required();
    app.add_option("-o,--output", arguments->simulate.output,
                   ".hair (the last frame), or a folder/ (every frame)");
    app.add_option("--frames", arguments->simulate.frames, "Number of steps of dt")
        ->check(CLI::Range(1, 100000000));
    app.add_option("--report", arguments->report, "Write statistics as JSON to this file");
    return [arguments, &shared] { return run_simulate(*arguments, shared); };
}

}  // namespace

Command simulate_command() { return {"simulate", "Simulate without drawing", declare_simulate}; }
