// The memory of a GPU, for tests.
#pragma once

#include <cstddef>
#include <vector>

namespace ringlet {

// Copies `floats` floats from a pointer of CUDA. Empty in builds without CUDA, or if that fails.
std::vector<float> read_device_memory(const void* from, std::size_t floats);

// Occupies the memory of the GPU except for about `free_bytes`, as another program would. Occupies
// nothing in builds without CUDA.
class DeviceBallast {
public:
    explicit DeviceBallast(std::size_t free_bytes);
    ~DeviceBallast();
    DeviceBallast(const DeviceBallast&) = delete;
    DeviceBallast& operator=(const DeviceBallast&) = delete;

private:
    [[maybe_unused]] void* memory_ = nullptr;  // unused without CUDA
};

}  // namespace ringlet
