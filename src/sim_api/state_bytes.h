// The state of a simulation as bytes: a header, then pieces of memory one after the other.
#pragma once

#include <vector>

#include "ringlet/result.h"
#include "sim/channel_access.h"

namespace ringlet {

// `fingerprint` identifies the strands and settings that the state belongs to.
std::vector<std::byte> to_bytes(const MemorySpans& state, std::uint64_t fingerprint);

// Copies bytes that to_bytes() returned into `state`. Fails without effect if they are damaged or
// belong to another simulation.
Result<void> from_bytes(std::span<const std::byte> bytes, const MemorySpans& state,
                        std::uint64_t fingerprint);

}  // namespace ringlet
