// GPUs run many invocations side by side. Sorting eight bits at a time needs two passes.
const uint kDigitBits = kParallelDigitBits;
const int kSortThreads = 256;
