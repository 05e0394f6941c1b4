#include "sim/cuda/merged.h"

#include "sim/cuda/cuda_device.h"

namespace ringlet {

namespace {

__global__ void transform_strands(DeviceStrands strands, const float* x,
                                  const DeviceLayout::Slot* slots, Rigidf pose, float* out) {
    const DeviceVertex vertex = vertex_of_thread(strands);
    if (!vertex.exists) return;
    const int warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / kWarp);
    const DeviceLayout::Slot root = slots[warp / strands.max_rows * kWarp + vertex.lane];
    const auto row = static_cast<std::size_t>(root.first_row + vertex.vertex);
    store_vec3(out + row * 3 * kWarp + root.lane, kWarp, apply(pose, vertex.vec3(x)));
}

}  // namespace

const CudaMerged::Slots& CudaMerged::slots_of(const CudaPositions& shown, int first_strand) {
    Slots& target = slots_[first_strand];
    if (target.size() > 0) return target;
    const StrandLayout& own = shown.host_layout();
    std::vector<DeviceLayout::Slot> list(static_cast<std::size_t>(shown.layout().group_count()) *
                                         kWarp);
    for (int s = 0; s < own.strand_count(); ++s)
        list[static_cast<std::size_t>(own.slot_index(s))] =
            all_layout_->slot(*all_, first_strand + s);
    target = Slots(list.size());
    target.upload(list.data());
    return target;
}

// Synchronises both streams, because the devices have separate ones.
void CudaMerged::merge(const CudaDevice& from, const DeviceMerge& what) {
    const CudaPositions* const shown = from.show_of();
    if (!shown) return;
    if (all_ != what.all->layout_ref()) {
        all_ = what.all->layout_ref();
        all_layout_ = &device_.memory().layout_of(all_);
        slots_.clear();
    }
    check_cuda(cudaStreamSynchronize(from.stream()));
    float* const out = what.all->edit_on(device_);
    const DeviceStrands strands = shown->layout().strands();
    transform_strands<<<vertex_grid(strands), kVertexThreads, 0, device_.stream()>>>(
        strands, shown->data(), slots_of(*shown, what.first_strand).data(), what.pose, out);
    check_cuda(cudaGetLastError());
    device_.finish();
    set_source(all_, *all_layout_, what.all, out);
}

}  // namespace ringlet
