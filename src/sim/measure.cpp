#include "sim/measure.h"

#include <algorithm>

namespace ringlet {

Measurer::Measurer(const LayoutRef& layout, const SimSettings& settings, LaneKind lanes)
    : held_(settings.hold_roots ? (settings.clamp_root ? 2 : 1) : 0),
      count_(layout),
      measured_(layout),
      kernel_(layout, lanes) {
    for (int s = 0; s < layout->strand_count(); ++s)
        count_.at(s) = static_cast<float>(layout->vertex_count(s));
}

MeasuredTotals Measurer::sum_measurements(const TaskPool& pool) const {
    const int strands = measured_.slot_count();
    std::vector<MeasuredSum> sums(static_cast<std::size_t>(sums_of(strands)));
    pool.for_each(static_cast<int>(sums.size()), [&](int n) {
        sums[static_cast<std::size_t>(n)] = nth_sum(measured_.block(0), strands, n);
    });
    while (sums.size() > 1) {
        const int count = static_cast<int>(sums.size());
        std::vector<MeasuredSum> next;
        for (int n = 0; n < sums_of(count); ++n) next.push_back(nth_sum(sums.data(), count, n));
        sums = std::move(next);
    }
    std::vector<float> stretches;
    stretches.reserve(static_cast<std::size_t>(strands));
    for (int s = 0; s < strands; ++s) stretches.push_back(*measured_of(measured_.block(0), s));
    const auto at = stretches.begin() + strands_above_p99(kernel_.layout().strand_count());
    std::nth_element(stretches.begin(), at, stretches.end(), std::greater<>());
    return {sums.front(), *at};
}

void Measurer::divide(const StrandDivision& division, std::span<const int> own_blocks) {
    division_ = division;
    kernel_.set_active_blocks(own_blocks);
}

Measurement Measurer::measure(const SimState& state, const Model& model,
                              std::span<const PlacedCollider> colliders, const TaskPool& pool,
                              Device* device) {
    if (count_.empty()) return {};
    ChannelAccess access(device);
    if (division_.has_blocks())
        kernel_.run({colliders.data(), static_cast<int>(colliders.size()), held_},
                    {.rows = 0,
                     .x = access.read(state.x),
                     .v = access.read(state.v),
                     .lengths = model.rest_lengths(access),
                     .count = access.read(count_),
                     .measured = access.edit(measured_)},
                    pool, access);
    if (division_.is_divided()) {
        division_.collect(kernel_.layout(), measured_.edit().memory_to_write(), Per::block);
        if (!division_.is_first()) return {};
    }
    const MeasuredTotals totals =
        device ? device->sum_measurements(measured_) : sum_measurements(pool);
    return {.max_stretch = static_cast<double>(totals.sum.max_stretch),
            .sum_stretch = totals.sum.stretch,
            .segment_count = totals.sum.segments,
            .stretch_p99 = static_cast<double>(totals.stretch_p99),
            .max_penetration = static_cast<double>(totals.sum.max_depth),
            .penetrating_vertices = totals.sum.penetrating,
            .nonfinite_vertices = totals.sum.nonfinite};
}

}  // namespace ringlet
