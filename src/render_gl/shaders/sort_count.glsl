// Counts the digits in each tile. Needs sort.glsl before it.
layout(std430, binding = kSortKeyBinding) readonly buffer Keys { uint keys[]; };

shared uint found[kDigits];

void main() {
    uint thread = gl_LocalInvocationIndex, items = item_count, tile_count = tiles_of(items);
    if (thread < kDigits) found[thread] = 0u;
    barrier();
    for (uint k = 0u; k < kItemsPerThread; ++k) {
        uint i = gl_WorkGroupID.x * kSortTile + k * kThreads + thread;
        if (i < items) atomicAdd(found[digit_of(keys[i])], 1u);
    }
    barrier();
    if (thread < kDigits) counts[thread * tile_count + gl_WorkGroupID.x] = found[thread];
}
