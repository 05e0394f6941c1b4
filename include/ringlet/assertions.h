// Handles mistakes in the program that the library detects: a failed assertion, or a failed
// Result that is dereferenced. Mistakes in the user's data are reported as Error instead
// (ringlet/result.h).
#pragma once

#include "ringlet/export.h"

namespace ringlet {

// The strings are valid during the call of the handler only.
struct AssertionFailure {
    const char* condition;  // source text of the condition that does not hold
    const char* message;    // what must hold, or the text of the error that was ignored
    const char* file;       // source file of the check
    int line;               // 1-based
};

// Called on the thread that failed. It may end the program or throw an exception to unwind the
// stack; if it returns, the library calls std::abort(). Objects of the library that were in use are
// in an unspecified state afterwards and may only be destroyed.
using AssertionHandler = void (*)(const AssertionFailure& failure);

// Replaces the handler of the process and returns the previous one. Null restores the default,
// which prints one line to stderr. Thread-safe. Never fails.
RINGLET_API AssertionHandler set_assertion_handler(AssertionHandler handler);

}  // namespace ringlet
