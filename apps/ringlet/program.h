#pragma once

// The program `ringlet`: parses the command line and runs one command. Returns the exit code.
int run_program(int argc, char** argv);
