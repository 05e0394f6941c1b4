#include "kernels/device_arithmetic.h"

#include "math/lanes.h"
#include "sim/cuda/memory.h"

namespace {

__device__ bool is_same(float a, float b) {
    return a == a ? ringlet::bits_of(a) == ringlet::bits_of(b) : b != b;
}

__global__ void compare(WronglyRounded* out) {
    using Count = unsigned long long;
    const auto add = [](std::uint64_t* to, bool wrong) {
        if (wrong) atomicAdd(reinterpret_cast<Count*>(to), Count{1});
    };
    for (Count k = blockIdx.x * blockDim.x + threadIdx.x; k < Count{1} << 32;
         k += gridDim.x * blockDim.x) {
        const float a = __uint_as_float(static_cast<unsigned>(k)), size = fabsf(a);
        const float root = __fsqrt_rn(a), over = __frcp_rn(a);
        add(&out->roots, !is_same(ringlet::sqrt(a), root));
        const bool is_huge = size >= 0x1p126f;
        add(is_huge ? &out->excepted : &out->reciprocals, !is_same(ringlet::reciprocal(a), over));
        if (size >= 0x1p-126f && !is_huge)
            add(&out->of_normals, !is_same(ringlet::reciprocal_of_normal(a), over));
    }
}

}  // namespace

bool has_device() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

WronglyRounded count_wrongly_rounded() {
    ringlet::DeviceArray<WronglyRounded> there(1);
    ringlet::check_cuda(cudaMemset(there.data(), 0, there.byte_count()));
    compare<<<1024, 256>>>(there.data());
    WronglyRounded out{};
    ringlet::check_cuda(cudaMemcpy(&out, there.data(), sizeof out, cudaMemcpyDeviceToHost));
    return out;
}
