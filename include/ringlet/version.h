// The version of Ringlet, and what a change of it means.
//
// Major.minor.patch. Until 1.0, a new minor version may change the interface, and programs must be
// compiled again; a new patch version changes neither the interface nor the results. From 1.0 on,
// only a new major version may break programs that were compiled before. The shared libraries carry
// the number that must match as their soname: "0.1" for 0.1.x, "1" for 1.x.y.
#pragma once

#include "ringlet/export.h"

// Read by CMakeLists.txt.
#define RINGLET_VERSION_MAJOR 0
#define RINGLET_VERSION_MINOR 1
#define RINGLET_VERSION_PATCH 0

namespace ringlet {

// Returns the version of the library that the program runs with, such as "0.1.0". It differs from
// the macros above if the program was compiled with other headers. The text is never freed.
// Thread-safe.
RINGLET_API const char* version();

}  // namespace ringlet
