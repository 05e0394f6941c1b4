// The program's streams: results on stdout, errors and progress on stderr (a bar on a terminal,
// plain lines elsewhere).
#pragma once

#include <string>
#include <string_view>

#include "ringlet/progress.h"

// Opens /dev/null in place of standard streams that are closed. Otherwise the next file that the
// program opens would get their number, and text would be written into it. Call it first.
void open_standard_streams();

// Writes to stdout. A failure is remembered; finish_output() reports it.
void print(std::string_view text);

// Writes "ringlet: MESSAGE" and a line break to stderr. Ignores failures: no stream is left to
// report them on.
void print_error(std::string_view message);

// Flushes stdout. Returns the errno of the first failure since the start, or 0.
int finish_output();

// Callbacks that write to stderr. They never throw.
ringlet::Listener terminal_listener();

// The progress of a job as one line of at most `columns` characters where the text permits it:
// "rendering [####....] 12/48 0:03, 0:09 left".
std::string progress_bar(std::string_view activity, int done, int total, double seconds,
                         int columns);

// Width of the terminal that stdout is connected to; 100 if it is not a terminal.
int output_columns();
