// Turns CUDA errors into exceptions, which the boundary of the library turns into Errors.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "sim/device.h"

namespace ringlet {

// Throws a DeviceError that names the cause.
inline void check_cuda(cudaError_t status) {
    if (status == cudaSuccess) return;
    cudaGetLastError();  // clears it, so that a later check does not find it again
    if (status == cudaErrorMemoryAllocation)
        throw DeviceError(
            "the GPU has not enough memory; simulate fewer strands, end other programs that use "
            "the GPU, or simulate on the CPU");
    throw DeviceError(std::string("the GPU failed (") + cudaGetErrorString(status) +
                      "); simulate on the CPU, or start the program again");
}

}  // namespace ringlet
