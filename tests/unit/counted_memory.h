// How much memory a piece of a test asks for. Replaces operator new for the whole program, so it is
// included once in it, by the test itself.
#pragma once

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace ringlet::counted_memory {

inline std::atomic<std::size_t> now{0}, peak{0};

inline void* take(std::size_t size, std::size_t alignment) {
    void* p = nullptr;
    if (::posix_memalign(&p, alignment < sizeof p ? sizeof p : alignment, size) != 0)
        throw std::bad_alloc();
    const std::size_t total = now += ::malloc_usable_size(p);
    std::size_t before = peak;
    while (before < total && !peak.compare_exchange_weak(before, total)) {
    }
    return p;
}

inline void give_back(void* p) noexcept {
    if (p) now -= ::malloc_usable_size(p);
    std::free(p);
}

// Bytes at most in use at one time during the call, beyond those in use before.
template <class Body>
std::size_t peak_of(const Body& body) {
    const std::size_t before = now;
    peak = before;
    body();
    return peak - before;
}

}  // namespace ringlet::counted_memory

void* operator new(std::size_t size) { return ringlet::counted_memory::take(size, 16); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return ringlet::counted_memory::take(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { ringlet::counted_memory::give_back(p); }
void operator delete(void* p, std::size_t) noexcept { ringlet::counted_memory::give_back(p); }
void operator delete(void* p, std::align_val_t) noexcept { ringlet::counted_memory::give_back(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
    ringlet::counted_memory::give_back(p);
}
