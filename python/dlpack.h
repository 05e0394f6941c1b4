// Exports memory by the DLPack protocol (dmlc.github.io/dlpack), by which array libraries exchange
// data without copies.
#pragma once

#include <span>

#include "bindings.h"

namespace ringlet_python {

// A kind of memory (kDLCPU, kDLCUDA) and the number of the device.
struct DlpackDevice {
    std::int32_t kind, number;
};
inline constexpr std::int32_t kDlpackCpu = 1, kDlpackCuda = 2;

// A capsule with a tensor of one dimension in the memory of `owner`, which stays alive as long as
// the tensor. `versioned`: the consumer knows DLPack 1.0, which can say that the tensor must not be
// written.
py::capsule to_dlpack(std::span<const float> values, const py::object& owner, bool versioned,
                      DlpackDevice device = {kDlpackCpu, 0});

}  // namespace ringlet_python
