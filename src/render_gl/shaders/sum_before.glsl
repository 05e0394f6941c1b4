// Exclusive prefix sums over the invocations of a workgroup. All of them must call it. Sums stop
// growing at kMany, before they overflow. Needs kThreads, the number of invocations, before it.
const uint kMany = 1u << 30;
shared uint prefix_sums[kThreads];

uint sum_before(uint own) {
    uint thread = gl_LocalInvocationIndex;
    prefix_sums[thread] = min(own, kMany);
    barrier();
    for (uint apart = 1u; apart < kThreads; apart *= 2u) {
        uint left = thread >= apart ? prefix_sums[thread - apart] : 0u;
        barrier();
        prefix_sums[thread] = min(prefix_sums[thread] + left, kMany);
        barrier();
    }
    return thread > 0u ? prefix_sums[thread - 1u] : 0u;
}
