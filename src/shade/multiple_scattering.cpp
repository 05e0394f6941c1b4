#include "shade/multiple_scattering.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"

namespace ringlet {

namespace {

constexpr int kAcross = 24;  // places across the fibre
constexpr int kTurns = 72;   // directions around it

// For each place across the fibre, the share of each lobe's light that goes on.
using ForwardShares = std::array<FibreLobes, kAcross>;

float place_across(int i) { return (static_cast<float>(i) + 0.5f) / kAcross * 2 - 1; }

// A lobe that leaves at `turn` ends in the far half space for all but turn's share of the half
// circle the light may come from (the mean over phi in their equation 6).
ForwardShares forward_shares(const Fibre& fibre, float theta) {
    ForwardShares forward{};
    for (int i = 0; i < kAcross; ++i)
        for (int p = 0; p < kFibreLobes; ++p) {
            float sum = 0, all = 0;
            for (int k = 0; k < kTurns; ++k) {
                const float turn = (static_cast<float>(k) + 0.5f) / kTurns * 2 * kPi - kPi;
                const float amount = spread_around(fibre, p, turn, place_across(i), theta);
                all += amount;
                // The light comes from phi = 0, so straight on is at pi.
                sum += amount * std::abs(turn) / kPi;
            }
            forward[static_cast<std::size_t>(i)][static_cast<std::size_t>(p)] = sum / all;
        }
    return forward;
}

ScatterAverages averages(const Fibre& fibre, const ForwardShares& forward, float absorption,
                         float theta) {
    const FibreLobes variances = lobe_variances(fibre), tilts = lobe_tilts(fibre);
    ScatterAverages out{};
    float forward_width = 0, backward_width = 0;
    for (int i = 0; i < kAcross; ++i) {
        const FibreLobes shares = lobe_shares(fibre, absorption, place_across(i), theta);
        for (std::size_t p = 0; p < kFibreLobes; ++p) {
            const float on = shares[p] * forward[static_cast<std::size_t>(i)][p] / kAcross;
            const float back = shares[p] / kAcross - on;
            const float width = variances[p] + tilts[p] * tilts[p];
            out.forward += on;
            out.backward += back;
            forward_width += on * width;
            backward_width += back * width;
        }
    }
    out.forward_spread = std::sqrt(forward_width / std::max(out.forward, kTiny));
    out.backward_spread = std::sqrt(backward_width / std::max(out.backward, kTiny));
    return out;
}

}  // namespace

ScatterAverages scatter_averages(const Fibre& fibre, float absorption, float theta) {
    return averages(fibre, forward_shares(fibre, theta), absorption, theta);
}

ScatterTable scatter_table(const Fibre& fibre) {
    ScatterTable table;
    for (int a = 0; a < ScatterTable::kAngles; ++a) {
        const float theta = (static_cast<float>(a) + 0.5f) / ScatterTable::kAngles * kPi / 2;
        const ForwardShares forward = forward_shares(fibre, theta);
        for (int c = 0; c < ScatterTable::kColours; ++c) {
            const float root = (static_cast<float>(c) + 0.5f) / ScatterTable::kColours;
            const float absorption = absorption_of_colour(root * root, fibre.rough_around);
            table.entries.push_back(averages(fibre, forward, absorption, theta));
        }
    }
    return table;
}

}  // namespace ringlet
