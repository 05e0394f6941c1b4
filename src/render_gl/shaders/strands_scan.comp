#version 450 core
// Exclusive prefix sums of the workgroups' numbers of pairs, and the number of workgroups whose
// first pair has room. One workgroup, a run of sums per thread.
#include "round.glsl"
layout(local_size_x = kSortGroupSize) in;
layout(std430, binding = kPairSumBinding) buffer Sums { uint sums[]; };

const uint kThreads = uint(kSortGroupSize);
const uint kMany = 1u << 30;  // sums stop growing here, before they overflow

shared uint run_sums[kThreads], fitting;

void main() {
    uint thread = gl_LocalInvocationIndex;
    uint count = round_state.count_groups[0], each = (count + kThreads - 1u) / kThreads;
    uint first = min(thread * each, count), last = min(first + each, count);
    uint sum = 0u;
    for (uint i = first; i < last; ++i) sum = min(sum + sums[i], kMany);
    run_sums[thread] = sum;
    if (thread == 0u) fitting = 0u;
    barrier();
    uint before = 0u;
    for (uint left = 0u; left < thread; ++left) before = min(before + run_sums[left], kMany);
    uint own = 0u;
    for (uint i = first; i < last; ++i) {
        uint pairs = sums[i];
        sums[i] = before;
        if (before < pair_limit) own = i + 1u;
        before = min(before + pairs, kMany);
    }
    atomicMax(fitting, own);
    barrier();
    if (thread == 0u) round_state.list_groups = uint[](fitting, 1u, 1u);
}
