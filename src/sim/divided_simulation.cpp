// The part of Simulation that divides the strands over ranks (strand/strand_division.h).
#include "base/assert.h"
#include "sim/simulation.h"

namespace ringlet {

std::pair<int, int> Simulation::collect_repaired() {
    std::pair<int, int> first = model_->collect_repaired();
    // Both in one number: the strand in the upper half, so that the first strand is the least.
    const auto packed = [](std::pair<int, int> at) {
        return std::int64_t{at.first} << 32 | static_cast<std::uint32_t>(at.second);
    };
    division_.collect_number(packed(first), [&](std::int64_t number) {
        const std::pair<int, int> other{static_cast<int>(number >> 32),
                                        static_cast<std::int32_t>(number)};
        if (other.first >= 0 && (first.first < 0 || other < first)) first = other;
    });
    return first;
}

int Simulation::collect_strain_limited() {
    int count = model_->collect_strain_limited();
    division_.collect_number(count, [&](std::int64_t other) { count += static_cast<int>(other); });
    return count;
}

void Simulation::divide(const StrandDivision& division) {
    RINGLET_ASSERT(!detail_ && !contacts_,
                   "only a simulation of all strands, without contact, is divided");
    division_ = division;
    const StrandLayout& layout = state_.x.layout();
    own_strands_.assign(static_cast<std::size_t>(layout.strand_count()), 0);
    std::vector<int> blocks;
    for (int b = division.first_block(); b < division.end_block(); ++b) {
        blocks.push_back(b);
        for (int lane = 0; lane < kLanes; ++lane)
            if (const int s = layout.strand_at(b, lane); s >= 0)
                own_strands_[static_cast<std::size_t>(s)] = 1;
    }
    if (device_) device_->set_blocks(division.first_block(), division.end_block());
    model_->set_active_blocks(blocks);
    wind_field_.set_active_blocks(blocks);
    measurer_.divide(division, blocks);
    if (coupling_) coupling_->divide(division);
}

void Simulation::collect(std::span<const StatePiece> pieces) const {
    for (const StatePiece& piece : pieces)
        if (piece.per) division_.collect(state_.x.layout(), piece, *piece.per);
}

}  // namespace ringlet
