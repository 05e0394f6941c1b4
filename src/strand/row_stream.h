// Rows that a pass goes over one after another. Memory is far from a GPU's processors: its threads
// ask for rows ahead of their use, into fast memory of their own. On a CPU a row is read from where
// it is.
//
// A Row says once which rows of which channels it has, and where in fast memory their floats go:
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
#define RINGLET_ASKS_AHEAD
#endif

namespace ringlet {

// Threads of a block on a GPU, whose fast memory is interleaved, and the rows it holds for each:
// the one at hand, the one before, and those asked for.
inline constexpr int kStreamThreads = 64, kStreamSlots = 3;

// Whether it is so for any strand at hand: those of a warp, on a GPU.
RINGLET_KERNEL bool any_beside(bool a) {
#ifdef __CUDA_ARCH__
    return __any_sync(__activemask(), a);
#else
    return a;
#endif
}

// Whether all threads of a warp are here, with the same number, and can forget rows together.
RINGLET_KERNEL bool forget_together([[maybe_unused]] int number) {
#ifdef RINGLET_ASKS_AHEAD
    constexpr unsigned whole_warp = 0xffffffffu;
    return __activemask() == whole_warp &&
           __all_sync(whole_warp, number == __shfl_sync(whole_warp, number, 0));
#else
    return false;
#endif
}

// Nobody reads that row again before it is written anew: it need not go to memory. All threads of a
// warp must have taken it.
template <class Rows>
RINGLET_KERNEL void forget_row([[maybe_unused]] const Rows& rows, [[maybe_unused]] int row) {
#ifdef RINGLET_ASKS_AHEAD
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

// Good until the row after the next has been taken.
template <class Strand>
struct RowView {
    const Strand& strand;
    int row;
    const float* arrived;  // in fast memory

    RINGLET_KERNEL void move_to(const RowView& other) {
        row = other.row;
        arrived = other.arrived;
    }

    template <class Rows>
    RINGLET_KERNEL auto get(const Rows& rows, [[maybe_unused]] int place) const {
#ifdef RINGLET_ASKS_AHEAD
        decltype(rows[0]) out;
        const float* from = arrived + place * kStreamThreads;
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

// A row of which not all may be worth asking for: `has_more` tells, from what lies in memory, and
// is asked a row ahead; `visit_more` has the rest.
template <class Row, class Strand>
concept MayHaveMore = requires(const Strand& strand) {
    Row::has_more(strand, 0);
};

// A pass may write a row once it has taken it, and none before.
template <class Row, class Strand>
class RowStream {
public:
    // Rows `first`, `first + step`, and so on, `count` of them.
    RINGLET_KERNEL RowStream(const Strand& strand, int first, int step, int count)
        : strand_(strand), row_(first), step_(step) {
#ifdef RINGLET_ASKS_AHEAD
        asked_row_ = first;
        left_ = count;
        look_for_more();
        for (int k = 0; k < kAhead; ++k) ask();
#else
        static_cast<void>(count);
#endif
    }

    RINGLET_KERNEL Row next() {
        const float* arrived = nullptr;
#ifdef RINGLET_ASKS_AHEAD
        ask();
        asm volatile("cp.async.wait_group %0;" ::"n"(kAhead) : "memory");
        arrived = slot(taken_);
        taken_ = after(taken_);
#endif
        const int row = row_;
        row_ += step_;
        return Row{{strand_, row, arrived}};
    }

private:
#ifdef RINGLET_ASKS_AHEAD
    static constexpr int kAhead = kStreamSlots - 2;

    struct Ask {
        int row;
        float* to;

        template <class Rows>
        __device__ void operator()(const Rows& rows, int place) const {
            constexpr int count = sizeof(rows[0]) / sizeof(float);
            const float* const from = rows.at + row * count * kRowWidth;
            for (int k = 0; k < count; ++k) {
                const auto there = __cvta_generic_to_shared(to + (place + k) * kStreamThreads);
                asm volatile(
                    "cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(static_cast<unsigned>(there)),
                    "l"(__cvta_generic_to_global(from + k * kRowWidth))
                    : "memory");
            }
        }
    };

    // Also where no row is left, so that waiting for all but the last few asked for is right.
    __device__ void ask() {
        if (left_ > 0) {
            const Ask ask_for{asked_row_, slot(asked_)};
            Row::visit(strand_, ask_for);
            if constexpr (MayHaveMore<Row, Strand>)
                if (has_more_) Row::visit_more(strand_, ask_for);
            asked_row_ += step_;
            --left_;
            asked_ = after(asked_);
            look_for_more();
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    __device__ void look_for_more() {
        if constexpr (MayHaveMore<Row, Strand>)
            has_more_ = left_ > 0 && Row::has_more(strand_, asked_row_);
    }
    __device__ static int after(int slot) { return slot + 1 == kStreamSlots ? 0 : slot + 1; }
    __device__ float* slot(int k) const {
        return strand_.ahead + k * Row::kFloats * kStreamThreads;
    }

    int asked_ = 0, taken_ = 0, asked_row_, left_;
    bool has_more_ = false;
#endif
    const Strand& strand_;
    int row_, step_;
};

}  // namespace ringlet
