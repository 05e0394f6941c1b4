// The lane type F of a kernel and its operations. Here F = float: one strand at a time, on the GPU
// or in the scalar build. wide8.h defines the same operations for eight strands at a time.
//
// All lane types compute the same bits: they use only + - * / and sqrt, which IEEE 754 rounds
// correctly, comparisons, and integer operations on the bits. min and max are comparisons, so that
// NaN propagates identically too.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "math/kernel.h"

namespace ringlet {

// The integer and mask type of a lane type, its width in strands, and its load.
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

// 1/b. reciprocal_of_normal requires 2^-126 <= |b| <= 2^126.
template <class F>
RINGLET_KERNEL F reciprocal(F b) {
    return F(1) / b;
}
template <class F>
RINGLET_KERNEL F reciprocal_of_normal(F b) {
    return F(1) / b;
}

#ifdef __CUDA_ARCH__
// Correctly rounded like the compiler's versions, but without their branches for numbers near the
// ends of the range, which keep a thread from hiding latency. Exception: the last bit of
// reciprocals below 2^-126 may differ.
RINGLET_KERNEL float reciprocal_of_normal(float b) {
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
    return __fmaf_rn(r, __fmaf_rn(-b, r, 1.0f), r);
}
RINGLET_KERNEL float reciprocal(float b) {
    const float size = fabsf(b);
    const float scale = size < 0x1p-120f ? 0x1p24f : size > 0x1p120f ? 0x1p-24f : 1.0f;
    const float x = b * scale;
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    const bool is_finite = size > 0 && size < INFINITY;  // then its reciprocal is finite too
    return (is_finite ? __fmaf_rn(r, __fmaf_rn(-x, r, 1.0f), r) : r) * scale;
}
RINGLET_KERNEL float sqrt(float a) {
    const bool is_tiny = a < 0x1p-96f;
    const float x = is_tiny ? a * 0x1p96f : a;
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    const float g = x * r, root = __fmaf_rn(__fmaf_rn(-g, g, x), 0.5f * r, g);
    const float out = is_tiny ? root * 0x1p-48f : root;
    if (a > 0 && a < INFINITY) return out;
    return a < 0 ? r : a;
}
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
// Rounds towards zero. Precondition: |a| < 2^31.
RINGLET_KERNEL std::int32_t truncate(float a) { return static_cast<std::int32_t>(a); }
RINGLET_KERNEL float to_float(std::int32_t a) { return static_cast<float>(a); }
RINGLET_KERNEL bool is_odd(std::int32_t a) { return (a & 1) != 0; }
// Returns at[index] for each lane.
RINGLET_KERNEL float gather(const float* at, std::int32_t index) { return at[index]; }

// Loads from strand memory: a row holds one float of each of kLanes strands, and `at` points at the
// first lane to load.
template <class F>
RINGLET_KERNEL F load(const float* at) {
    return LaneTraits<F>::load(at);
}
RINGLET_KERNEL void store(float* at, float a) { *at = a; }

}  // namespace ringlet
