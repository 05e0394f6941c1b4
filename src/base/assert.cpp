#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace ringlet {

void assertion_failed(const char* condition, const char* what, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: ringlet has a bug: %s (%s does not hold)\n", file, line, what,
                 condition);
    std::abort();
}

}  // namespace ringlet
