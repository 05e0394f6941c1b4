// The parallel loop of the library. `body(i)` may write only data that belongs to index i, so that
// the result does not depend on the number of threads or on their order.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "base/assert.h"
#include "ringlet/hooks.h"

namespace ringlet {

// Returns scratch memory of the calling thread: at least `floats` floats, aligned to a cache line.
// The contents are unspecified. Valid until the next call on the same thread, which may reuse it.
float* thread_scratch(std::size_t floats);

// Thrown by TaskPool::for_each() when the pool is asked to stop. Leaves whatever the loop writes
// incomplete. Public functions of the library turn it into an Error.
struct Stopped {};

class TaskPool {
public:
    // 0 threads means one per hardware thread. Starts fewer if the limits of the process require
    // it.
    explicit TaskPool(int threads = 0);
    // Runs loops on a program's job system, which has a function.
    explicit TaskPool(const SimJobs& jobs);
    ~TaskPool();
    TaskPool(TaskPool&&) noexcept;
    TaskPool& operator=(TaskPool&&) noexcept;

    int thread_count() const;

    // Lets `is_stopped` end the work on this pool early; empty: nothing does. Every for_each()
    // calls it, on the thread it is called from: it must be fast and thread-safe.
    void stop_when(std::function<bool()> is_stopped) { is_stopped_ = std::move(is_stopped); }

    // Calls body(i) once for each i in [0, count), in any order, and blocks until all calls have
    // returned. Throws Stopped before the first call if stop_when()'s function returns true, and
    // the first exception that a call throws, after the other calls have returned or been skipped.
    template <class Body>
    void for_each(int count, const Body& body) const {
        RINGLET_ASSERT(count >= 0, "a loop has no negative count");
        run(
            count, [](const void* context, int i) { (*static_cast<const Body*>(context))(i); },
            &body);
    }

private:
    using Call = void (*)(const void* context, int i);
    void run(int count, Call call, const void* context) const;
    void run_jobs(int count, Call call, const void* context) const;

    struct Arena;
    std::unique_ptr<Arena> arena_;  // null with a program's job system
    SimJobs jobs_;
    std::function<bool()> is_stopped_;
};

}  // namespace ringlet
