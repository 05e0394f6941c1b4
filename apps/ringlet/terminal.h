// What the user sees while the program works: a bar on a terminal, plain lines elsewhere.
#pragma once

#include "ringlet/progress.h"

// Callbacks that write to stderr; silent ones when `quiet`.
ringlet::Listener terminal_listener(bool quiet);

// Columns of the terminal that stdout is; 100 where it is none.
int output_columns();
