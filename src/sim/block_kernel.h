// A kernel over blocks of strands (NAME_kernel.h: NAME_substep over Uniforms and Block), as CMake
// compiled it: per lane kind, and for a device. Runs it over all blocks, here or there.
#pragma once

#include <algorithm>
#include <type_traits>

#include "base/parallel.h"
#include "math/lane_choice.h"
#include "sim/model.h"

namespace ringlet {

template <class Uniforms, class Block>
struct KernelCopies {
    using OnBlock = void (*)(const Uniforms& uniforms, const Block& block);
    using OnPair = void (*)(const Uniforms& uniforms, const Block& a, const Block& b);
    using OnDevice = void (*)(Device& device, const Uniforms& uniforms, const Block& first);
    OnBlock scalar, wide8, avx2, avx512, counted;
    OnDevice device;
    OnPair pair_avx512 = nullptr;  // two neighbouring blocks of as many rows at a time
};

// Declares the copies that cpu/blocks.cpp and cuda/blocks.cu are.
#define RINGLET_KERNEL_COPIES(NAME, TYPE)                                                \
    void NAME##_block_scalar(const TYPE##Uniforms& uniforms, const TYPE##Block& block);  \
    void NAME##_block_wide8(const TYPE##Uniforms& uniforms, const TYPE##Block& block);   \
    void NAME##_block_avx2(const TYPE##Uniforms& uniforms, const TYPE##Block& block);    \
    void NAME##_block_avx512(const TYPE##Uniforms& uniforms, const TYPE##Block& block);  \
    void NAME##_block_counted(const TYPE##Uniforms& uniforms, const TYPE##Block& block); \
    void NAME##_on_device(Device& device, const TYPE##Uniforms& uniforms,                \
                          const TYPE##Block& first);                                     \
    static constexpr KernelCopies<TYPE##Uniforms, TYPE##Block> k##TYPE##Kernel {         \
        NAME##_block_scalar, NAME##_block_wide8, NAME##_block_avx2, NAME##_block_avx512, \
            NAME##_block_counted, NAME##_on_device                                       \
    }

// ... and that of two blocks at a time, for a kernel that CMake lists with pairs.
#define RINGLET_PAIR_COPY(NAME, TYPE)                                                     \
    void NAME##_pair_avx512(const TYPE##Uniforms& uniforms, const TYPE##Block& a,         \
                            const TYPE##Block& b);                                        \
    static constexpr KernelCopies<TYPE##Uniforms, TYPE##Block> k##TYPE##PairKernel = [] { \
        auto copies = k##TYPE##Kernel;                                                    \
        copies.pair_avx512 = NAME##_pair_avx512;                                          \
        return copies;                                                                    \
    }()

// A kernel that writes some channels beside where it reads them.
template <class Block>
concept HasOuts = requires(Block block) {
    block.x_out;
};

// A kernel for which a device notes something of each row before the strands' turn comes.
template <class Block>
concept HasNotes = requires(Block block) {
    block.near;
};

// Floats of scratch for the strands of a block here, where it costs less to keep something than on
// a device.
template <class Block>
constexpr std::size_t near_scratch(int rows) {
    int a_vertex = Block::kScratch, once = 0;
    if constexpr (requires { Block::kNearScratch; }) a_vertex = Block::kNearScratch;
    if constexpr (requires { Block::kPairScratch; })
        a_vertex = std::max(a_vertex, Block::kPairScratch);
    if constexpr (requires { Block::kNearRoom; }) once = Block::kNearRoom;
    return static_cast<std::size_t>(rows * a_vertex * kLanes + once);
}

template <class Uniforms, class Block>
class BlockKernel {
public:
    BlockKernel(LayoutRef layout, LaneKind lanes, const KernelCopies<Uniforms, Block>& copies)
        : layout_(std::move(layout)),
          on_block_(pick_lanes(lanes, copies.scalar, copies.wide8, copies.avx2, copies.avx512,
                               copies.counted)),
          on_pair_(choose_lanes(lanes) == LaneKind::avx512 ? copies.pair_avx512 : nullptr),
          on_device_(copies.device) {}

    const StrandLayout& layout() const { return *layout_; }

    // `first` has the channels from the first block on; scratch is given here. Where there is a
    // device, pointers within the uniforms are its own already. On the CPU, make_rows(block, its
    // number, room) may unfold channels that are not kept as the kernel wants them, of `made`
    // floats a vertex together, and keep_rows(block, its number) take back what was changed.
    template <class MakeRows, class KeepRows>
    void run(const Uniforms& uniforms, Block first, const TaskPool& pool, Device* device, int made,
             const MakeRows& make_rows, const KeepRows& keep_rows) const {
        if (layout().block_count() == 0) return;
        if (device) {
            Block there = first;
            there.visit(ToDevice{*device});
            if constexpr (HasOuts<Block>)
                Block::visit_outs(first, there, [&](const float* host, float*& out) {
                    out = device->second_buffer(host);
                });
            if constexpr (HasNotes<Block>)
                Block::visit_notes(first, there, [&](const float* host, float*& note) {
                    note = device->second_buffer(host);
                });
            on_device_(*device, uniforms, there);
            if constexpr (HasOuts<Block>)
                Block::visit_outs(first, there,
                                  [&](const float* host, float*) { device->swap_buffers(host); });
            return;
        }
        // Pairs are for kernels that make no rows.
        const int together = on_pair_ ? 2 : 1;
        pool.for_each((layout().block_count() + together - 1) / together, [&](int task) {
            int b = task * together;
            const int end = std::min(b + together, layout().block_count());
            if (end - b == 2 && layout().rows(b) == layout().rows(b + 1))
                return on_pair_(uniforms, block_here(first, b), block_here(first, b + 1));
            for (; b < end; ++b) {
                float* room = nullptr;
                Block block = block_here(first, b, made, &room);
                if (made > 0) make_rows(block, b, room);
                on_block_(uniforms, block);
                if (made > 0) keep_rows(block, b);
            }
        });
    }
    void run(const Uniforms& uniforms, const Block& first, const TaskPool& pool,
             Device* device) const {
        run(
            uniforms, first, pool, device, 0, [](Block&, int, float*) {}, [](const Block&, int) {});
    }

private:
    // With scratch, and room for `made` floats a vertex.
    Block block_here(const Block& first, int b, int made = 0, float** room = nullptr) const {
        const int rows = layout().rows(b);
        Block block = at_block(first, b, layout().first_row(b), rows);
        const std::size_t own = near_scratch<Block>(rows);
        const std::size_t all = own + static_cast<std::size_t>(rows * made) * kLanes;
        float* const scratch = all > 0 ? thread_scratch(all) : nullptr;
        if constexpr (Block::kScratch > 0) block.scratch = scratch;
        if (room) *room = scratch + own;
        return block;
    }

    struct ToDevice {
        Device& device;

        template <class T>
        void operator()(T*& at, int components, Per per) const {
            if (!at || per == Per::run) return;
            at = device.mirror(at, components, per, !std::is_const_v<T>);
        }
    };

    LayoutRef layout_;
    typename KernelCopies<Uniforms, Block>::OnBlock on_block_;
    typename KernelCopies<Uniforms, Block>::OnPair on_pair_;
    typename KernelCopies<Uniforms, Block>::OnDevice on_device_;
};

}  // namespace ringlet
