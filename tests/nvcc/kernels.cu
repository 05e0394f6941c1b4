// Compiled, not run: every kernel as the GPU would launch it, one thread a strand.
#include "collide/hair_grid_kernel.h"
#include "fur/tip_kernel.h"
#include "sim/kernels/wind_kernel.h"
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

__global__ void wind_substep_on_device(WindUniforms uniforms, const WindBlock* blocks, int count) {
    const int strand = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (strand < count)
        wind_substep<float>(uniforms, from_lane(blocks[strand / kLanes], strand % kLanes));
}

// One thread a vertex: its block alone, from its lane on.
__global__ void move_tips_on_device(TipUniforms uniforms, TipBlocks blocks, int vertices) {
    const int vertex = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (vertex >= vertices) return;
    const int block = vertex / kTipLanes;
    const TipBlocks own{blocks.rest_of(block), blocks.state_of(block), blocks.flow_of(block), 1};
    move_tips<float>(uniforms, from_lane(own, vertex % kTipLanes));
}

__device__ void add_to(std::int64_t& sum, double a) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&sum),
              static_cast<unsigned long long>(to_fixed(a)));
}

// One thread a vertex, all in one patch.
__global__ void splat_on_device(const Vec3f* x, const Vec3f* v, NodeSum* patch, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count || !is_in_reach(x[i]) || !is_slow_enough(v[i])) return;
    const GridPlace place = place_of(x[i]);
    float weights[8];
    corner_weights(place.t, weights);
    for (int k = 0; k < 8; ++k) {
        NodeSum& node = patch[first_corner(place) + patch_corner(k)];
        const double w = static_cast<double>(weights[k]);
        add_to(node.mass, w);
        add_to(node.momentum[0], w * static_cast<double>(v[i].x));
    }
}

__global__ void mix_on_device(MixUniforms uniforms, const Vec3f* x, Vec3f* v, const NodeSum* sums,
                              NodeAnswer* answers, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count) return;
    set_answer(answers[i], uniforms, sums[i], Vec3f{0, 0, 0});
    const float pressure[8] = {answers[i].pressure};
    v[i] = mixed(v[i], answers[i]) + squeezed_out(uniforms, pressure, place_of(x[i]).t);
}

}  // namespace ringlet
