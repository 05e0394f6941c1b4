// Which of the copies of a kernel, compiled per lane kind, this machine runs.
#pragma once

#include "sim/model.h"

namespace ringlet {

// Automatic, or more than this machine has: the best it has.
LaneKind choose_lanes(LaneKind wanted);

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
