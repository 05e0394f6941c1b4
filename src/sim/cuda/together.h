// What several devices show, put together into one layout by the first of them (sim/device.h).
#pragma once

#include <unordered_map>

#include "sim/cuda/positions.h"
#include "sim/device.h"

namespace ringlet {

class CudaTogether final : public CudaPositions {
public:
    using CudaPositions::CudaPositions;

    void put(const CudaDevice& from, const DeviceTogether& what);

private:
    using Places = DeviceArray<DeviceLayout::Place>;
    const Places& places_of(const CudaPositions& shown, int first_strand);

    LayoutRef all_;
    DeviceLayout all_layout_;
    std::unordered_map<int, Places> places_;  // by first strand: of those shown, in their order
};

}  // namespace ringlet
