// Software renderers run the invocations of a workgroup one after the other: few of them, with many
// items each, and few digits.
const uint kDigitBits = kSerialDigitBits;
const int kSortThreads = 64;
