// Prints the warnings of a finished run and chooses the exit code.
#pragma once

#include "command.h"

// Prints the report's warnings on stderr, one line each, and returns the exit code. With `quiet`,
// only a run with non-finite vertices prints anything.
ExitCode finish_run(const ringlet::Report& report, bool quiet);
