#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "command.h"
#include "run_outcome.h"
#include "terminal.h"

namespace {

struct SimulateArguments {
    std::string scene, report, range, target;
    double pre_roll = -1;  // s; below 0: the scene's record.settle
    bool no_velocities = false;
    ringlet::SimulateOptions simulate;
};

// "A:B", both frames included.
ringlet::Result<void> read_range(const std::string& text, ringlet::SimulateOptions& options) {
    if (text.empty()) return {};
    int first = 0, last = 0, end = 0;
    const int found = std::sscanf(text.c_str(), "%9d:%9d%n", &first, &last, &end);
    if (found != 2 || static_cast<std::size_t>(end) != text.size() || first < 0 || last < first)
        return ringlet::Error{"--range " + text +
                              ": give the first and the last frame, both at least 0: 24:47"};
    options.first_frame = first;
    options.frames = last - first + 1;
    return {};
}

// Whether the output is one of shot_formats().
bool is_shot(const std::string& output) {
    for (const ringlet::FileFormat& format : ringlet::shot_formats())
        if (std::filesystem::path(output).extension() == format.extension) return true;
    return false;
}

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

ringlet::Result<ExitCode> run_simulate(SimulateArguments& arguments, const SharedOptions& shared) {
    const ringlet::Listener listener = shared.listener();
    ringlet::Result<void> ready = read_range(arguments.range, arguments.simulate);
    if (ready) ready = check_outputs(arguments);
    if (!ready) return ready.error();
    ringlet::CheckpointOptions& checkpoint = arguments.simulate.checkpoint;
    if (arguments.simulate.output.empty()) checkpoint.beside = arguments.report;
    if (checkpoint.resume && arguments.simulate.output.empty() && arguments.report.empty())
        return ringlet::Error{"--resume: give the -o or --report of the run to continue"};
    ringlet::ShotOptions& shot = arguments.simulate.shot;
    shot.velocities = !arguments.no_velocities;
    if (arguments.target == "unreal") shot.target = ringlet::ShotTarget::unreal;
    const bool has_shot_options =
        !arguments.range.empty() || !arguments.target.empty() || shot.linear || !shot.velocities;
    if (has_shot_options && !is_shot(arguments.simulate.output))
        return ringlet::Error{"--range, --for, --linear and --no-velocities need -o with " +
                              ringlet::list_extensions(ringlet::shot_formats())};
    ringlet::SessionOptions once = shared.session();
    once.keep_groom = false;
    if (arguments.pre_roll >= 0)
        once.overrides.push_back(fmt::format("record.settle={}", arguments.pre_roll));
    ringlet::Result<ringlet::Session> session =
        ringlet::Session::open(arguments.scene, once, listener);
    if (!session) return session.error();
    if (ringlet::is_helper_rank()) return help(*session);
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
                   "A shot: " + ringlet::list_extensions(ringlet::shot_formats()) +
                       "; .hair and other grooms (the last step); or a folder/ (every step)");
    CLI::Option* const frames =
        app.add_option("--frames", arguments->simulate.frames,
                       "Number of steps of dt; of frames (1/record.fps) in a shot")
            ->check(CLI::Range(1, 100000000));
    app.add_option("--range", arguments->range, "First and last frame of a shot, from 0")
        ->type_name("A:B")
        ->excludes(frames);
    app.add_option("--pre-roll", arguments->pre_roll,
                   "Seconds to settle before the first frame (record.settle)")
        ->check(CLI::Range(0.0, 1000.0));
    app.add_option("--for", arguments->target,
                   "The program that reads a shot; unreal: centimetres, Z up, its names")
        ->check(CLI::IsMember({"unreal"}));
    app.add_flag("--linear", arguments->simulate.shot.linear,
                 "Straight segments instead of smooth curves in a shot");
    app.add_flag("--no-velocities", arguments->no_velocities,
                 "A shot without velocities: half the size, no motion blur");
    app.add_option("--report", arguments->report, "Write statistics as JSON to this file");
    declare_checkpoints(app, arguments->simulate.checkpoint);
    return [arguments, &shared] { return run_simulate(*arguments, shared); };
}

}  // namespace

Command simulate_command() { return {"simulate", "Simulate without drawing", declare_simulate}; }
