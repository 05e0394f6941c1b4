// Replaces the CUDA device in builds without the CUDA backend.
#include "sim/device.h"

namespace ringlet {

Result<std::unique_ptr<Device> > open_cuda_device() {
    return Error{
        "this build has no CUDA backend; install CUDA 12 or later, build with "
        "-DRINGLET_CUDA=ON, or use --backend cpu"};
}

}  // namespace ringlet
