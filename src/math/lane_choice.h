// Selects which compiled variant of a kernel this machine runs.
#pragma once

namespace ringlet {

// The lane types of the kinds below; scalar is float (math/lanes.h, math/wide8.h, math/counted.h).
template <class Isa, int N>
struct WideN;
template <class Isa>
using Wide8 = WideN<Isa, 8>;
struct IsaPortable;
struct IsaAvx2;
struct IsaAvx512;
struct Counted;

// The instructions that kernels use. All kinds compute the same bits. `counted` is scalar and
// counts its arithmetic (math/counted.h).
enum class LaneKind { automatic, scalar, wide8, avx2, avx512, counted };

// Returns the best kind this machine supports for `automatic` or an unsupported kind. Static, so
// that files compiled for different instruction sets do not share one copy. Sanitizers check the
// scalar kernels: GCC takes minutes to instrument vector code.
static inline LaneKind choose_lanes(LaneKind wanted) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    if (wanted == LaneKind::automatic) return LaneKind::scalar;
#endif
    if (wanted == LaneKind::scalar || wanted == LaneKind::wide8 || wanted == LaneKind::counted)
        return wanted;
#if defined(__x86_64__)
    const bool has_avx512 =
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    if (wanted != LaneKind::avx2 && has_avx512) return LaneKind::avx512;
    if (__builtin_cpu_supports("avx2")) return LaneKind::avx2;
#endif
    return LaneKind::wide8;
}

template <class Function>
Function pick_lanes(LaneKind wanted, Function scalar, Function wide8, Function avx2,
                    Function avx512, Function counted) {
    switch (choose_lanes(wanted)) {
        case LaneKind::scalar:
            return scalar;
        case LaneKind::avx2:
            return avx2;
        case LaneKind::avx512:
            return avx512;
        case LaneKind::counted:
            return counted;
        default:
            return wide8;
    }
}

}  // namespace ringlet
