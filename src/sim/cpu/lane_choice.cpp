#include "sim/cpu/pbd_blocks.h"

namespace ringlet {

namespace {

bool machine_has_avx2() {
#if RINGLET_WITH_AVX2
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

}  // namespace

LaneKind choose_lanes(LaneKind wanted) {
    const bool wants_avx2 = wanted == LaneKind::automatic || wanted == LaneKind::avx2;
    if (!wants_avx2) return wanted;
    return machine_has_avx2() ? LaneKind::avx2 : LaneKind::wide8;
}

PbdBlockFunction pbd_block_function(LaneKind lanes) {
    switch (choose_lanes(lanes)) {
        case LaneKind::scalar:
            return pbd_block_scalar;
#if RINGLET_WITH_AVX2
        case LaneKind::avx2:
            return pbd_block_avx2;
#endif
        default:
            return pbd_block_wide8;
    }
}

}  // namespace ringlet
