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

// The mean cosine of the deflection of each lobe, for each inclination and offset.
using MeanCosines = std::array<std::array<FibreLobes, kOffsets>, ScatterTable::kAngles>;

float angle_at(int i) { return (static_cast<float>(i) + 0.5f) / ScatterTable::kAngles * kPi / 2; }

// The absorption at the c-th colour of the table.
float tabulated_absorption(const Fibre& fibre, int c) {
    const float root = (static_cast<float>(c) + 0.5f) / ScatterTable::kColours;
    return absorption_of_colour(root * root, fibre.rough_around);
}

// The means of the sine and the cosine of the inclination at which a lobe leaves.
struct MeanInclination {
    float sine, cosine;
};

MeanInclination mean_inclination(float theta, float variance) {
    constexpr int kSteps = 180;
    float sum = 0, sine = 0, cosine = 0;
    for (int i = 0; i < kSteps; ++i) {
        const float out = (static_cast<float>(i) + 0.5f) / kSteps * kPi - kPi / 2;
        const float amount = spread_along(theta, out, variance) * std::cos(out);
        sum += amount;
        sine += amount * std::sin(out);
        cosine += amount * std::cos(out);
    }
    return {sine / sum, cosine / sum};
}

float mean_azimuth_cosine(const Fibre& fibre, int lobe, float h, float theta) {
    float sum = 0, all = 0;
    for (int k = 0; k < kAzimuths; ++k) {
        const float azimuth = (static_cast<float>(k) + 0.5f) / kAzimuths * 2 * kPi - kPi;
        const float amount = spread_around(fibre, lobe, azimuth, h, theta);
        all += amount;
        sum += amount * std::cos(azimuth);
    }
    return sum / all;
}

// Directions point away from the fibre, so light that passes straight on leaves opposite to where
// it came from.
MeanCosines mean_cosines(const Fibre& fibre) {
    const FibreLobes variances = lobe_variances(fibre), tilts = lobe_tilts(fibre);
    MeanCosines out{};
    for (int a = 0; a < ScatterTable::kAngles; ++a)
        for (int p = 0; p < kFibreLobes; ++p) {
            const auto lobe = static_cast<std::size_t>(p);
            const float theta = angle_at(a);
            const MeanInclination left = mean_inclination(theta - tilts[lobe], variances[lobe]);
            for (int i = 0; i < kOffsets; ++i)
                out[static_cast<std::size_t>(a)][static_cast<std::size_t>(i)][lobe] =
                    -std::sin(theta) * left.sine -
                    std::cos(theta) * left.cosine *
                        mean_azimuth_cosine(fibre, p, offset_at(i), theta);
        }
    return out;
}

// A fibre meets light in proportion to the cosine of its inclination, and there are as many
// directions of each inclination as its cosine.
SoftScatter soft_scatter(const Fibre& fibre, const MeanCosines& cosines, float absorption) {
    float albedo = 0, forward = 0, all = 0;
    for (int a = 0; a < ScatterTable::kAngles; ++a) {
        const float cosine = std::cos(angle_at(a)), weight = cosine * cosine;
        for (int i = 0; i < kOffsets; ++i) {
            const FibreLobes shares = lobe_shares(fibre, absorption, offset_at(i), angle_at(a));
            const FibreLobes& means =
                cosines[static_cast<std::size_t>(a)][static_cast<std::size_t>(i)];
            all += weight;
            for (std::size_t p = 0; p < kFibreLobes; ++p) {
                albedo += weight * shares[p];
                forward += weight * shares[p] * means[p];
            }
        }
    }
    albedo /= all;
    forward /= all;
    return {forward, (albedo - forward) / (1 - forward)};
}

}  // namespace

SoftScatter soft_scatter(const Fibre& fibre, float absorption) {
    return soft_scatter(fibre, mean_cosines(fibre), absorption);
}

ScatterAverages scatter_averages(const Fibre& fibre, float absorption, float theta) {
    return averages(fibre, forward_shares(fibre, theta), absorption, theta);
}

ScatterTable scatter_table(const Fibre& fibre) {
    ScatterTable table;
    for (int a = 0; a < ScatterTable::kAngles; ++a) {
        const float theta = angle_at(a);
        const ForwardShares forward = forward_shares(fibre, theta);
        for (int c = 0; c < ScatterTable::kColours; ++c) {
            table.entries.push_back(
                averages(fibre, forward, tabulated_absorption(fibre, c), theta));
        }
    }
    const MeanCosines cosines = mean_cosines(fibre);
    for (int c = 0; c < ScatterTable::kColours; ++c)
        table.soft.push_back(soft_scatter(fibre, cosines, tabulated_absorption(fibre, c)));
    return table;
}

}  // namespace ringlet
