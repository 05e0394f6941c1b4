#include "strand/strand_division.h"

#include <algorithm>

namespace ringlet {

namespace {

int group_count(const StrandLayout& layout, int group) {
    return (layout.block_count() + group - 1) / group;
}

// The first block of each part and the end of the last, such that parts have about as many rows and
// at least one group of blocks. Precondition: there are at least as many groups.
std::vector<int> even_bounds(const StrandLayout& layout, int parts, int group) {
    const int groups = group_count(layout, group);
    std::vector<int> out{0};
    int next = 0;
    for (int k = 1; k < parts; ++k) {
        const std::int64_t target = std::int64_t{layout.row_count()} * k / parts;
        ++next;
        while (next < groups - (parts - k) && layout.first_row(next * group) < target) ++next;
        out.push_back(next * group);
    }
    out.push_back(layout.block_count());
    return out;
}

}  // namespace

StrandDivision::StrandDivision(const StrandLayout& layout, Ranks& all, int first, int count,
                               int group)
    : all_(&all), first_rank_(first) {
    const int parts = std::min(count, group_count(layout, group));
    if (parts > 1) sharers_ = all.group(first, parts);
    if (parts > 0) bounds_ = even_bounds(layout, parts, group);
    if (const int part = all.rank() - first; part >= 0 && part < parts) {
        own_ = static_cast<std::size_t>(part);
        own_end_ = own_ + 1;
    }
}

void StrandDivision::collect(const StrandLayout& layout, std::span<std::byte> bytes,
                             Per per) const {
    if (!is_divided() || layout.block_count() == 0) return;
    const auto place_of = [&](int block) {
        const int units = per == Per::row ? layout.row_count() : layout.block_count();
        const int unit = block == layout.block_count() ? units
                         : per == Per::row             ? layout.first_row(block)
                                                       : block;
        return bytes.size() / static_cast<std::size_t>(units) * static_cast<std::size_t>(unit);
    };
    const auto part = [&](std::size_t k) {
        const std::size_t begin = place_of(bounds_[k]);
        return bytes.subspan(begin, place_of(bounds_[k + 1]) - begin);
    };
    if (all_->rank() > 0) {
        if (has_blocks()) all_->send(0, part(own_));
        return;
    }
    for (std::size_t k = 0; k + 1 < bounds_.size(); ++k)
        if (const int rank = first_rank_ + static_cast<int>(k); rank > 0)
            all_->receive(rank, part(k));
}

std::vector<std::int64_t> StrandDivision::collected_numbers(std::int64_t own) const {
    std::vector<std::int64_t> out;
    if (!is_divided()) return out;
    if (all_->rank() > 0) {
        if (has_blocks()) all_->send(0, std::as_bytes(std::span(&own, 1)));
        return out;
    }
    for (std::size_t k = 0; k + 1 < bounds_.size(); ++k)
        if (const int rank = first_rank_ + static_cast<int>(k); rank > 0)
            all_->receive(rank, std::as_writable_bytes(std::span(&out.emplace_back(), 1)));
    return out;
}

std::vector<RankRange> ranks_of_heads(std::span<const std::int64_t> work, int rank_count) {
    std::int64_t total = 0;
    int left = 0;  // heads with work from the current one on
    for (const std::int64_t one : work) {
        total += one;
        left += one > 0 ? 1 : 0;
    }
    const bool one_rank_each = left >= rank_count;
    std::vector<RankRange> out;
    std::int64_t before = 0;
    int next = 0;
    for (const std::int64_t one : work) {
        if (one == 0) {
            out.push_back({0, 0});
            continue;
        }
        if (one_rank_each) {
            const std::int64_t middle = before + one / 2;
            out.push_back({static_cast<int>(middle * rank_count / total), 1});
        } else {
            const auto end = static_cast<int>((before + one) * rank_count / total);
            out.push_back({next, std::clamp(end - next, 1, rank_count - next - (left - 1))});
            next += out.back().count;
        }
        before += one;
        --left;
    }
    return out;
}

}  // namespace ringlet
