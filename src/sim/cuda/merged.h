// Displayed positions of several devices, merged into one layout by the first device
// (sim/device.h).
#pragma once

#include <unordered_map>

#include "sim/cuda/positions.h"
#include "sim/device.h"

namespace ringlet {

class CudaMerged final : public CudaPositions {
public:
    using CudaPositions::CudaPositions;

    void merge(const CudaDevice& from, const DeviceMerge& what);

private:
    using Slots = DeviceArray<DeviceLayout::Slot>;
    const Slots& slots_of(const CudaPositions& shown, int first_strand);

    LayoutRef all_;
    const DeviceLayout* all_layout_ = nullptr;
    std::unordered_map<int, Slots> slots_;  // by first strand: target slots, indexed by source slot
};

}  // namespace ringlet
