#include "sim/measure.h"

#include <algorithm>

namespace ringlet {

RINGLET_KERNEL_COPIES(measure, Measure);

Measurer::Measurer(const LayoutRef& layout, const SimSettings& settings, LaneKind lanes)
    : held_(settings.hold_roots ? (settings.clamp_root ? 2 : 1) : 0),
      count_(static_cast<std::size_t>(layout->block_count()) * kLanes),
      measured_(count_.size() * kMeasuredRows),
      kernel_(layout, lanes, kMeasureKernel) {
    for (int s = 0; s < layout->strand_count(); ++s) {
        const StrandLayout::Slot at = layout->slot(s);
        count_[static_cast<std::size_t>(at.block * kLanes + at.lane)] =
            static_cast<float>(layout->vertex_count(s));
    }
}

MeasuredTotals Measurer::sum_measurements(const TaskPool& pool) const {
    const int strands = static_cast<int>(count_.size());
    std::vector<MeasuredSum> sums(static_cast<std::size_t>(sums_of(strands)));
    pool.for_each(static_cast<int>(sums.size()), [&](int n) {
        sums[static_cast<std::size_t>(n)] = nth_sum(measured_.data(), strands, n);
    });
    while (sums.size() > 1) {
        const int count = static_cast<int>(sums.size());
        std::vector<MeasuredSum> next;
        for (int n = 0; n < sums_of(count); ++n) next.push_back(nth_sum(sums.data(), count, n));
        sums = std::move(next);
    }
    std::vector<float> stretches;
    stretches.reserve(measured_.size() / kMeasuredRows);
    for (int s = 0; s < strands; ++s) stretches.push_back(*measured_of(measured_.data(), s));
    const auto at = stretches.begin() + strands_above_p99(kernel_.layout().strand_count());
    std::nth_element(stretches.begin(), at, stretches.end(), std::greater<>());
    return {sums.front(), *at};
}

Measurement Measurer::measure(const SimState& state, const Model& model,
                              std::span<const PlacedCollider> colliders, const TaskPool& pool,
                              Device* device) {
    if (count_.empty()) return {};
    kernel_.run({colliders.data(), static_cast<int>(colliders.size()), held_},
                {.rows = 0,
                 .x = state.x.block(0),
                 .v = state.v.block(0),
                 .lengths = model.rest_lengths(),
                 .count = count_.data(),
                 .measured = measured_.data()},
                pool, device);
    const MeasuredTotals totals =
        device ? device->sum_measurements(measured_.data(), kernel_.layout().strand_count())
               : sum_measurements(pool);
    return {.max_stretch = static_cast<double>(totals.sum.max_stretch),
            .sum_stretch = totals.sum.stretch,
            .segment_count = totals.sum.segments,
            .stretch_p99 = static_cast<double>(totals.stretch_p99),
            .max_penetration = static_cast<double>(totals.sum.max_depth),
            .penetrating_vertices = totals.sum.penetrating,
            .nonfinite_vertices = totals.sum.nonfinite};
}

}  // namespace ringlet
