#include "sim/cpu/lane_choice.h"

namespace ringlet {

LaneKind choose_lanes(LaneKind wanted) {
    if (wanted != LaneKind::automatic && wanted != LaneKind::avx2) return wanted;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return LaneKind::avx2;
#endif
    return LaneKind::wide8;
}

}  // namespace ringlet
