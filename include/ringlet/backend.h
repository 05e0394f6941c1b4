// The processor and the instructions that simulate strands. They affect speed only: the results are
// bit-identical.
#pragma once

#include "ringlet/export.h"
#include "ringlet/result.h"

namespace ringlet {

// The instruction set of the CPU kernels. automatic: the fastest one the CPU supports. scalar: one
// strand at a time. wide8: eight strands at a time in portable vectors. avx2, avx512: eight strands
// with these instructions; where the CPU lacks them, the next slower set is used.
enum class Lanes { automatic, scalar, wide8, avx2, avx512 };

// The processor that simulates the strands.
enum class Backend { cpu, cuda };

// Succeeds if this build and this machine support the backend; otherwise the Error names the
// reason. Thread-safe.
RINGLET_API Result<void> check_backend(Backend backend);

}  // namespace ringlet
