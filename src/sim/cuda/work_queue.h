// The work of the warps of a launch whose kernel may give up strands (sim/kernel_protocol.h):
// groups of strands, and strands that were given up, 32 of them at a time as soon as there are as
// many. In this way, few strands that take long do not hold up the other strands of their warps.
//
// Which warp processes a strand is not determined; the result of a strand does not depend on it.
#pragma once

#include "sim/cuda/memory.h"
#include "sim/cuda/strands.h"
#include "sim/kernel_protocol.h"

namespace ringlet {

struct WorkCounters {
    int next_group;       // groups fetched
    int finished_groups;  // all their strands are complete or given up
    int given_up;         // strands
    int repeated;         // of them fetched again
};

struct WorkQueue {
    int group_count = 0;
    WorkCounters* counters = nullptr;
    int* slots = nullptr;  // of the strands that were given up, -1 before they are written

#ifdef __CUDACC__
    // A strand for each thread of a warp: 32 times its group plus its lane, or -1.
    struct Task {
        int slot;
        Attempt attempt;
    };

    __device__ bool is_used() const { return counters != nullptr; }

    __device__ static bool is_end(const Task& task) { return task.slot == kNone; }

    // Fetches the next task of the warp. All its threads call this together.
    __device__ Task next(int lane) const {
        __syncwarp();
        Fetched found{};
        if (lane == 0) found = fetch();
        found.first = __shfl_sync(kAll, found.first, 0);
        found.count = __shfl_sync(kAll, found.count, 0);
        if (found.count == 0) return {kNone, Attempt::only};
        if (found.count < 0) return {found.first * kWarp + lane, Attempt::first};
        int slot = -1;
        if (lane < found.count)
            while ((slot = read(slots + found.first + lane)) < 0) __nanosleep(20);
        return {slot, Attempt::second};
    }

    // All threads of the warp call this together. Everything that the attempt has written is
    // visible before another warp repeats the strand.
    __device__ void finish(const Task& task, bool is_complete, int lane) const {
        __syncwarp();
        if (task.attempt != Attempt::first) return;
        const unsigned left = __ballot_sync(kAll, !is_complete);
        if (left != 0) {
            __threadfence();
            int at = 0;
            if (lane == 0) at = atomicAdd(&counters->given_up, __popc(left));
            at = __shfl_sync(kAll, at, 0) + __popc(left & ((1u << lane) - 1));
            if (!is_complete) write(slots + at, task.slot);
        }
        if (lane == 0) atomicAdd(&counters->finished_groups, 1);
    }

private:
    static constexpr unsigned kAll = 0xffffffffu;
    static constexpr int kNone = -2;
    static constexpr int kWholeGroup = -1;

    // The first slot of `count` strands to repeat, or a group if count is kWholeGroup. Nothing is
    // left if count is 0.
    struct Fetched {
        int first, count;
    };

    __device__ static int read(const int* at) { return *static_cast<const volatile int*>(at); }
    __device__ static void write(int* at, int value) { *static_cast<volatile int*>(at) = value; }

    __device__ Fetched fetch() const {
        bool has_groups = read(&counters->next_group) < group_count;
        for (;;) {
            // Read first: no strand is given up after the last group is finished.
            const bool is_last = read(&counters->finished_groups) == group_count;
            __threadfence();
            const int from = read(&counters->repeated), ready = read(&counters->given_up) - from;
            const int count = ready < kWarp ? ready : kWarp;
            if (count == kWarp || (is_last && count > 0)) {
                if (atomicCAS(&counters->repeated, from, from + count) == from)
                    return {from, count};
                continue;
            }
            if (has_groups) {
                const int group = atomicAdd(&counters->next_group, 1);
                if (group < group_count) return {group, kWholeGroup};
                has_groups = false;
            }
            if (is_last) return {0, 0};
            __nanosleep(200);
        }
    }
#endif
};

class WorkQueueMemory {
public:
    // A queue of all groups. Valid until the next call.
    WorkQueue start(int group_count, cudaStream_t stream) {
        const auto strands = static_cast<std::size_t>(group_count) * kWarp;
        if (slots_.size() < strands) slots_ = DeviceArray<int>(strands);
        check_cuda(cudaMemsetAsync(slots_.data(), 0xff, strands * sizeof(int), stream));
        check_cuda(cudaMemsetAsync(counters_.data(), 0, counters_.byte_count(), stream));
        return {group_count, counters_.data(), slots_.data()};
    }

private:
    DeviceArray<WorkCounters> counters_{1};
    DeviceArray<int> slots_;
};

}  // namespace ringlet
