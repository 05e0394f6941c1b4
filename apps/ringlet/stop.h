// Signals that end the program: SIGINT (Ctrl+C), SIGTERM and SIGHUP.
#pragma once

// From now on the first of these signals only records its number, so that the running job can
// remove its unfinished files; a second one ends the program at once. A signal that the parent
// process ignores, as nohup does, stays ignored. Without this call, a signal ends the program.
void catch_stop_signals();

// The number of the signal received, or 0. Thread-safe.
int stop_signal();

// Makes a write to a closed pipe and a file beyond the size limit fail with an error, which the job
// reports, instead of ending the program with unfinished files.
void ignore_write_signals();
