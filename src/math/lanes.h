// The lane type F of a kernel, and what a kernel may do with it. Here F = float: one strand at a
// time, on the GPU or in the scalar build. wide8.h has the same list for eight strands at a time.
//
// Same bits everywhere: only + - * / and sqrt, which IEEE 754 rounds correctly, comparisons, and
// integer work on the bits. min and max are written as comparisons, so that NaN behaves alike too.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "math/kernel.h"

namespace ringlet {

// Integers and truth values as wide as the lane type.
template <class F>
struct LaneTraits;

template <>
struct LaneTraits<float> {
    using Int = std::int32_t;
    static constexpr int width = 1;
    static RINGLET_KERNEL float load(const float* at) { return *at; }
};

template <class F>
using LaneInt = typename LaneTraits<F>::Int;

RINGLET_KERNEL float min(float a, float b) { return a < b ? a : b; }
RINGLET_KERNEL float max(float a, float b) { return a > b ? a : b; }
RINGLET_KERNEL float abs(float a) { return a < 0.0f ? -a : a; }
RINGLET_KERNEL float select(bool mask, float yes, float no) { return mask ? yes : no; }
RINGLET_KERNEL std::int32_t select(bool mask, std::int32_t yes, std::int32_t no) {
    return mask ? yes : no;
}
RINGLET_KERNEL bool any(bool mask) { return mask; }

#ifdef __CUDA_ARCH__
RINGLET_KERNEL float sqrt(float a) { return __fsqrt_rn(a); }
#else
RINGLET_KERNEL float sqrt(float a) { return std::sqrt(a); }
#endif

RINGLET_KERNEL std::int32_t bits_of(float a) {
    std::int32_t bits;
    std::memcpy(&bits, &a, sizeof bits);
    return bits;
}
RINGLET_KERNEL float from_bits(std::int32_t bits) {
    float a;
    std::memcpy(&a, &bits, sizeof a);
    return a;
}
// Towards zero; |a| must be below 2^31.
RINGLET_KERNEL std::int32_t truncate(float a) { return static_cast<std::int32_t>(a); }
RINGLET_KERNEL float to_float(std::int32_t a) { return static_cast<float>(a); }
RINGLET_KERNEL bool is_odd(std::int32_t a) { return (a & 1) != 0; }
// at[index] of each lane.
RINGLET_KERNEL float gather(const float* at, std::int32_t index) { return at[index]; }

// Memory of the strand layout: a row holds one float of each of kLanes strands, and `at` points at
// the first lane to be worked on.
template <class F>
RINGLET_KERNEL F load(const float* at) {
    return LaneTraits<F>::load(at);
}
RINGLET_KERNEL void store(float* at, float a) { *at = a; }

}  // namespace ringlet
