// Which of the copies of a kernel, compiled per lane kind, this machine runs.
#pragma once

namespace ringlet {

// Which instructions the kernels use. All give the same bits.
enum class LaneKind { automatic, scalar, wide8, avx2 };

// Automatic: AVX2 where this machine has it.
inline LaneKind choose_lanes(LaneKind wanted) {
    if (wanted != LaneKind::automatic && wanted != LaneKind::avx2) return wanted;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return LaneKind::avx2;
#endif
    return LaneKind::wide8;
}

template <class Function>
Function pick_lanes(LaneKind wanted, Function scalar, Function wide8, Function avx2) {
    switch (choose_lanes(wanted)) {
        case LaneKind::scalar:
            return scalar;
        case LaneKind::avx2:
            return avx2;
        default:
            return wide8;
    }
}

}  // namespace ringlet
