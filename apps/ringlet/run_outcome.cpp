#include "run_outcome.h"

#include "terminal.h"

ExitCode finish_run(const ringlet::Report& report, bool quiet) {
    if (report.nonfinite_vertices == 0) return ExitCode::done;
    if (quiet)
        for (const ringlet::Warning& warning : report.warnings)
            print_error("warning: " + warning.line());
    return ExitCode::nonfinite;
}

ringlet::Result<ExitCode> help(ringlet::Session& session) {
    const ringlet::Result<void> done = ringlet::help_first_rank(session);
    if (!done) return done.error();
    return ExitCode::done;
}
