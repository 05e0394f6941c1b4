#include "determinism/device_memory.h"

namespace ringlet {

std::vector<float> read_device_memory(const void* from, std::size_t floats) {
    std::vector<float> out(floats);
    if (cudaMemcpy(out.data(), from, floats * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess)
        out.clear();
    return out;
}

DeviceBallast::DeviceBallast(std::size_t free_bytes) {
    std::size_t available = 0, total = 0;
    if (cudaMemGetInfo(&available, &total) != cudaSuccess || available <= free_bytes) return;
    if (cudaMalloc(&memory_, available - free_bytes) != cudaSuccess) memory_ = nullptr;
}

DeviceBallast::~DeviceBallast() { cudaFree(memory_); }

}  // namespace ringlet
