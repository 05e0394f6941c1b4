// Stands for the GPU where the build has no CUDA compiler. Compiled once per model, for its kernel,
// and once alone.
#ifdef RINGLET_KERNEL_HEADER
#include RINGLET_KERNEL_HEADER
#endif

#include "sim/device.h"

namespace ringlet {

#ifdef RINGLET_KERNEL_HEADER
// Never called: there is no device to launch it on.
void RINGLET_DEVICE_FUNCTION(Device&, const RINGLET_UNIFORMS&, const RINGLET_BLOCK&) {}
#else
Result<std::unique_ptr<Device> > open_cuda_device() {
    return Error{
        "this build has no CUDA backend; install CUDA 12 or later, build again, or use "
        "--backend cpu"};
}
#endif

}  // namespace ringlet
