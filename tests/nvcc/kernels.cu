// Compiled, not run: every kernel as the GPU would launch it, one thread a strand.
#include "sim/models/ftl_kernel.h"
#include "sim/models/pbd_kernel.h"
#include "sim/models/rod_kernel.h"
#include "sim/models/spring_kernel.h"

namespace ringlet {

__global__ void pbd_substep_on_device(PbdUniforms uniforms, const PbdBlock* blocks, int count) {
    const int strand = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (strand < count)
        pbd_substep<float>(uniforms, from_lane(blocks[strand / kLanes], strand % kLanes));
}

__global__ void rod_substep_on_device(RodUniforms uniforms, const RodBlock* blocks, int count) {
    const int strand = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (strand < count)
        rod_substep<float>(uniforms, from_lane(blocks[strand / kLanes], strand % kLanes));
}

__global__ void ftl_substep_on_device(FtlUniforms uniforms, const FtlBlock* blocks, int count) {
    const int strand = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (strand < count)
        ftl_substep<float>(uniforms, from_lane(blocks[strand / kLanes], strand % kLanes));
}

__global__ void spring_substep_on_device(SpringUniforms uniforms, const SpringBlock* blocks,
                                         int count) {
    const int strand = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (strand < count)
        spring_substep<float>(uniforms, from_lane(blocks[strand / kLanes], strand % kLanes));
}

}  // namespace ringlet
