#include "base/line_memory.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace ringlet {

namespace {

thread_local SimAllocator current_allocator;

// Stored below the data.
struct Header {
    SimAllocator allocator;
    void* whole;  // to be released
    std::size_t bytes;
};
static_assert(sizeof(Header) <= kCacheLine);

}  // namespace

void* allocate_lines(std::size_t bytes) {
    const SimAllocator allocator = current_allocator;
    const std::size_t all = bytes + 2 * kCacheLine;
    if (all < bytes) throw std::bad_alloc();
    void* const whole = allocator.allocate ? allocator.allocate(allocator.user, all, kCacheLine)
                                           : std::calloc(all, 1);
    if (!whole) throw std::bad_alloc();
    if (allocator.allocate) std::memset(whole, 0, all);
    // calloc aligns to less than a cache line.
    const auto end_of_header = reinterpret_cast<std::uintptr_t>(whole) + sizeof(Header);
    auto* const first =
        reinterpret_cast<std::byte*>((end_of_header + kCacheLine - 1) / kCacheLine * kCacheLine);
    ::new (static_cast<void*>(first - sizeof(Header))) Header{allocator, whole, all};
    return first;
}

void release_lines(void* memory) noexcept {
    const Header header =
        *reinterpret_cast<Header*>(static_cast<std::byte*>(memory) - sizeof(Header));
    if (header.allocator.allocate)
        header.allocator.release(header.allocator.user, header.whole, header.bytes);
    else
        std::free(header.whole);
}

AllocatorScope::AllocatorScope(const SimAllocator& allocator) : before_(current_allocator) {
    current_allocator = allocator;
}

AllocatorScope::~AllocatorScope() { current_allocator = before_; }

}  // namespace ringlet
