// Marks the functions and classes that a shared library of Ringlet exports. All others are hidden.
#pragma once

#if defined(__GNUC__)
#define RINGLET_API __attribute__((visibility("default")))
#else
#define RINGLET_API
#endif
