// The only translation unit that compiles stb's code. Allocations are limited, because a few bytes
// of compressed data can request gigabytes.
#include <cstdlib>

namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

void* limited_malloc(std::size_t bytes) {
    return bytes <= kMaxBytes ? std::malloc(bytes) : nullptr;
}

void* limited_realloc(void* old, std::size_t bytes) {
    return bytes <= kMaxBytes ? std::realloc(old, bytes) : nullptr;
}

}  // namespace

#define STBI_MALLOC(bytes) limited_malloc(bytes)
#define STBI_REALLOC(old, bytes) limited_realloc(old, bytes)
#define STBI_FREE(old) std::free(old)
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include "io/image/stb.h"
