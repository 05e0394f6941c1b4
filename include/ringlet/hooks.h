// Hooks by which a program supplies worker threads and memory to a simulation (SimOptions). Plain
// values.
#pragma once

#include <cstddef>

namespace ringlet {

// The program's job system. Results do not depend on it.
struct SimJobs {
    // Calls task(context, i) once for each i from 0 to count - 1, on any threads and in any order,
    // and returns when all calls have returned. The library calls it on the thread that calls the
    // library, several times per step, and never from within a task. A task never throws. Null: the
    // library uses TBB's threads.
    void (*parallel_for)(void* user, int count, void (*task)(void* context, int index),
                         void* context) = nullptr;
    int concurrency = 1;   // number of tasks that run at the same time; at least 1
    void* user = nullptr;  // passed to parallel_for
};

// The program's allocator for all memory per vertex and per strand on the host. Small objects use
// operator new. It must outlive the simulation.
struct SimAllocator {
    // Returns memory of `bytes` bytes at a multiple of `alignment`, a power of two, or null if
    // there is none: the function that needs it then returns an Error. Must not throw. Null: the
    // library uses the C library's allocator.
    void* (*allocate)(void* user, std::size_t bytes, std::size_t alignment) = nullptr;
    // Receives what allocate() returned, and its size.
    void (*release)(void* user, void* memory, std::size_t bytes) = nullptr;
    void* user = nullptr;  // passed to both
};

}  // namespace ringlet
