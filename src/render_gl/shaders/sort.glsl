// A stable radix sort by 16-bit keys, kDigitBits at a time: each pass counts the digits of every
// tile, sums the counts, and puts every item where the sums say. struct SortPass of strand_sort.cpp.
const uint kDigits = 16u;          // values of a digit of 4 bits
const uint kThreads = 256u;        // of a workgroup
const uint kItemsPerThread = 16u;  // in one tile: the thread's own, one after the other
const uint kTile = kThreads * kItemsPerThread;
layout(local_size_x = 256) in;

layout(location = 0) uniform uint shift;
layout(location = 1) uniform uint item_count;
layout(location = 2) uniform uint tile_count;

// counts[digit][tile], then the total of each digit.
layout(std430, binding = 2) buffer Counts { uint counts[]; };

uint digit_of(uint key) { return (key >> shift) & (kDigits - 1u); }
