#include "rank_program.h"

int main(int argc, char** argv) { return run_rank_program(argc, argv); }
