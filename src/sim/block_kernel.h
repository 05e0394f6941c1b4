// Runs a kernel (sim/kernel_protocol.h) over all blocks of a layout, on the CPU or on a device.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/assert.h"
#include "base/parallel.h"
#include "math/lane_choice.h"
#include "sim/channel_access.h"
#include "sim/kernel_protocol.h"

namespace ringlet {

// Launches the kernel on a device. `first` has device pointers. Defined in
// sim/cuda/run_on_device.h and instantiated in one file per kernel.
#if RINGLET_HAS_CUDA
template <class Kernel>
void run_on_device(Device& device, const typename Kernel::Uniforms& uniforms,
                   const typename Kernel::Block& first);
#else
template <class Kernel>
void run_on_device(Device&, const typename Kernel::Uniforms&, const typename Kernel::Block&) {
    RINGLET_ASSERT(false, "a build without CUDA has no device");
}
#endif

// Channels that a model stores in compact form on the CPU and unpacks for one block at a time.
template <class Block>
class PackedChannels {
public:
    virtual ~PackedChannels() = default;
    // Floats per vertex of all unpacked channels; 0 if there are none.
    virtual int unpacked_floats() const { return 0; }
    // Unpacks the channels of block b to `memory` and sets the block's pointers to them.
    virtual void unpack_block(Block& /*block*/, int /*b*/, float* /*memory*/) const {}
    // Stores what the kernel changed.
    virtual void repack_block(const Block& /*block*/, int /*b*/) {}
    // The compact memory that repack_block() writes, of a channel; empty if there is none.
    virtual std::span<std::byte> packed_memory() { return {}; }
};

template <class Kernel>
class BlockKernel {
public:
    using Uniforms = typename Kernel::Uniforms;
    using Block = typename Kernel::Block;

    BlockKernel(LayoutRef layout, LaneKind lanes)
        : layout_(std::move(layout)),
          functions_(pick_lanes(
              lanes, &block_functions<Kernel, float>, &block_functions<Kernel, Wide8<IsaPortable>>,
              &block_functions<Kernel, Wide8<IsaAvx2>>, &block_functions<Kernel, Wide8<IsaAvx512>>,
              &block_functions<Kernel, Counted>)()) {}

    const StrandLayout& layout() const { return *layout_; }

    // Restricts run() to some blocks, on the CPU; empty: all.
    void set_active_blocks(std::span<const int> blocks) {
        active_.assign(blocks.begin(), blocks.end());
    }

    // Runs one substep over all active blocks. `first` has the pointers of the layout's first
    // block, which `access` resolved; pointers within the uniforms belong to the same memory.
    void run(const Uniforms& uniforms, const Block& first, const TaskPool& pool,
             ChannelAccess& access, PackedChannels<Block>* packed = nullptr) const {
        if (layout().block_count() == 0) return;
        if (Device* const device = access.device()) {
            run_on_device<Kernel>(*device, uniforms, first);
            access.swap_buffers();
        } else if (packed && packed->unpacked_floats() > 0) {
            run_packed(uniforms, first, pool, *packed);
        } else if (functions_.run_pair) {
            run_pairs(uniforms, first, pool);
        } else {
            pool.for_each(active_count(), [&](int k) {
                functions_.run_block(uniforms, block_with_scratch(first, active_block(k)));
            });
        }
    }

private:
    int active_count() const {
        return active_.empty() ? layout().block_count() : static_cast<int>(active_.size());
    }
    int active_block(int k) const {
        return active_.empty() ? k : active_[static_cast<std::size_t>(k)];
    }

    void run_pairs(const Uniforms& uniforms, const Block& first, const TaskPool& pool) const {
        const int count = active_count();
        pool.for_each((count + 1) / 2, [&](int task) {
            const bool is_pair = 2 * task + 1 < count;
            const int a = active_block(2 * task), b = is_pair ? active_block(2 * task + 1) : a;
            if (is_pair && layout().rows(a) == layout().rows(b))
                return functions_.run_pair(uniforms, block_with_scratch(first, a),
                                           block_with_scratch(first, b));
            functions_.run_block(uniforms, block_with_scratch(first, a));
            if (is_pair) functions_.run_block(uniforms, block_with_scratch(first, b));
        });
    }

    void run_packed(const Uniforms& uniforms, const Block& first, const TaskPool& pool,
                    PackedChannels<Block>& packed) const {
        const auto unpacked = static_cast<std::size_t>(packed.unpacked_floats());
        pool.for_each(active_count(), [&](int k) {
            const int b = active_block(k);
            float* memory = nullptr;
            Block block =
                block_with_scratch(first, b, unpacked * layout().values_per_component(b), &memory);
            packed.unpack_block(block, b, memory);
            functions_.run_block(uniforms, block);
            packed.repack_block(block, b);
        });
    }

    // Returns the b-th block with scratch memory of the calling thread, followed by `more` floats
    // to which `memory` is set.
    Block block_with_scratch(const Block& first, int b, std::size_t more = 0,
                             float** memory = nullptr) const {
        Block block = at_block(first, b, layout().first_row(b), layout().rows(b));
        const std::size_t own = scratch_floats(b);
        float* const scratch = own + more > 0 ? thread_scratch(own + more) : nullptr;
        if constexpr (Kernel::kScratch > 0) block.scratch = scratch;
        if (memory) *memory = scratch + own;
        return block;
    }

    std::size_t scratch_floats(int b) const {
        constexpr std::size_t per_vertex =
            std::max({Kernel::kScratch, Kernel::kCpuScratch, Kernel::kPairScratch});
        return per_vertex * layout().values_per_component(b) + Kernel::kCpuScratchPerBlock;
    }

    LayoutRef layout_;
    std::vector<int> active_;  // empty: all
    BlockFunctions<Kernel> functions_;
};

}  // namespace ringlet
