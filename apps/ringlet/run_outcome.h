// What the program does with the statistics of a finished run.
#pragma once

#include "command.h"

// Prints the report's warnings on stderr, one line each, and returns the exit code. With `quiet`,
// only a run with non-finite vertices prints anything.
ExitCode finish_run(const ringlet::Report& report, bool quiet);
