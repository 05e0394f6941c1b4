// A stable radix sort by keys of 15 bits, 5 at a time: each pass counts the digits of every tile,
// sums the counts, and puts every item where the sums say.
const uint kDigits = 32u;
const uint kThreads = 128u;        // of a workgroup
const uint kItemsPerThread = 32u;  // in one tile: the thread's own, one after the other
const uint kTile = kThreads * kItemsPerThread;
layout(local_size_x = 128) in;

layout(location = 0) uniform uint shift;
layout(location = 1) uniform uint item_count;
layout(location = 2) uniform uint tile_count;

// counts[digit][tile], then the total of each digit.
layout(std430, binding = 2) buffer Counts { uint counts[]; };

uint digit_of(uint key) { return (key >> shift) & (kDigits - 1u); }
