// Strands as they are shown (sim/device.h), made on the device.
#pragma once

#include "sim/cuda/positions.h"
#include "sim/device.h"

namespace ringlet {

class CudaShow final : public CudaPositions {
public:
    using CudaPositions::CudaPositions;

    void show(const DeviceShow& what);

    // A strand that is shown, by its place on the device.
    struct Shown {
        GuideWeights by;      // where it follows others
        std::int32_t guide;   // its number among those that are simulated, or -1
        std::int32_t strand;  // its number among all
    };
    struct Guide {
        DeviceLayout::Slot at;
        std::int32_t last;  // number of its tip
    };

private:
    void learn(const DeviceShow& what);
    void spread(const DeviceShow& what);

    LayoutRef learnt_;  // what the rest was made for
    bool has_children_ = false;
    // Where some follow others:
    DeviceLayout all_;
    DeviceArray<Shown> strands_;  // of the layout of all
    DeviceArray<Guide> guides_;   // by number
    DeviceArray<float> between_, turns_;
    DeviceArray<Rigidf> skin_;
};

}  // namespace ringlet
