// Chooses the exit code of a finished run.
#pragma once

#include "command.h"

// Returns the exit code of a run. The listener has printed its warnings; with `quiet` it printed
// nothing, so that the warnings of a run with non-finite vertices are printed here.
ExitCode finish_run(const ringlet::Report& report, bool quiet);

// The run of a process that helps the first rank.
ringlet::Result<ExitCode> help(ringlet::Session& session);
