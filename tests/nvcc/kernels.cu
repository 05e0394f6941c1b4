// Compiles the kernels that no backend launches on a GPU yet, so that they remain valid device
// code. The build compiles the others (src/sim/cuda).
#include "fur/tip_kernel.h"

namespace ringlet {

// One thread per vertex.
__global__ void move_tips_on_device(TipUniforms uniforms, TipBlocks blocks, int vertices) {
    const int vertex = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (vertex >= vertices) return;
    const int block = vertex / kTipLanes;
    const TipBlocks own{blocks.rest_of(block), blocks.state_of(block), blocks.flow_of(block), 1};
    move_tips<float>(uniforms, from_lane(own, vertex % kTipLanes));
}

}  // namespace ringlet
