#include "determinism/device_memory.h"

namespace ringlet {

std::vector<float> read_device_memory(const void* from, std::size_t floats) {
    std::vector<float> out(floats);
    if (cudaMemcpy(out.data(), from, floats * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess)
        out.clear();
    return out;
}

}  // namespace ringlet
