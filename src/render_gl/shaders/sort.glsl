// A stable radix sort. Each pass counts the digits in every tile of items, computes prefix sums of
// the counts, and scatters the items to the positions the sums give. Needs before it:
//   kDigitBits, kSortThreads  the bits of a digit, the invocations of a workgroup
const uint kDigits = 1u << kDigitBits;
const uint kThreads = uint(kSortThreads);
const uint kItemsPerThread = kSortTile / kThreads;
layout(local_size_x = kSortThreads) in;

layout(location = kSortShiftUniform) uniform uint shift;
layout(std430, binding = kSortSizeBinding) readonly buffer SortSize {
    uint item_count;
    uint groups[3];  // of the passes that have one workgroup per tile
};

// counts[digit][tile], then the total of each digit.
layout(std430, binding = kSortCountBinding) buffer Counts { uint counts[]; };

uint tiles_of(uint items) { return (items + kSortTile - 1u) / kSortTile; }

uint digit_of(uint key) { return (key >> shift) & (kDigits - 1u); }
