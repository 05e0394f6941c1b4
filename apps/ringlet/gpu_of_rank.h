// The GPU of a process that mpirun started with others.
#pragma once

#include <string>

// Chooses a GPU for each process of a machine, in turns. `visible` is the list that the environment
// variable CUDA_VISIBLE_DEVICES has already, for example because a launcher set it; empty: all of
// the `installed` GPUs. Returns the value for this process, empty if there is no choice.
std::string gpu_of_rank(int rank_on_machine, const std::string& visible, int installed);

// Sets that variable for this process. Call it before anything uses CUDA.
void choose_gpu_of_rank(int rank_on_machine);
