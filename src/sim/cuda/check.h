// Handles CUDA errors: the library cannot continue, so it reports file, line and cause and aborts.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

#include "base/assert.h"

namespace ringlet {

inline void check_cuda(cudaError_t status,
                       std::source_location at = std::source_location::current()) {
    if (status != cudaSuccess)
        assertion_failed("CUDA", cudaGetErrorString(status), at.file_name(),
                         static_cast<int>(at.line()));
}

}  // namespace ringlet
