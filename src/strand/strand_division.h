// How the strands of a layout are divided over ranks (base/ranks.h): each simulates consecutive
// blocks. Blocks are in the order of a space-filling curve over the roots, so the strands of a rank
// are close together.
//
// Every rank has the channels of all strands, but keeps only those of its own blocks current.
#pragma once

#include "base/ranks.h"
#include "strand/layout.h"

namespace ringlet {

class StrandDivision {
public:
    // Not divided: this process has all blocks.
    StrandDivision() = default;
    // Divides the blocks over the ranks [first, first + count) of `all`, by their number of rows.
    // Each rank has whole groups of `group` blocks (kDeviceBlocks for simulations on a GPU). Uses
    // fewer ranks if there are fewer groups. Collective over `all`.
    StrandDivision(const StrandLayout& layout, Ranks& all, int first, int count, int group = 1);

    bool is_divided() const { return all_ != nullptr; }
    // Whether this is the first rank of all, which has the results. Precondition: is_divided().
    bool is_first() const { return all_->rank() == 0; }
    // The ranks that have blocks, where this process is one of several of them; null otherwise.
    Ranks* sharers() const { return sharers_.get(); }
    // The blocks [first_block(), end_block()) of this rank. Precondition: is_divided().
    int first_block() const { return bounds_[own_]; }
    int end_block() const { return bounds_[own_end_]; }
    bool has_blocks() const { return !is_divided() || first_block() < end_block(); }

    // Brings the current values of a channel to the first rank of all. `bytes` is the channel's
    // memory, with equal parts per row or per block. All ranks that have blocks, and the first,
    // must call it. Does nothing where nothing is divided.
    void collect(const StrandLayout& layout, std::span<std::byte> bytes, Per per) const;
    // The same for one number of each rank: on the first rank, calls merge(number) with those of
    // the other ranks.
    template <class Merge>
    void collect_number(std::int64_t own, const Merge& merge) const {
        for (const std::int64_t number : collected_numbers(own)) merge(number);
    }

private:
    std::vector<std::int64_t> collected_numbers(std::int64_t own) const;

    Ranks* all_ = nullptr;  // not owned
    std::shared_ptr<Ranks> sharers_;
    int first_rank_ = 0;
    std::vector<int> bounds_{0};         // rank first_rank_ + k has [bounds_[k], bounds_[k + 1])
    std::size_t own_ = 0, own_end_ = 0;  // of this rank in bounds_; equal: it has no blocks
};

// Some consecutive ranks.
struct RankRange {
    int first, count;
};

// Distributes ranks over heads, whose work is given. With at least as many heads as ranks each head
// has one rank, so that nothing of it is exchanged; otherwise each rank has one head, and several
// ranks divide a head. A head without work has no rank.
std::vector<RankRange> ranks_of_heads(std::span<const std::int64_t> work, int rank_count);

}  // namespace ringlet
