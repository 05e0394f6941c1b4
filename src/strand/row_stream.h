// Sequential access to rows with prefetching. On a GPU a thread copies rows to shared memory ahead
// of their use, which hides memory latency. On a CPU a row is read directly from the channel.
//
// A Row type lists the channels it reads and the offsets of their floats in shared memory:
//
//     template <class F>
//     struct PlaceRow : RowView<Strand<F>> {
//         enum { kX = 0, kW = 3, kFloats = 4 };
//         template <class Visit>
//         RINGLET_KERNEL static void visit(const Strand<F>& s, const Visit& visit) {
//             visit(s.x, kX);
//             visit(s.w, kW);
//         }
//         RINGLET_KERNEL Vec3<F> x() const { return this->get(this->strand.x, kX); }
//         RINGLET_KERNEL F w() const { return this->get(this->strand.w, kW); }
//     };
#pragma once

#include "strand/rows.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define RINGLET_PREFETCHES
#endif

namespace ringlet {

// Threads per block on a GPU, whose shared memory is interleaved, and the rows that it holds per
// thread: the current one, the previous one, and prefetched ones.
inline constexpr int kStreamThreads = 64, kStreamSlots = 3;

// Returns whether the condition holds for any strand of the warp on a GPU, or for this one.
RINGLET_KERNEL bool any_in_warp(bool a) {
#ifdef __CUDA_ARCH__
    return __any_sync(__activemask(), a);
#else
    return a;
#endif
}

// Returns whether the condition holds for so few strands of the warp that it is faster to repeat
// them in another one. True on a CPU.
RINGLET_KERNEL bool are_few_in_warp([[maybe_unused]] bool a) {
#ifdef __CUDA_ARCH__
    constexpr int kFew = 4;
    return __popc(__ballot_sync(__activemask(), a)) <= kFew;
#else
    return true;
#endif
}

// Returns whether all threads of the warp are active with the same row, so that they can call
// discard_row together.
RINGLET_KERNEL bool can_discard_rows([[maybe_unused]] int row) {
#ifdef RINGLET_PREFETCHES
    constexpr unsigned whole_warp = 0xffffffffu;
    return __activemask() == whole_warp &&
           __all_sync(whole_warp, row == __shfl_sync(whole_warp, row, 0));
#else
    return false;
#endif
}

// Marks a row as not needed until it is next written, so that the cache need not write it to
// memory. Precondition: all threads of the warp have read it.
template <class Rows>
RINGLET_KERNEL void discard_row([[maybe_unused]] const Rows& rows, [[maybe_unused]] int row) {
#ifdef RINGLET_PREFETCHES
    constexpr int count = sizeof(rows[0]) / sizeof(float);
    static_assert(count <= kRowWidth);
    const int lane = static_cast<int>(threadIdx.x) % kRowWidth;
    const float* const line = rows.at - lane + (row * count + lane) * kRowWidth;
    __syncwarp();
    if (lane < count)
        asm volatile("discard.global.L2 [%0], 128;" ::"l"(__cvta_generic_to_global(line))
                     : "memory");
#endif
}

// A row. Valid until next() has been called twice more.
template <class Strand>
struct RowView {
    const Strand& strand;
    int row;
    const float* prefetched;  // in shared memory

    RINGLET_KERNEL void move_to(const RowView& other) {
        row = other.row;
        prefetched = other.prefetched;
    }

    template <class Rows>
    RINGLET_KERNEL auto get(const Rows& rows, [[maybe_unused]] int offset) const {
#ifdef RINGLET_PREFETCHES
        decltype(rows[0]) out;
        const float* from = prefetched + offset * kStreamThreads;
        each(out, [&from](float& a) {
            a = *from;
            from += kStreamThreads;
        });
        return out;
#else
        return rows[row];
#endif
    }
};

// A Row type with an optional part: has_more() decides one row ahead, from memory, whether
// visit_more() is prefetched too.
template <class Row, class Strand>
concept MayHaveMore = requires(const Strand& strand) {
    Row::has_more(strand, 0);
};

// A pass may write a row only after next() has returned it.
template <class Row, class Strand>
class RowStream {
public:
    // Streams `count` rows: first, first + step, and so on.
    RINGLET_KERNEL RowStream(const Strand& strand, int first, int step, int count)
        : strand_(strand), row_(first), step_(step) {
#ifdef RINGLET_PREFETCHES
        requested_row_ = first;
        left_ = count;
        check_for_more();
        for (int k = 0; k < kAhead; ++k) prefetch();
#else
        static_cast<void>(count);
#endif
    }

    RINGLET_KERNEL Row next() {
        const float* prefetched = nullptr;
#ifdef RINGLET_PREFETCHES
        prefetch();
        asm volatile("cp.async.wait_group %0;" ::"n"(kAhead) : "memory");
        prefetched = slot(returned_);
        returned_ = after(returned_);
#endif
        const int row = row_;
        row_ += step_;
        return Row{{strand_, row, prefetched}};
    }

private:
#ifdef RINGLET_PREFETCHES
    static constexpr int kAhead = kStreamSlots - 2;

    struct Request {
        int row;
        float* to;

        template <class Rows>
        __device__ void operator()(const Rows& rows, int offset) const {
            constexpr int count = sizeof(rows[0]) / sizeof(float);
            const float* const from = rows.at + row * count * kRowWidth;
            for (int k = 0; k < count; ++k) {
                const auto target = __cvta_generic_to_shared(to + (offset + k) * kStreamThreads);
                asm volatile(
                    "cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(static_cast<unsigned>(target)),
                    "l"(__cvta_generic_to_global(from + k * kRowWidth))
                    : "memory");
            }
        }
    };

    // Commits a group even if no row is left, so that the count of wait_group is always right.
    __device__ void prefetch() {
        if (left_ > 0) {
            const Request request{requested_row_, slot(requested_)};
            Row::visit(strand_, request);
            if constexpr (MayHaveMore<Row, Strand>)
                if (has_more_) Row::visit_more(strand_, request);
            requested_row_ += step_;
            --left_;
            requested_ = after(requested_);
            check_for_more();
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    __device__ void check_for_more() {
        if constexpr (MayHaveMore<Row, Strand>)
            has_more_ = left_ > 0 && Row::has_more(strand_, requested_row_);
    }
    __device__ static int after(int slot) { return slot + 1 == kStreamSlots ? 0 : slot + 1; }
    __device__ float* slot(int k) const {
        return strand_.prefetch_buffer + k * Row::kFloats * kStreamThreads;
    }

    int requested_ = 0, returned_ = 0, requested_row_, left_;
    bool has_more_ = false;
#endif
    const Strand& strand_;
    int row_, step_;
};

}  // namespace ringlet
