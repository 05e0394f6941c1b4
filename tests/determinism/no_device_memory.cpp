// Replaces device_memory.cu in builds without CUDA.
#include "determinism/device_memory.h"

#if !RINGLET_HAS_CUDA

namespace ringlet {

std::vector<float> read_device_memory(const void*, std::size_t) { return {}; }

DeviceBallast::DeviceBallast(std::size_t) {}

DeviceBallast::~DeviceBallast() = default;

}  // namespace ringlet

#endif
