// The one loop that runs on all cores. What it computes must not depend on who computes it:
// `body(i)` may write only what belongs to i.
#pragma once

#include <cstddef>
#include <memory>

namespace ringlet {

// Memory of this thread's own, at least that many floats on a cache line, kept for the next call:
// for what a body needs while it runs and nobody afterwards. Its contents are whatever was left.
float* thread_scratch(std::size_t floats);

class TaskPool {
public:
    // 0 threads: as many as the machine has.
    explicit TaskPool(int threads = 0);
    ~TaskPool();
    TaskPool(TaskPool&&) noexcept;
    TaskPool& operator=(TaskPool&&) noexcept;

    int thread_count() const;

    // Calls body(i) once for each i in [0, count), in any order, and returns when all are done.
    template <class Body>
    void for_each(int count, const Body& body) const {
        run(
            count, [](const void* context, int i) { (*static_cast<const Body*>(context))(i); },
            &body);
    }

private:
    using Call = void (*)(const void* context, int i);
    void run(int count, Call call, const void* context) const;

    struct Arena;
    std::unique_ptr<Arena> arena_;
};

}  // namespace ringlet
