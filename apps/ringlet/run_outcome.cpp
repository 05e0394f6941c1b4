#include "run_outcome.h"

#include <fmt/format.h>

#include "terminal.h"

ExitCode finish_run(const ringlet::Report& report, bool quiet) {
    const bool is_finite = report.nonfinite_vertices == 0;
    if (!quiet || !is_finite)
        for (const ringlet::Warning& warning : report.warnings)
            print_error(fmt::format("warning: {}{}{}; {}", warning.place,
                                    warning.place.empty() ? "" : ": ", warning.text,
                                    warning.remedy));
    return is_finite ? ExitCode::done : ExitCode::nonfinite;
}
