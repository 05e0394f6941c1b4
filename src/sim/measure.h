// Measures the quality of a state: stretch, penetration, non-finite vertices. Runs at the end of a
// frame, on the device if there is one; only the totals are copied to the host. CPU and device
// compute the same values.
#pragma once

#include "sim/block_kernel.h"
#include "sim/kernels/measure_kernel.h"
#include "sim/model.h"
#include "strand/strand_division.h"

namespace ringlet {

struct Measurement {
    double max_stretch = 0;  // |length - rest| / rest over all segments of non-zero rest length
    double sum_stretch = 0;
    std::int64_t segment_count = 0;
    double stretch_p99 = 0;      // 99th percentile over strands of each strand's largest stretch
    double max_penetration = 0;  // m below a collider's surface
    std::int64_t penetrating_vertices = 0;
    std::int64_t nonfinite_vertices = 0;
};

class Measurer {
public:
    Measurer(const LayoutRef& layout, const SimSettings& settings, LaneKind lanes);

    // Measures only this rank's strands from now on. The first rank collects the measurements of
    // all strands; measure() returns the sums there, and only there.
    void divide(const StrandDivision& division, std::span<const int> own_blocks);

    // Vertices held by the head do not count as penetrating. With a device, the state on the device
    // is measured, and `colliders` points to device memory (Device::upload_colliders).
    Measurement measure(const SimState& state, const Model& model,
                        std::span<const PlacedCollider> colliders, const TaskPool& pool,
                        Device* device);

private:
    MeasuredTotals sum_measurements(const TaskPool& pool) const;

    int held_;
    StrandChannel<1> count_;                 // vertex count
    StrandChannel<kMeasuredRows> measured_;  // MeasuredRow
    BlockKernel<MeasureKernel> kernel_;
    StrandDivision division_;
};

}  // namespace ringlet
