#include "base/assert.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace ringlet {

namespace {

void print_failure(const AssertionFailure& failure) {
    std::fprintf(stderr, "%s:%d: ringlet has a bug: %s (%s does not hold)\n", failure.file,
                 failure.line, failure.message, failure.condition);
}

std::atomic<AssertionHandler> current_handler = print_failure;

}  // namespace

AssertionHandler set_assertion_handler(AssertionHandler handler) {
    return current_handler.exchange(handler ? handler : print_failure);
}

void assertion_failed(const char* condition, const char* what, const char* file, int line) {
    current_handler.load()({condition, what, file, line});
    std::abort();
}

}  // namespace ringlet
