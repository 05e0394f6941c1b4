// The lane type for N strands at a time, usually eight. WideN<Isa, N> is a separate type for each
// instruction set, so that code compiled for AVX2 never shares a symbol with code compiled for a
// baseline CPU: the linker keeps only one copy of a symbol, which could crash a CPU without AVX2.
//
// Uses the compilers' vector extension: the same source compiles to one ymm operation, two xmm
// operations or NEON, or one zmm operation for sixteen lanes.
#pragma once

#include "math/lanes.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace ringlet {

#if defined(__AVX512DQ__)
// The masked intrinsics avoid a GCC 12 warning inside its unmasked ones.
inline constexpr auto kAll16 = static_cast<__mmask16>(-1);
#endif

struct IsaPortable {};
struct IsaAvx2 {};
struct IsaAvx512 {};  // eight lanes with 32 registers instead of 16

// The vector_size attribute does not accept a template parameter.
template <int N>
struct Vectors;
template <>
struct Vectors<8> {
    typedef float Floats __attribute__((vector_size(32)));
    typedef std::int32_t Ints __attribute__((vector_size(32)));
};
template <>
struct Vectors<16> {
    typedef float Floats __attribute__((vector_size(64)));
    typedef std::int32_t Ints __attribute__((vector_size(64)));
};

template <class Isa, int N>
struct WideN {
    using Floats = typename Vectors<N>::Floats;
    using Ints = typename Vectors<N>::Ints;

    // Also the mask type: all bits of a lane set for true.
    struct Int {
        Ints v;
        Int() = default;
        Int(Ints a) : v(a) {}
        Int(std::int32_t a) : v(a - Ints{}) {}
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
    WideN() = default;
    WideN(Floats a) : v(a) {}
    WideN(float a) : v(a - Floats{}) {}

    friend WideN operator+(WideN a, WideN b) { return a.v + b.v; }
    friend WideN operator-(WideN a, WideN b) { return a.v - b.v; }
    friend WideN operator*(WideN a, WideN b) { return a.v * b.v; }
    friend WideN operator/(WideN a, WideN b) { return a.v / b.v; }
    friend WideN operator-(WideN a) { return -a.v; }
    friend Int operator<(WideN a, WideN b) { return a.v < b.v; }
    friend Int operator>(WideN a, WideN b) { return a.v > b.v; }
    friend Int operator<=(WideN a, WideN b) { return a.v <= b.v; }
    friend Int operator>=(WideN a, WideN b) { return a.v >= b.v; }

    // The instruction computes exactly this expression, also for NaN, but GCC 12 does not always
    // select it.
    friend WideN min(WideN a, WideN b) {
#if defined(__AVX512DQ__)
        if constexpr (N == 16) return Floats(_mm512_maskz_min_ps(kAll16, __m512(a.v), __m512(b.v)));
#endif
#if defined(__AVX__)
        if constexpr (N == 8) return Floats(_mm256_min_ps(__m256(a.v), __m256(b.v)));
#endif
        return a.v < b.v ? a.v : b.v;
    }
    friend WideN max(WideN a, WideN b) {
#if defined(__AVX512DQ__)
        if constexpr (N == 16) return Floats(_mm512_maskz_max_ps(kAll16, __m512(a.v), __m512(b.v)));
#endif
#if defined(__AVX__)
        if constexpr (N == 8) return Floats(_mm256_max_ps(__m256(a.v), __m256(b.v)));
#endif
        return a.v > b.v ? a.v : b.v;
    }
    friend WideN abs(WideN a) { return a.v < 0.0f ? -a.v : a.v; }
    friend WideN select(Int mask, WideN yes, WideN no) { return mask.v ? yes.v : no.v; }
    friend Int select(Int mask, Int yes, Int no) { return mask.v ? yes.v : no.v; }
    // Bit i of the result is set where lane i is true.
    friend int lane_bits(Int mask) {
#if defined(__AVX512DQ__)
        if constexpr (N == 16) return _mm512_movepi32_mask(__m512i(mask.v));
#endif
#if defined(__AVX__)
        if constexpr (N == 8) return _mm256_movemask_ps(__m256(mask.v));
#elif defined(__SSE2__)
        if constexpr (N == 8) {
            __m128 half[2];
            std::memcpy(half, &mask.v, sizeof half);
            return _mm_movemask_ps(half[0]) | _mm_movemask_ps(half[1]) << 4;
        }
#endif
        int bits = 0;
        for (int i = 0; i < N; ++i) bits |= (mask.v[i] != 0 ? 1 : 0) << i;
        return bits;
    }
    friend bool any(Int mask) { return lane_bits(mask) != 0; }

    friend WideN sqrt(WideN a) {
#if defined(__AVX512DQ__)
        if constexpr (N == 16) return Floats(_mm512_maskz_sqrt_ps(kAll16, __m512(a.v)));
#endif
#if defined(__AVX__)
        if constexpr (N == 8) return Floats(_mm256_sqrt_ps(__m256(a.v)));
#elif defined(__SSE2__)
        if constexpr (N == 8) {
            __m128 half[2];
            std::memcpy(half, &a.v, sizeof half);
            half[0] = _mm_sqrt_ps(half[0]);
            half[1] = _mm_sqrt_ps(half[1]);
            std::memcpy(&a.v, half, sizeof half);
            return a;
        }
#endif
        for (int i = 0; i < N; ++i) a.v[i] = std::sqrt(a.v[i]);
        return a;
    }

    friend Int bits_of(WideN a) { return Int(Ints(a.v)); }
    friend WideN from_bits(Int a) { return WideN(Floats(a.v)); }
    friend Int truncate(WideN a) { return Int(__builtin_convertvector(a.v, Ints)); }
    friend WideN to_float(Int a) { return WideN(__builtin_convertvector(a.v, Floats)); }
    friend Int is_odd(Int a) { return Int((a.v & 1) != 0); }

    friend WideN gather(const float* at, Int index) {
#if defined(__AVX2__)
        if constexpr (N == 8) return Floats(_mm256_i32gather_ps(at, __m256i(index.v), 4));
#endif
        std::int32_t from[N];
        std::memcpy(from, &index.v, sizeof from);
        if constexpr (N == 8)  // GCC keeps an initializer list in registers
            return Floats{at[from[0]], at[from[1]], at[from[2]], at[from[3]],
                          at[from[4]], at[from[5]], at[from[6]], at[from[7]]};
        WideN out;
        for (int i = 0; i < N; ++i) out.v[i] = at[from[i]];
        return out;
    }

    friend void store(float* at, WideN a) { std::memcpy(at, &a.v, sizeof a.v); }
};

template <class Isa>
using Wide8 = WideN<Isa, 8>;

template <class Isa, int N>
struct LaneTraits<WideN<Isa, N>> {
    using Int = typename WideN<Isa, N>::Int;
    static constexpr int width = N;
    static WideN<Isa, N> load(const float* at) {
        WideN<Isa, N> out;
        std::memcpy(&out.v, at, sizeof out.v);
        return out;
    }
};

}  // namespace ringlet
