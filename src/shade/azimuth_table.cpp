#include "shade/azimuth_table.h"

#include <cmath>

#include "math/elementary.h"

namespace ringlet {

namespace {

constexpr int kOffsets = 64;  // samples across the fibre

float centre(int i, int count) {
    return (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
}

// Samples are dense at the edges, where the reflectance rises.
float angle_across(int i) { return (centre(i, kOffsets) - 0.5f) * kPi; }
float offset_at(int i) { return std::sin(angle_across(i)); }
// The share of the width that a sample stands for.
float weight_at(int i) { return std::cos(angle_across(i)) * kPi / 2 / kOffsets; }

// spread_around() of every lobe, for each azimuth and offset.
using Spreads = std::vector<FibreLobes>;  // [azimuth][offset]

Spreads spreads_of(const Fibre& fibre, float theta) {
    Spreads out;
    for (int k = 0; k < AzimuthTable::kAzimuths; ++k)
        for (int i = 0; i < kOffsets; ++i) {
            FibreLobes lobes;
            for (int p = 0; p < kFibreLobes; ++p)
                lobes[static_cast<std::size_t>(p)] = spread_around(
                    fibre, p, centre(k, AzimuthTable::kAzimuths) * kPi, offset_at(i), theta);
            out.push_back(lobes);
        }
    return out;
}

// The entries of one colour and inclination.
void append_entries(const Fibre& fibre, const Spreads& spreads, float absorption, float theta,
                    std::vector<FibreLobes>& out) {
    std::vector<FibreLobes> shares;
    for (int i = 0; i < kOffsets; ++i) {
        shares.push_back(lobe_shares(fibre, absorption, offset_at(i), theta));
        for (float& share : shares.back()) share *= weight_at(i);
    }
    auto spread = spreads.begin();
    for (int k = 0; k < AzimuthTable::kAzimuths; ++k) {
        FibreLobes sum{};
        for (const FibreLobes& share : shares) {
            for (std::size_t p = 0; p < kFibreLobes; ++p) sum[p] += share[p] * (*spread)[p];
            ++spread;
        }
        out.push_back(sum);
    }
}

}  // namespace

AzimuthTable azimuth_table(const Fibre& fibre) {
    std::vector<Spreads> spreads;
    for (int a = 0; a < AzimuthTable::kAngles; ++a)
        spreads.push_back(spreads_of(fibre, centre(a, AzimuthTable::kAngles) * kPi / 2));
    AzimuthTable table;
    for (int c = 0; c < AzimuthTable::kColours; ++c) {
        const float root = centre(c, AzimuthTable::kColours);
        const float absorption = absorption_of_colour(root * root, fibre.rough_around);
        for (int a = 0; a < AzimuthTable::kAngles; ++a)
            append_entries(fibre, spreads[static_cast<std::size_t>(a)], absorption,
                           centre(a, AzimuthTable::kAngles) * kPi / 2, table.entries);
    }
    return table;
}

}  // namespace ringlet
