#include "base/parallel.h"

#include <vector>

#if RINGLET_WITH_TBB
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace ringlet {

#if RINGLET_WITH_TBB

namespace {

constexpr std::size_t kMostThreads = 1024;

// TBB warns on stderr when asked for more threads than cores unless they are allowed beforehand,
// once for the whole process.
void allow_many_threads() {
    static const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                             kMostThreads);
}

}  // namespace

struct TaskPool::Arena {
    mutable tbb::task_arena arena;
};

TaskPool::TaskPool(int threads) {
    allow_many_threads();
    arena_.reset(
        new Arena{tbb::task_arena(threads > 0 ? threads : tbb::info::default_concurrency())});
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

float* thread_scratch(std::size_t floats) {
    struct alignas(64) Line {
        float at[16];
    };
    thread_local std::vector<Line> lines;
    const std::size_t wanted = floats / 16 + 1;
    if (lines.size() < wanted) lines.resize(wanted);
    return lines.data()->at;
}

TaskPool::~TaskPool() = default;
TaskPool::TaskPool(TaskPool&&) noexcept = default;
TaskPool& TaskPool::operator=(TaskPool&&) noexcept = default;

}  // namespace ringlet
