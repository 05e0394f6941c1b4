#include "counted_memory.h"

#include <malloc.h>

#include <cstdlib>
#include <new>

namespace ringlet::counted_memory {

std::atomic<std::size_t> now{0}, peak{0};
std::atomic<long> until_failure{-1};

namespace {

void* allocate(std::size_t size, std::size_t alignment) {
    if (until_failure >= 0 && until_failure-- == 0) throw std::bad_alloc();
    void* p = nullptr;
    if (::posix_memalign(&p, alignment < sizeof p ? sizeof p : alignment, size) != 0)
        throw std::bad_alloc();
    const std::size_t total = now += ::malloc_usable_size(p);
    std::size_t before = peak;
    while (before < total && !peak.compare_exchange_weak(before, total)) {
    }
    return p;
}

void* allocate_or_null(std::size_t size) noexcept {
    try {
        return allocate(size, 16);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void release(void* p) noexcept {
    if (p) now -= ::malloc_usable_size(p);
    std::free(p);
}

}  // namespace
}  // namespace ringlet::counted_memory

namespace memory = ringlet::counted_memory;

// Replaces every form of operator new and delete: a form that is left out would come from another
// allocator where a sanitizer supplies its own.
void* operator new(std::size_t size) { return memory::allocate(size, 16); }
void* operator new[](std::size_t size) { return memory::allocate(size, 16); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return memory::allocate_or_null(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return memory::allocate_or_null(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return memory::allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return memory::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { memory::release(p); }
void operator delete[](void* p) noexcept { memory::release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { memory::release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { memory::release(p); }
void operator delete(void* p, std::size_t) noexcept { memory::release(p); }
void operator delete[](void* p, std::size_t) noexcept { memory::release(p); }
void operator delete(void* p, std::align_val_t) noexcept { memory::release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { memory::release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { memory::release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { memory::release(p); }
