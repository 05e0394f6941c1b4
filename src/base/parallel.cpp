#include "base/parallel.h"

#include <vector>

#if RINGLET_WITH_TBB
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#else
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#endif

namespace ringlet {

#if RINGLET_WITH_TBB

namespace {

constexpr std::size_t kMaxThreads = 1024;

// TBB prints a warning when an arena has more threads than cores, unless the process has raised the
// limit before.
void allow_many_threads() {
    static const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                             kMaxThreads);
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
    if (is_stopped_ && is_stopped_()) throw Stopped{};
    arena_->arena.execute([&] {
        tbb::parallel_for(tbb::blocked_range<int>(0, count), [&](const auto& range) {
            for (int i = range.begin(); i != range.end(); ++i) call(context, i);
        });
    });
}

#else

// Starts plain threads for each loop: slow, but ThreadSanitizer sees all synchronisation.
struct TaskPool::Arena {
    int threads;
};

TaskPool::TaskPool(int threads)
    : arena_(new Arena{threads > 0
                           ? threads
                           : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))}) {}

int TaskPool::thread_count() const { return arena_->threads; }

void TaskPool::run(int count, Call call, const void* context) const {
    if (is_stopped_ && is_stopped_()) throw Stopped{};
    const int workers = std::min(arena_->threads, count), chunk = count / (8 * workers + 1) + 1;
    std::atomic<int> next = 0;
    std::exception_ptr failure;
    std::once_flag failed;
    const auto work = [&] {
        try {
            for (int begin; (begin = next.fetch_add(chunk)) < count;)
                for (int i = begin; i < std::min(begin + chunk, count); ++i) call(context, i);
        } catch (...) {
            next = count;
            std::call_once(failed, [&] { failure = std::current_exception(); });
        }
    };
    {
        std::vector<std::jthread> others;
        for (int k = 1; k < workers; ++k) others.emplace_back(work);
        work();
    }
    if (failure) std::rethrow_exception(failure);
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
