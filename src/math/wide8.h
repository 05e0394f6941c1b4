// Eight strands at a time. Wide8<Isa> is one type per instruction set, so that code compiled for
// AVX2 and code compiled for any x86-64 (or another CPU) never share a symbol: the linker would
// keep one of the two and crash a machine that lacks AVX2.
//
// Written on the compilers' vector extension: the same text becomes one ymm operation, two xmm
// operations or NEON.
#pragma once

#include "math/lanes.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace ringlet {

struct IsaPortable {};
struct IsaAvx2 {};
struct IsaAvx512 {};  // eight lanes still, but twice the registers

template <class Isa>
struct Wide8 {
    typedef float Floats __attribute__((vector_size(32)));
    typedef std::int32_t Ints __attribute__((vector_size(32)));

    // Also the mask type: all bits of a lane set for true.
    struct Int {
        Ints v;
        Int() = default;
        Int(Ints a) : v(a) {}
        Int(std::int32_t a) : v(Ints{a, a, a, a, a, a, a, a}) {}
        friend Int operator+(Int a, Int b) { return a.v + b.v; }
        friend Int operator-(Int a, Int b) { return a.v - b.v; }
        friend Int operator<<(Int a, int n) { return a.v << n; }
        friend Int operator>>(Int a, int n) { return a.v >> n; }
        friend Int operator&(Int a, Int b) { return a.v & b.v; }
        friend Int operator|(Int a, Int b) { return a.v | b.v; }
        friend Int operator&&(Int a, Int b) { return a.v & b.v; }
        friend Int operator||(Int a, Int b) { return a.v | b.v; }
        friend Int operator!(Int a) { return ~a.v; }
    };

    Floats v;
    Wide8() = default;
    Wide8(Floats a) : v(a) {}
    Wide8(float a) : v(Floats{a, a, a, a, a, a, a, a}) {}

    friend Wide8 operator+(Wide8 a, Wide8 b) { return a.v + b.v; }
    friend Wide8 operator-(Wide8 a, Wide8 b) { return a.v - b.v; }
    friend Wide8 operator*(Wide8 a, Wide8 b) { return a.v * b.v; }
    friend Wide8 operator/(Wide8 a, Wide8 b) { return a.v / b.v; }
    friend Wide8 operator-(Wide8 a) { return -a.v; }
    friend Int operator<(Wide8 a, Wide8 b) { return a.v < b.v; }
    friend Int operator>(Wide8 a, Wide8 b) { return a.v > b.v; }
    friend Int operator<=(Wide8 a, Wide8 b) { return a.v <= b.v; }
    friend Int operator>=(Wide8 a, Wide8 b) { return a.v >= b.v; }

    friend Wide8 min(Wide8 a, Wide8 b) { return a.v < b.v ? a.v : b.v; }
    friend Wide8 max(Wide8 a, Wide8 b) { return a.v > b.v ? a.v : b.v; }
    friend Wide8 abs(Wide8 a) { return a.v < 0.0f ? -a.v : a.v; }
    friend Wide8 select(Int mask, Wide8 yes, Wide8 no) { return mask.v ? yes.v : no.v; }
    friend Int select(Int mask, Int yes, Int no) { return mask.v ? yes.v : no.v; }
    // Bit i is set where lane i is true.
    friend int lane_bits(Int mask) {
#if defined(__AVX__)
        return _mm256_movemask_ps(__m256(mask.v));
#elif defined(__SSE2__)
        __m128 half[2];
        std::memcpy(half, &mask.v, sizeof half);
        return _mm_movemask_ps(half[0]) | _mm_movemask_ps(half[1]) << 4;
#else
        int bits = 0;
        for (int i = 0; i < 8; ++i) bits |= (mask.v[i] != 0 ? 1 : 0) << i;
        return bits;
#endif
    }
    friend bool any(Int mask) { return lane_bits(mask) != 0; }

    friend Wide8 sqrt(Wide8 a) {
#if defined(__AVX__)
        return Wide8(Floats(_mm256_sqrt_ps(__m256(a.v))));
#elif defined(__SSE2__)
        float lanes[8];
        std::memcpy(lanes, &a.v, sizeof lanes);
        _mm_storeu_ps(lanes, _mm_sqrt_ps(_mm_loadu_ps(lanes)));
        _mm_storeu_ps(lanes + 4, _mm_sqrt_ps(_mm_loadu_ps(lanes + 4)));
        Wide8 out;
        std::memcpy(&out.v, lanes, sizeof lanes);
        return out;
#else
        Wide8 out;
        for (int i = 0; i < 8; ++i) out.v[i] = std::sqrt(a.v[i]);
        return out;
#endif
    }

    friend Int bits_of(Wide8 a) { return Int(Ints(a.v)); }
    friend Wide8 from_bits(Int a) { return Wide8(Floats(a.v)); }
    friend Int truncate(Wide8 a) { return Int(__builtin_convertvector(a.v, Ints)); }
    friend Wide8 to_float(Int a) { return Wide8(__builtin_convertvector(a.v, Floats)); }
    friend Int is_odd(Int a) { return Int((a.v & 1) != 0); }

    friend Wide8 gather(const float* at, Int index) {
        std::int32_t from[8];
        std::memcpy(from, &index.v, sizeof from);
        return Wide8(Floats{at[from[0]], at[from[1]], at[from[2]], at[from[3]], at[from[4]],
                            at[from[5]], at[from[6]], at[from[7]]});
    }

    friend void store(float* at, Wide8 a) { std::memcpy(at, &a.v, sizeof a.v); }
};

template <class Isa>
struct LaneTraits<Wide8<Isa>> {
    using Int = typename Wide8<Isa>::Int;
    static constexpr int width = 8;
    static Wide8<Isa> load(const float* at) {
        Wide8<Isa> out;
        std::memcpy(&out.v, at, sizeof out.v);
        return out;
    }
};

}  // namespace ringlet
