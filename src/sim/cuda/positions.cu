#include "sim/cuda/positions.h"

#include "sim/cuda/cuda_device.h"

namespace ringlet {

namespace {

// Maps floats to integers in the same order, and back.
RINGLET_KERNEL std::int32_t ordered_bits(float a) {
    const std::int32_t bits = bits_of(a);
    return bits < 0 ? bits ^ 0x7fffffff : bits;
}
RINGLET_KERNEL float from_ordered_bits(std::int32_t order) {
    return from_bits(order < 0 ? order ^ 0x7fffffff : order);
}

__device__ bool is_in_reach(Vec3f p, float reach) {
    return abs(p.x) < reach && abs(p.y) < reach && abs(p.z) < reach;
}

// One thread per strand. `box` is the lower, then the upper corner, as ordered_bits.
__global__ void find_box(DeviceStrands strands, const float* x, float reach, std::int32_t* box) {
    __shared__ std::int32_t own[6];
    const int group = thread_number() / kWarp, lane = thread_number() % kWarp;
    if (threadIdx.x < 6) own[threadIdx.x] = ordered_bits(threadIdx.x < 3 ? reach : -reach);
    __syncthreads();
    Vec3f low{reach, reach, reach}, high = -low;
    DeviceVertex vertex = vertex_of(strands, group, 0, lane);
    if (vertex.exists && is_in_reach(vertex.vec3(x), reach))
        for (int i = 0; i < vertex.end; ++i, ++vertex.row) {
            const Vec3f p = vertex.vec3(x);
            if (!is_in_reach(p, reach)) continue;
            low = {min(low.x, p.x), min(low.y, p.y), min(low.z, p.z)};
            high = {max(high.x, p.x), max(high.y, p.y), max(high.z, p.z)};
        }
    const std::int32_t found[6] = {ordered_bits(low.x),  ordered_bits(low.y),
                                   ordered_bits(low.z),  ordered_bits(high.x),
                                   ordered_bits(high.y), ordered_bits(high.z)};
    for (int k = 0; k < 6; ++k) {
        std::int32_t best = found[k];
        for (int step = kWarp / 2; step > 0; step /= 2) {
            const std::int32_t other = __shfl_xor_sync(0xffffffffu, best, step);
            best = (k < 3) == (other < best) ? other : best;
        }
        if (lane != 0) continue;
        if (k < 3)
            atomicMin(&own[k], best);
        else
            atomicMax(&own[k], best);
    }
    __syncthreads();
    if (threadIdx.x < 3)
        atomicMin(&box[threadIdx.x], own[threadIdx.x]);
    else if (threadIdx.x < 6)
        atomicMax(&box[threadIdx.x], own[threadIdx.x]);
}

__global__ void pick_vertices(const DeviceLayout::Slot* slots, int count, const float* x,
                              Vec3f* out) {
    const int n = thread_number();
    if (n >= count) return;
    const DeviceLayout::Slot at = slots[n];
    out[n] =
        load_vec3<float>(x + static_cast<std::size_t>(at.first_row) * 3 * kWarp + at.lane, kWarp);
}

}  // namespace

void CudaPositions::set_source(const LayoutRef& host_layout, const DeviceLayout& layout,
                               const Channel<3>* host, float* data) {
    if (host_layout_ != host_layout) stride_ = 0;
    host_layout_ = host_layout;
    layout_ = &layout;
    host_ = host;
    data_ = data;
}

void CudaPositions::choose_sample(int stride) {
    if (stride_ == stride) return;
    stride_ = stride;
    std::vector<DeviceLayout::Slot> slots;
    for (int strand = 0; strand < host_layout_->strand_count(); strand += stride) {
        const DeviceLayout::Slot root = layout_->slot(*host_layout_, strand);
        for (int i = 0; i < host_layout_->vertex_count(strand); ++i)
            slots.push_back({root.first_row + i, root.lane});
    }
    sample_slots_ = DeviceArray<DeviceLayout::Slot>(slots.size());
    sample_slots_.upload(slots.data());
    sample_ = DeviceArray<Vec3f>(slots.size());
}

void CudaPositions::survey(float reach, int stride, StrandSurvey& out) {
    const cudaStream_t stream = device_.stream();
    std::int32_t box[6];
    for (int k = 0; k < 6; ++k) box[k] = ordered_bits(k < 3 ? reach : -reach);
    check_cuda(cudaMemcpyAsync(box_.data(), box, sizeof box, cudaMemcpyHostToDevice, stream));
    const DeviceStrands strands = layout_->strands();
    find_box<<<blocks_for(std::int64_t{strands.group_count} * kWarp), kVertexThreads, 0, stream>>>(
        strands, data_, reach, box_.data());
    choose_sample(stride);
    out.sample.resize(sample_.size());
    pick_vertices<<<blocks_for(static_cast<std::int64_t>(sample_.size())), kVertexThreads, 0,
                    stream>>>(sample_slots_.data(), static_cast<int>(sample_.size()), data_,
                              sample_.data());
    check_cuda(cudaGetLastError());
    check_cuda(cudaMemcpyAsync(box, box_.data(), sizeof box, cudaMemcpyDeviceToHost, stream));
    check_cuda(cudaMemcpyAsync(out.sample.data(), sample_.data(), sample_.byte_count(),
                               cudaMemcpyDeviceToHost, stream));
    device_.finish();
    out.low = {from_ordered_bits(box[0]), from_ordered_bits(box[1]), from_ordered_bits(box[2])};
    out.high = {from_ordered_bits(box[3]), from_ordered_bits(box[4]), from_ordered_bits(box[5])};
}

void CudaState::set(const Channel<3>& x) {
    x.on(device_);
    set_source(x.layout_ref(), device_.memory().layout_of(x.layout_ref()), &x,
               x.device_buffer()->data());
}

void CudaPositions::fetch() { host_->read(); }

}  // namespace ringlet
