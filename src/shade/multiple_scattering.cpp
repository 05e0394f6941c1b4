#include "shade/multiple_scattering.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"

namespace ringlet {

namespace {

constexpr int kOffsets = 24;   // samples of h across the fibre
constexpr int kAzimuths = 72;  // samples around it

// For each offset, the share of each lobe's light that is scattered forward.
using ForwardShares = std::array<FibreLobes, kOffsets>;

float offset_at(int i) { return (static_cast<float>(i) + 0.5f) / kOffsets * 2 - 1; }

// Light may arrive from any azimuth of the front half circle. A lobe at `azimuth` from it then
// leaves into the far half space with the probability |azimuth| / pi (the mean over phi in equation
// 6 of Zinke et al.).
ForwardShares forward_shares(const Fibre& fibre, float theta) {
    ForwardShares forward{};
    for (int i = 0; i < kOffsets; ++i)
        for (int p = 0; p < kFibreLobes; ++p) {
            float sum = 0, all = 0;
            for (int k = 0; k < kAzimuths; ++k) {
                const float azimuth = (static_cast<float>(k) + 0.5f) / kAzimuths * 2 * kPi - kPi;
                const float amount = spread_around(fibre, p, azimuth, offset_at(i), theta);
                all += amount;
                // The light comes from phi = 0, so forward is at pi.
                sum += amount * std::abs(azimuth) / kPi;
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
    for (int i = 0; i < kOffsets; ++i) {
        const FibreLobes shares = lobe_shares(fibre, absorption, offset_at(i), theta);
        for (std::size_t p = 0; p < kFibreLobes; ++p) {
            const float on = shares[p] * forward[static_cast<std::size_t>(i)][p] / kOffsets;
            const float back = shares[p] / kOffsets - on;
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
