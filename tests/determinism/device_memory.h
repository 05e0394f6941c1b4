// Reads the memory of a GPU, for tests.
#pragma once

#include <cstddef>
#include <vector>

namespace ringlet {

// Copies `floats` floats from a pointer of CUDA. Empty in builds without CUDA, or if that fails.
std::vector<float> read_device_memory(const void* from, std::size_t floats);

}  // namespace ringlet
