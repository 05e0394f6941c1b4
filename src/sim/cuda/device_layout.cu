#include <algorithm>

#include "sim/cuda/device_layout.h"

namespace ringlet {

namespace {

// One thread block per host block. Padding rows are zero on the host.
__global__ void reorder_blocks(DeviceStrands strands, const std::int32_t* host_first_rows, Per per,
                               int components, float* in_host_order, float* in_device_order,
                               bool to_device) {
    const int block = static_cast<int>(blockIdx.x), group = block / kWarpBlocks;
    const bool by_row = per == Per::row;
    const int host_first = by_row ? host_first_rows[block] : block;
    const int host_rows = by_row ? host_first_rows[block + 1] - host_first : 1;
    const int rows = by_row ? strands.rows[block] : 1;
    const int first = by_row ? strands.first_rows[group] : group;
    const int width = components * kLanes;
    const auto at = [](int row, int floats) { return static_cast<std::size_t>(row) * floats; };
    for (int k = static_cast<int>(threadIdx.x); k < host_rows * width;
         k += static_cast<int>(blockDim.x)) {
        const int row = k / width, component = k % width / kLanes, lane = k % kLanes;
        float& there = in_host_order[at(host_first, width) + k];
        if (row >= rows) {
            if (!to_device) there = 0;
            continue;
        }
        float& here = in_device_order[at(first + row, components * kWarp) + component * kWarp +
                                      block % kWarpBlocks * kLanes + lane];
        (to_device ? here : there) = to_device ? there : here;
    }
}

}  // namespace

DeviceLayout::DeviceLayout(const StrandLayout& host)
    : block_count_(host.block_count()),
      group_count_((block_count_ + kWarpBlocks - 1) / kWarpBlocks),
      vertex_total_(host.vertex_total()),
      host_row_count_(static_cast<std::size_t>(host.row_count())) {
    std::vector<std::int32_t> rows, ends, host_first_rows;
    for (int g = 0; g < group_count_; ++g) {
        int most = 0;
        for (int b = g * kWarpBlocks; b < (g + 1) * kWarpBlocks; ++b) {
            const bool exists = b < block_count_;
            rows.push_back(exists ? host.rows(b) : 0);
            most = std::max(most, rows.back());
            for (int lane = 0; lane < kLanes; ++lane) {
                const int strand = exists ? host.strand_at(b, lane) : -1;
                ends.push_back(strand < 0 ? 0 : host.vertex_count(strand));
            }
        }
        first_row_list_.push_back(first_row_list_.back() + most);
        max_rows_ = std::max(max_rows_, most);
    }
    for (int b = 0; b < block_count_; ++b) host_first_rows.push_back(host.first_row(b));
    host_first_rows.push_back(host.row_count());
    const auto upload = [](DeviceArray<std::int32_t>& on_device,
                           const std::vector<std::int32_t>& list) {
        on_device = DeviceArray<std::int32_t>(list.size());
        on_device.upload(list.data());
    };
    upload(first_rows_, first_row_list_);
    upload(rows_, rows);
    upload(ends_, ends);
    upload(host_first_rows_, host_first_rows);
}

std::size_t DeviceLayout::floats(int components, Per per) const {
    const int rows = per == Per::row ? first_row_list_.back() : group_count_;
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(components * kWarp);
}

std::size_t DeviceLayout::host_floats(int components, Per per) const {
    const std::size_t rows =
        per == Per::row ? host_row_count_ : static_cast<std::size_t>(block_count_);
    return rows * static_cast<std::size_t>(components * kLanes);
}

DeviceLayout::Slot DeviceLayout::slot(const StrandLayout& host, int strand) const {
    const StrandLayout::Slot at = host.slot(strand);
    return {first_row_list_[static_cast<std::size_t>(at.block / kWarpBlocks)],
            at.block % kWarpBlocks * kLanes + at.lane};
}

void DeviceLayout::reorder(int components, Per per, float* in_host_order, float* in_device_order,
                           bool to_device, cudaStream_t stream) const {
    if (block_count_ == 0) return;
    reorder_blocks<<<block_count_, kVertexThreads, 0, stream>>>(strands(), host_first_rows_.data(),
                                                                per, components, in_host_order,
                                                                in_device_order, to_device);
    check_cuda(cudaGetLastError());
}

}  // namespace ringlet
