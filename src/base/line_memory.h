// Zeroed memory on cache line boundaries, from the C library or from a program's allocator.
#pragma once

#include <cstddef>

#include "ringlet/hooks.h"

namespace ringlet {

inline constexpr std::size_t kCacheLine = 64;

// Throws std::bad_alloc. Without a program's allocator the memory is not touched: the operating
// system commits pages only when they are written. Thread-safe.
void* allocate_lines(std::size_t bytes);
// Returns memory to the allocator that it came from.
void release_lines(void* memory) noexcept;

// Lets allocate_lines() on the calling thread use a program's allocator until the end of the scope.
class AllocatorScope {
public:
    // An allocator without functions stands for the C library.
    explicit AllocatorScope(const SimAllocator& allocator);
    ~AllocatorScope();
    AllocatorScope(const AllocatorScope&) = delete;
    AllocatorScope& operator=(const AllocatorScope&) = delete;

private:
    SimAllocator before_;
};

}  // namespace ringlet
