// The memory layout of strands, shared by groom, simulation and renderers.
//
// Strands are grouped in blocks of kLanes. A channel (position, velocity, ...) stores, block by
// block, vertex by vertex, component by component, one float of each of the kLanes strands:
//
//     index = ((first_row(block) + vertex) * components + component) * kLanes + lane
//
// so that a kernel processes kLanes strands with contiguous loads. A row holds all components of
// one vertex of the kLanes strands. A block has as many rows as its longest strand has vertices.
// Strands are sorted so that the strands of a block have similar vertex counts (little padding) and
// are close in space (good cache use). Unused lanes and rows are padding: zero, inverse mass zero.
//
// Code outside strand/ computes no such index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/assert.h"
#include "math/vec3.h"

namespace ringlet {

inline constexpr int kLanes = 8;
// Blocks whose strands a GPU processes together, as one warp.
inline constexpr int kDeviceBlocks = 4;

// Floats between consecutive components in memory that kernels access. On a GPU a row interleaves
// the strands of a warp (sim/cuda/strands.h), so that its threads read whole cache lines.
#ifdef __CUDA_ARCH__
inline constexpr bool kOnGpu = true;
#else
inline constexpr bool kOnGpu = false;
#endif
inline constexpr int kRowWidth = kOnGpu ? 32 : kLanes;

// The extent of a channel: one row per vertex, one row per block, or scratch memory for the block
// that is being processed. A null pointer is an unused channel.
enum class Per { row, block, run };

class StrandLayout {
public:
    // The block and lane that store a strand.
    struct Slot {
        std::int32_t block, lane;
    };

    StrandLayout() = default;
    // Vertex counts are 1 or more. `roots` (one per strand, or empty) are used to sort strands by
    // position.
    explicit StrandLayout(std::span<const int> vertex_counts, std::span<const Vec3f> roots = {});

    int strand_count() const { return static_cast<int>(vertex_counts_.size()); }
    int block_count() const { return static_cast<int>(first_rows_.size()) - 1; }
    int row_count() const { return first_rows_.back(); }
    std::int64_t vertex_total() const { return vertex_total_; }

    // Preconditions of all functions below: indices are in range.
    int vertex_count(int strand) const { return checked(vertex_counts_, strand); }
    Slot slot(int strand) const { return checked(slots_, strand); }
    // Returns -1 for padding.
    int strand_at(int block, int lane) const {
        RINGLET_ASSERT(lane >= 0 && lane < kLanes, "a block has kLanes lanes");
        return checked(strands_, block * kLanes + lane);
    }
    // Slots are numbered block by block, lane by lane, including padding.
    int slot_count() const { return block_count() * kLanes; }
    int slot_index(int strand) const { return slot(strand).block * kLanes + slot(strand).lane; }
    // Returns -1 for padding.
    int strand_in_slot(int index) const { return checked(strands_, index); }
    int first_row(int block) const { return checked(first_rows_, block); }
    // Vertices of the longest strand of the block.
    int rows(int block) const { return checked(rows_, block); }
    // Values of one component in a block, including padding lanes.
    std::size_t values_per_component(int block) const {
        return static_cast<std::size_t>(rows(block)) * kLanes;
    }

    std::size_t index(int strand, int vertex, int component, int components) const {
        const Slot at = slot(strand);
        RINGLET_ASSERT(vertex >= 0 && vertex < vertex_count(strand), "the strand has this vertex");
        RINGLET_ASSERT(component >= 0 && component < components, "the channel has this component");
        return (static_cast<std::size_t>(first_row(at.block) + vertex) *
                    static_cast<std::size_t>(components) +
                static_cast<std::size_t>(component)) *
                   kLanes +
               static_cast<std::size_t>(at.lane);
    }

private:
    template <class T>
    static const T& checked(const std::vector<T>& list, int index) {
        RINGLET_ASSERT(static_cast<std::size_t>(index) < list.size(), "the layout has this index");
        return list[static_cast<std::size_t>(index)];
    }

    std::vector<std::int32_t> vertex_counts_;
    std::vector<Slot> slots_;
    std::vector<std::int32_t> strands_;
    std::vector<std::int32_t> first_rows_{0};  // even, so that blocks start on cache lines
    std::vector<std::int32_t> rows_;
    std::int64_t vertex_total_ = 0;
};

// Layouts are shared by all channels that use them.
using LayoutRef = std::shared_ptr<const StrandLayout>;

}  // namespace ringlet
