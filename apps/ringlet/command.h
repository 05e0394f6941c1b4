// A command of the program: `ringlet NAME ...`. Each lives in its own file in commands/ and is
// listed in command_list.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "ringlet/ringlet.h"

// The exit codes of the program. A signal that stops a job gives 128 + its number.
enum class ExitCode {
    done = 0,
    failed = 1,     // the input is wrong, or a resource is missing; stderr names it
    usage = 2,      // the command line is wrong
    nonfinite = 3,  // the job is complete, but vertices became NaN or infinite
};

// The options that all commands have.
struct SharedOptions {
    std::vector<std::string> overrides;
    int threads = 0;
    long long seed = -1;  // -1: not given
    std::string lanes = "auto", backend = "cpu";
    bool quiet = false;

    void declare(CLI::App& app);
    ringlet::SessionOptions session() const;
    ringlet::Backend backend_kind() const;
    // Shows progress on stderr and stops the job after a signal.
    ringlet::Listener listener() const;
};

// Declares --checkpoint-every and --resume. `options` outlives `app`.
void declare_checkpoints(CLI::App& app, ringlet::CheckpointOptions& options);

// Does the work of a command, after the command line was parsed.
using Job = std::function<ringlet::Result<ExitCode>()>;

struct Command {
    const char* name;
    const char* summary;  // one line of `ringlet --help`
    // Declares the command's own options on `app` and returns its job, which owns their values.
    // `shared` outlives the job; its values are known only when the job runs.
    Job (*declare)(CLI::App& app, const SharedOptions& shared);
    bool uses_overrides = true;  // false: --set has no meaning and is refused
};

// In the order of the help text.
std::vector<Command> all_commands();

// The job of `ringlet` without a command.
ringlet::Result<ExitCode> run_default_scene(const SharedOptions& shared);
