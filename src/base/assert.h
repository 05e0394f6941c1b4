// RINGLET_ASSERT(condition, "what must hold") detects mistakes in the program, not in user data.
// Enabled unless the build defines RINGLET_ASSERTIONS=0. A failure calls the assertion handler
// (ringlet/assertions.h) and aborts.
#pragma once

#include "ringlet/assertions.h"

#ifndef RINGLET_ASSERTIONS
#define RINGLET_ASSERTIONS 1
#endif

namespace ringlet {
[[noreturn]] void assertion_failed(const char* condition, const char* what, const char* file,
                                   int line);
}

#if RINGLET_ASSERTIONS
#define RINGLET_ASSERT(condition, what) \
    (__builtin_expect(!!(condition), 1) \
         ? (void)0                      \
         : ::ringlet::assertion_failed(#condition, what, __FILE__, __LINE__))
#else
#define RINGLET_ASSERT(condition, what) ((void)0)
#endif
