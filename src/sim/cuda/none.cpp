// Replaces the CUDA device in builds without a CUDA compiler.
#include "sim/device.h"

namespace ringlet {

Result<std::unique_ptr<Device> > open_cuda_device() {
    return Error{
        "this build has no CUDA backend; install CUDA 12 or later, build again, or use "
        "--backend cpu"};
}

}  // namespace ringlet
