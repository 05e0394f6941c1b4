#version 450 core
// Exclusive prefix sums of the workgroups' numbers of pairs, and the number of workgroups whose
// first pair has room. One workgroup, a run of sums per thread.
#include "round.glsl"
const uint kThreads = uint(kScanGroupSize);
#include "sum_before.glsl"
layout(local_size_x = kScanGroupSize) in;
layout(std430, binding = kPairSumBinding) buffer Sums { uint sums[]; };

shared uint fitting;

void main() {
    uint thread = gl_LocalInvocationIndex;
    uint count = round_state.count_groups[0], each = (count + kThreads - 1u) / kThreads;
    uint first = min(thread * each, count), last = min(first + each, count);
    uint sum = 0u;
    for (uint i = first; i < last; ++i) sum = min(sum + sums[i], kMany);
    if (thread == 0u) fitting = 0u;
    uint before = sum_before(sum), own = 0u;
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
