// Time for tests with a limit: other programs on the machine do not add to it.
#pragma once

#include <ctime>

namespace ringlet {

// The CPU time of this process so far, of all its threads, in seconds.
inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace ringlet
