// The memory that a part of a test allocates. counted_memory.cpp replaces operator new for the
// whole program, so every allocation of C++ code counts.
#pragma once

#include <atomic>
#include <cstddef>

namespace ringlet::counted_memory {

// Bytes in use now, and the most in use at one time since `peak` was last set.
extern std::atomic<std::size_t> now, peak;

// The number of allocations that succeed before one fails with std::bad_alloc. Negative: none
// fails.
extern std::atomic<long> until_failure;

// Largest number of bytes in use at one time during the call, beyond those in use before it.
template <class Body>
std::size_t peak_of(const Body& body) {
    const std::size_t before = now;
    peak = before;
    body();
    return peak - before;
}

}  // namespace ringlet::counted_memory
