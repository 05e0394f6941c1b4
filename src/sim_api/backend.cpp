#include "sim_api/backend.h"

#include "sim/device.h"
#include "sim_api/boundary.h"

namespace ringlet {

LaneKind lane_kind(Lanes lanes) {
    switch (lanes) {
        case Lanes::scalar:
            return LaneKind::scalar;
        case Lanes::wide8:
            return LaneKind::wide8;
        case Lanes::avx2:
            return LaneKind::avx2;
        case Lanes::avx512:
            return LaneKind::avx512;
        default:
            return LaneKind::automatic;
    }
}

Result<void> check_backend(Backend backend) try {
    if (backend == Backend::cpu) return {};
    const Result<std::unique_ptr<Device>> device = open_cuda_device();
    return device ? Result<void>{} : device.error();
} catch (...) {
    return sim_error_from_exception();
}

}  // namespace ringlet
