// Counter-based random numbers from the scene's seed. The same (seed, id, channel) gives the same
// number on any machine, in any order, on any thread.
#pragma once

#include <cstdint>

#include "math/kernel.h"

namespace ringlet {

// A bijection that decorrelates neighbouring inputs (constants of C. Wellons' "lowbias32" search).
RINGLET_KERNEL std::uint32_t hash_bits(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

RINGLET_KERNEL std::uint32_t counter_bits(std::uint32_t seed, std::uint32_t id,
                                          std::uint32_t channel) {
    return hash_bits(hash_bits(hash_bits(seed) + id) + channel * 0x9e3779b9u);
}

// Uniform in [0, 1).
RINGLET_KERNEL float counter_uniform(std::uint32_t seed, std::uint32_t id, std::uint32_t channel) {
    return static_cast<float>(counter_bits(seed, id, channel) >> 8) * 0x1p-24f;
}

// Uniform in [-1, 1).
RINGLET_KERNEL float counter_signed(std::uint32_t seed, std::uint32_t id, std::uint32_t channel) {
    return counter_uniform(seed, id, channel) * 2.0f - 1.0f;
}

// The index-th number of the Halton sequence in a prime base, in [0, 1).
RINGLET_KERNEL double halton(std::uint64_t index, std::uint32_t base) {
    double digit = 1, sum = 0;
    for (; index > 0; index /= base) {
        digit /= base;
        sum += digit * static_cast<double>(index % base);
    }
    return sum;
}

}  // namespace ringlet
