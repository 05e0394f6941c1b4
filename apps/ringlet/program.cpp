#include "program.h"

#include <fmt/format.h>
#include <signal.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <sstream>

#include "command.h"
#include "ringlet/version.h"
#include "stop.h"
#include "terminal.h"

namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 done; 1 the input is wrong or a file cannot be written;\n"
    "2 wrong usage; 3 done, but vertices became NaN or infinite (see the report);\n"
    "130 stopped by SIGINT (Ctrl+C), 143 by SIGTERM: finished files are kept.";

// Help and version go to stdout, usage errors to stderr.
ExitCode print_parse_result(const CLI::App& app, const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int code = app.exit(error, out, err);
    print(out.str());
    std::fputs(err.str().c_str(), stderr);
    return code == 0 ? ExitCode::done : ExitCode::usage;
}

int exit_code_of(const ringlet::Result<ExitCode>& done) {
    if (done) return static_cast<int>(*done);
    print_error(done.error().text());
    return stop_signal() != 0 ? 128 + stop_signal() : static_cast<int>(ExitCode::failed);
}

// The job of a command that no scene belongs to.
Job without_overrides(Job job, const std::string& name, const SharedOptions& shared) {
    return [job = std::move(job), name, &shared]() -> ringlet::Result<ExitCode> {
        if (shared.overrides.empty()) return job();
        return ringlet::Error{"--set " + shared.overrides.front() + ": \"" + name +
                              "\" has no scene whose key this could change; leave it out"};
    };
}

int run_command(int argc, char** argv) {
    CLI::App app{"Ringlet grows, simulates and draws hair. Without a command: the default scene.",
                 "ringlet"};
    app.set_version_flag("--version", ringlet::version());
    app.footer(kExitCodes);
    app.require_subcommand(0, 1);
    SharedOptions shared;
    shared.declare(app);
    std::vector<std::pair<CLI::App*, Job>> jobs;
    for (const Command& command : all_commands()) {
        CLI::App* own = app.add_subcommand(command.name, command.summary);
        own->fallthrough();  // shared options may follow the command
        own->footer("More options for all commands: ringlet --help");
        Job job = command.declare(*own, shared);
        if (!command.uses_overrides) job = without_overrides(std::move(job), command.name, shared);
        jobs.emplace_back(own, std::move(job));
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return static_cast<int>(print_parse_result(app, error));
    }
    for (const auto& [own, job] : jobs)
        if (own->parsed()) return exit_code_of(job());
    return exit_code_of(run_default_scene(shared));
}

int run_without_exceptions(int argc, char** argv) {
    try {
        return run_command(argc, argv);
    } catch (const std::bad_alloc&) {
        print_error("not enough memory");
    } catch (const std::exception& error) {
        print_error(error.what());
    }
    return static_cast<int>(ExitCode::failed);
}

}  // namespace

int run_program(int argc, char** argv) {
    open_standard_streams();
    ignore_write_signals();
    const int code = run_without_exceptions(argc, argv);
    const int failure = finish_output();
    if (failure == 0) return code;
    if (failure == EPIPE) {
        // The reader closed the pipe (`| head`): end as other programs do, without a message.
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    print_error(fmt::format("cannot write to stdout: {}", std::strerror(failure)));
    return code == 0 ? static_cast<int>(ExitCode::failed) : code;
}
