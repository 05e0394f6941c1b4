// Sums the measurements of all strands in the CPU's order, and finds the 99th percentile of stretch
// by a radix search, byte by byte.
#include "sim/cuda/cuda_device.h"

namespace ringlet {

namespace {

constexpr int kThreads = 256;
// Thread blocks that build the histogram; more blocks cost more additions than they save.
constexpr int kHistogramBlocks = 128;

__global__ void add_strands(const float* measured, int strands, MeasuredSum* sums) {
    const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (n < sums_of(strands)) sums[n] = nth_sum(measured, strands, n);
}

// Runs in one thread block until one sum is left; `next` holds the sums of each round.
__global__ void add_sums(MeasuredSum* sums, MeasuredSum* next, int count, MeasuredSum* out) {
    while (count > 1) {
        const int left = sums_of(count);
        for (int n = static_cast<int>(threadIdx.x); n < left; n += static_cast<int>(blockDim.x))
            next[n] = nth_sum(sums, count, n);
        __syncthreads();
        MeasuredSum* const unused = sums;
        sums = next;
        next = unused;
        count = left;
    }
    if (threadIdx.x == 0) *out = sums[0];
}

}  // namespace

// The state of the radix search. A stretch is not negative, so its bits sort like integers. `bits`
// holds the leading bytes found so far, `above` the rank among the strands that share them.
struct RankSearch {
    unsigned int bits, above;
    unsigned int done;  // thread blocks that have finished
    unsigned int counts[256];
};

namespace {

__global__ void find_byte(const float* measured, int strands, int shift, RankSearch* search) {
    __shared__ unsigned int counts[256];
    __shared__ bool is_last;
    const unsigned int bits = search->bits;
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int s = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); s < strands;
         s += static_cast<int>(gridDim.x * blockDim.x)) {
        const unsigned int own = __float_as_uint(*measured_of(measured, s));
        if ((std::uint64_t{own ^ bits} >> (shift + 8)) == 0)
            atomicAdd(&counts[own >> shift & 255], 1u);
    }
    __syncthreads();
    atomicAdd(&search->counts[threadIdx.x], counts[threadIdx.x]);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicAdd(&search->done, 1u) + 1 == gridDim.x;
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    counts[threadIdx.x] = atomicExch(&search->counts[threadIdx.x], 0u);
    __syncthreads();
    if (threadIdx.x != 0) return;
    unsigned int byte = 255;
    for (; byte > 0 && counts[byte] <= search->above; --byte) search->above -= counts[byte];
    search->bits = bits | byte << shift;
    search->done = 0;
}

}  // namespace

MeasuredTotals CudaDevice::sum_measurements(const StrandChannel<kMeasuredRows>& measured) {
    static_assert(kThreads == 256, "one thread per value of a byte");
    const int strands = layout().group_count() * kWarp, sums = sums_of(strands);
    const float* const there = measured.on(*this);
    if (sums_.size() < static_cast<std::size_t>(sums + sums_of(sums)) + 1)
        sums_ = DeviceArray<MeasuredSum>(static_cast<std::size_t>(sums + sums_of(sums)) + 1);
    if (search_.size() == 0) search_ = DeviceArray<RankSearch>(1);
    const RankSearch start{
        .above = static_cast<unsigned int>(strands_above_p99(measured.layout().strand_count()))};
    check_cuda(
        cudaMemcpyAsync(search_.data(), &start, sizeof start, cudaMemcpyHostToDevice, stream()));
    MeasuredSum* const total = sums_.data() + sums + sums_of(sums);
    add_strands<<<(sums + kThreads - 1) / kThreads, kThreads, 0, stream()>>>(there, strands,
                                                                             sums_.data());
    add_sums<<<1, kThreads, 0, stream()>>>(sums_.data(), sums_.data() + sums, sums, total);
    for (int shift = 24; shift >= 0; shift -= 8)
        find_byte<<<kHistogramBlocks, kThreads, 0, stream()>>>(there, strands, shift,
                                                               search_.data());
    check_cuda(cudaGetLastError());
    MeasuredTotals out{};
    check_cuda(cudaMemcpyAsync(&out.sum, total, sizeof out.sum, cudaMemcpyDeviceToHost, stream()));
    check_cuda(cudaMemcpyAsync(&out.stretch_p99, &search_.data()->bits, sizeof out.stretch_p99,
                               cudaMemcpyDeviceToHost, stream()));
    finish();
    return out;
}

}  // namespace ringlet
