#include "base/parallel.h"

#if RINGLET_WITH_TBB
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace ringlet {

#if RINGLET_WITH_TBB

struct TaskPool::Arena {
    explicit Arena(int threads)
        : allowed(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)),
          arena(threads) {}
    // Without it, asking for more threads than cores makes TBB print a warning.
    tbb::global_control allowed;
    mutable tbb::task_arena arena;
};

TaskPool::TaskPool(int threads)
    : arena_(new Arena(threads > 0 ? threads : tbb::info::default_concurrency())) {
    arena_->arena.initialize();
}

int TaskPool::thread_count() const { return arena_->arena.max_concurrency(); }

void TaskPool::run(int count, Call call, const void* context) const {
    arena_->arena.execute([&] {
        tbb::parallel_for(tbb::blocked_range<int>(0, count), [&](const auto& range) {
            for (int i = range.begin(); i != range.end(); ++i) call(context, i);
        });
    });
}

#else

struct TaskPool::Arena {};

TaskPool::TaskPool(int) : arena_(new Arena) {}

int TaskPool::thread_count() const { return 1; }

void TaskPool::run(int count, Call call, const void* context) const {
    for (int i = 0; i < count; ++i) call(context, i);
}

#endif

TaskPool::~TaskPool() = default;
TaskPool::TaskPool(TaskPool&&) noexcept = default;
TaskPool& TaskPool::operator=(TaskPool&&) noexcept = default;

}  // namespace ringlet
