#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#if RINGLET_WITH_TBB
#include <pthread.h>
#include <sys/mman.h>

#include <chrono>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#else
#include <system_error>
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

std::size_t stack_bytes() {
    return tbb::global_control::active_value(tbb::global_control::thread_stack_size);
}

// Whether the limit on the address space leaves room for the threads and as much again for the
// data. The C library reserves up to 64 MiB for the allocations of a thread.
bool has_room_for(int threads) {
    constexpr std::size_t kAllocations = std::size_t{64} << 20;
    const std::size_t bytes =
        2 * static_cast<std::size_t>(threads) * (stack_bytes() + kAllocations);
    void* const room =
        mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return false;
    munmap(room, bytes);
    return true;
}

void* wait_for_end(void* may_end) {
    static_cast<std::atomic<bool>*>(may_end)->wait(false);
    return nullptr;
}

// How many threads the system lets the process start now, at most `wanted`. Starts them and ends
// them again.
int count_startable_threads(int wanted) {
    std::vector<pthread_t> started;
    started.reserve(static_cast<std::size_t>(wanted));
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes());
    std::atomic<bool> may_end = false;
    for (pthread_t thread; started.size() < static_cast<std::size_t>(wanted);
         started.push_back(thread))
        if (pthread_create(&thread, &attributes, wait_for_end, &may_end) != 0) break;
    pthread_attr_destroy(&attributes);
    may_end = true;
    may_end.notify_all();
    for (const pthread_t thread : started) pthread_join(thread, nullptr);
    return static_cast<int>(started.size());
}

// Makes TBB start its threads. It would otherwise start them in the first loops.
void start_threads(tbb::task_arena& arena, int threads) {
    const auto latest = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    std::atomic<int> arrived = 0;
    const auto meet = [&](int) {
        ++arrived;
        while (arrived < threads && std::chrono::steady_clock::now() < latest)
            std::this_thread::yield();
    };
    arena.execute([&] { tbb::parallel_for(0, threads, meet, tbb::simple_partitioner()); });
}

// The threads of the process. TBB ends the process if it cannot start a thread during a loop, for
// example because the data has used up the address space, so a pool starts all its threads at once.
struct StartedThreads {
    std::mutex mutex;
    int count = 1;
    int most = static_cast<int>(kMaxThreads);

    // Returns how many threads a pool may have, at most `wanted`. Where the system limits their
    // number, other threads of the process may start as many again.
    int limit(int wanted) {
        const int allowed = std::min(wanted, most);
        if (allowed <= count) return allowed;
        int more = allowed - count;
        while (more > 0 && !has_room_for(more)) --more;
        const int startable = count_startable_threads(more);
        if (startable < more) more = startable / 2;
        if (count + more < allowed) most = count + more;
        return count + more;
    }
};
StartedThreads started_threads;

}  // namespace

struct TaskPool::Arena {
    mutable tbb::task_arena arena;
};

TaskPool::TaskPool(int threads) {
    allow_many_threads();
    const std::lock_guard lock(started_threads.mutex);
    const int allowed =
        started_threads.limit(threads > 0 ? threads : tbb::info::default_concurrency());
    arena_.reset(new Arena{tbb::task_arena(allowed)});
    arena_->arena.initialize();
    if (allowed <= started_threads.count) return;
    start_threads(arena_->arena, allowed);
    started_threads.count = allowed;
}

int TaskPool::thread_count() const {
    return jobs_.parallel_for ? jobs_.concurrency : arena_->arena.max_concurrency();
}

void TaskPool::run(int count, Call call, const void* context) const {
    if (is_stopped_ && is_stopped_()) throw Stopped{};
    if (jobs_.parallel_for) return run_jobs(count, call, context);
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

int TaskPool::thread_count() const {
    return jobs_.parallel_for ? jobs_.concurrency : arena_->threads;
}

void TaskPool::run(int count, Call call, const void* context) const {
    if (is_stopped_ && is_stopped_()) throw Stopped{};
    if (jobs_.parallel_for) return run_jobs(count, call, context);
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
        try {
            for (int k = 1; k < workers; ++k) others.emplace_back(work);
        } catch (const std::system_error&) {
            // The limits of the process allow no more threads; those that run do all the work.
        }
        work();
    }
    if (failure) std::rethrow_exception(failure);
}

#endif

TaskPool::TaskPool(const SimJobs& jobs) : jobs_(jobs) {}

void TaskPool::run_jobs(int count, Call call, const void* context) const {
    constexpr int kTasksPerThread = 8;
    struct Loop {
        int count, tasks;
        Call call;
        const void* context;
        std::exception_ptr failure{};
        std::once_flag failed{};

        int begin(int task) const { return static_cast<int>(std::int64_t{count} * task / tasks); }
    } loop{count, std::min(count, kTasksPerThread * jobs_.concurrency), call, context};
    const auto run_task = [](void* of, int task) {
        Loop& own = *static_cast<Loop*>(of);
        try {
            for (int i = own.begin(task); i < own.begin(task + 1); ++i) own.call(own.context, i);
        } catch (...) {
            std::call_once(own.failed, [&] { own.failure = std::current_exception(); });
        }
    };
    if (count > 0) jobs_.parallel_for(jobs_.user, loop.tasks, run_task, &loop);
    if (loop.failure) std::rethrow_exception(loop.failure);
}

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
