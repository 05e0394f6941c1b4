#include "sim/cpu/lane_choice.h"

namespace ringlet {

LaneKind choose_lanes(LaneKind wanted) {
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

}  // namespace ringlet
