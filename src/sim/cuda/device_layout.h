// The device's version of a strand layout (strands.h), and conversion between the two orders.
#pragma once

#include <vector>

#include "sim/cuda/memory.h"
#include "sim/cuda/strands.h"
#include "strand/block_channels.h"

namespace ringlet {

class DeviceLayout {
public:
    DeviceLayout() = default;
    explicit DeviceLayout(const StrandLayout& host);

    DeviceStrands strands() const { return strands(0, group_count_); }
    // Some consecutive groups.
    DeviceStrands strands(int first, int count) const {
        return {first,
                first_rows_.data() + first,
                rows_.data() + first * kWarpBlocks,
                ends_.data() + first * kWarp,
                count,
                max_rows_};
    }
    int group_count() const { return group_count_; }
    int max_rows() const { return max_rows_; }
    std::int64_t vertex_total() const { return vertex_total_; }
    // The size in floats of a channel on the device and on the host.
    std::size_t floats(int components, Per per) const;
    std::size_t host_floats(int components, Per per) const;
    // The first row and the lane of a strand on the device.
    struct Slot {
        std::int32_t first_row, lane;
    };
    Slot slot(const StrandLayout& host, int strand) const;

    // Reorders a channel in device memory from one order to the other.
    void reorder(int components, Per per, float* in_host_order, float* in_device_order,
                 bool to_device, cudaStream_t stream) const;

private:
    int block_count_ = 0, group_count_ = 0, max_rows_ = 1;
    std::int64_t vertex_total_ = 0;
    std::vector<std::int32_t> first_row_list_{0};  // per group
    std::size_t host_row_count_ = 0;
    DeviceArray<std::int32_t> first_rows_, rows_, ends_, host_first_rows_;
};

}  // namespace ringlet
