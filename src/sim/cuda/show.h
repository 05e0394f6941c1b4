// Displayed positions (sim/device.h), computed on the device.
#pragma once

#include "sim/cuda/positions.h"
#include "sim/device.h"

namespace ringlet {

class CudaShow final : public CudaPositions {
public:
    using CudaPositions::CudaPositions;

    void show(const DeviceShow& what);

    // A displayed strand, indexed by its slot on the device.
    struct Shown {
        GuideWeights by;      // of a child
        std::int32_t guide;   // index among the simulated strands, or -1
        std::int32_t strand;  // index among all displayed strands
    };
    struct Guide {
        DeviceLayout::Slot at;
        std::int32_t first_motion;  // of its vertices, one each
        std::int32_t last;          // index of its tip
    };

private:
    void prepare(const DeviceShow& what);
    void interpolate_children(const DeviceShow& what);
    const Rigidf* move_skin(const DeviceShow& what);

    LayoutRef prepared_for_;
    bool has_children_ = false;
    // Used with children:
    const DeviceLayout* all_ = nullptr;
    DeviceArray<Shown> strands_;  // per slot of all_
    DeviceArray<Guide> guides_;   // per guide
    DeviceArray<float> interpolated_;
    DeviceArray<GuideMotion> motions_;
    DeviceArray<float> head_shares_;  // per root; empty if none is on the neck
    DeviceArray<Rigidf> skin_;        // per root; empty if all follow the head
};

}  // namespace ringlet
