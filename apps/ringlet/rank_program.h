#pragma once

// run_program() where mpirun may have started several processes (base/ranks.h). The first one runs
// the command as if it were alone. The others take part in `simulate` and `render`, print nothing,
// and end with it. Returns the exit code.
int run_rank_program(int argc, char** argv);
