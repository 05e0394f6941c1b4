// The one place where stb's code is compiled. Its memory is limited, since a few bytes of
// compressed data can ask for gigabytes.
#include <cstdlib>

namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

// Zeroed: what a file cut short leaves out is the same every time.
void* limited_malloc(std::size_t bytes) {
    return bytes <= kMaxBytes ? std::calloc(1, bytes) : nullptr;
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
