// Where each strand lives in memory: the one layout that groom, simulation and renderers share.
//
// Strands are gathered in blocks of kLanes. A channel (position, velocity, ...) stores, block after
// block, vertex after vertex, component after component, one float of each of the kLanes strands:
//
//     index = ((first_row(block) + vertex) * components + component) * kLanes + lane
//
// so that a kernel works on kLanes strands with contiguous loads. A block has as many rows as its
// longest strand has vertices; strands are ordered so that a block's strands are alike in vertex
// count (they finish together) and near in space (caches and grids stay warm). Lanes and rows that
// no strand uses are padding: zero, inverse mass zero.
//
// Nothing outside strand/ computes such an index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace ringlet {

inline constexpr int kLanes = 8;

// Floats from one component to the next where kernels work. On a GPU the strands of a warp lie side
// by side (sim/cuda/strands.h), so that its threads read a cache line together.
#ifdef __CUDA_ARCH__
inline constexpr bool kOnGpu = true;
#else
inline constexpr bool kOnGpu = false;
#endif
inline constexpr int kRowWidth = kOnGpu ? 32 : kLanes;

class StrandLayout {
public:
    struct Slot {
        std::int32_t block, lane;
    };

    StrandLayout() = default;
    // Any count from 1 up is legal. Roots (one per strand, or none) decide who is near whom.
    explicit StrandLayout(std::span<const int> vertex_counts, std::span<const Vec3f> roots = {});

    int strand_count() const { return static_cast<int>(vertex_counts_.size()); }
    int block_count() const { return static_cast<int>(first_rows_.size()) - 1; }
    int row_count() const { return first_rows_.back(); }
    std::int64_t vertex_total() const { return vertex_total_; }

    int vertex_count(int strand) const { return vertex_counts_[static_cast<std::size_t>(strand)]; }
    Slot slot(int strand) const { return slots_[static_cast<std::size_t>(strand)]; }
    // -1 for padding.
    int strand_at(int block, int lane) const {
        return strands_[static_cast<std::size_t>(block) * kLanes + static_cast<std::size_t>(lane)];
    }
    int first_row(int block) const { return first_rows_[static_cast<std::size_t>(block)]; }
    // Vertices of the longest strand of the block.
    int rows(int block) const { return rows_[static_cast<std::size_t>(block)]; }

    std::size_t index(int strand, int vertex, int component, int components) const {
        const Slot at = slot(strand);
        return (static_cast<std::size_t>(first_row(at.block) + vertex) *
                    static_cast<std::size_t>(components) +
                static_cast<std::size_t>(component)) *
                   kLanes +
               static_cast<std::size_t>(at.lane);
    }

private:
    std::vector<std::int32_t> vertex_counts_;
    std::vector<Slot> slots_;
    std::vector<std::int32_t> strands_;
    std::vector<std::int32_t> first_rows_{0};  // even, so that every block starts a cache line
    std::vector<std::int32_t> rows_;
    std::int64_t vertex_total_ = 0;
};

}  // namespace ringlet
