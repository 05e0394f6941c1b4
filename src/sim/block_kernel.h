// A kernel over blocks of strands (NAME_kernel.h: NAME_substep over Uniforms and Block), as CMake
// compiled it: per lane kind, and for a device. Runs it over all blocks, here or there.
#pragma once

#include <type_traits>

#include "base/parallel.h"
#include "math/lane_choice.h"
#include "sim/model.h"

namespace ringlet {

template <class Uniforms, class Block>
struct KernelCopies {
    using OnBlock = void (*)(const Uniforms& uniforms, const Block& block);
    using OnDevice = void (*)(Device& device, const Uniforms& uniforms, const Block& first);
    OnBlock scalar, wide8, avx2, avx512, counted;
    OnDevice device;
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

// A kernel that writes some channels beside where it reads them.
template <class Block>
concept HasOuts = requires(Block block) {
    block.x_out;
};

// Floats of scratch for a vertex here, where it costs less to keep something than on a device.
template <class Block>
constexpr int near_scratch() {
    if constexpr (requires { Block::kNearScratch; })
        return Block::kNearScratch;
    else
        return Block::kScratch;
}

template <class Uniforms, class Block>
class BlockKernel {
public:
    BlockKernel(LayoutRef layout, LaneKind lanes, const KernelCopies<Uniforms, Block>& copies)
        : layout_(std::move(layout)),
          on_block_(pick_lanes(lanes, copies.scalar, copies.wide8, copies.avx2, copies.avx512,
                               copies.counted)),
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
                    out = device->beside(host);
                });
            on_device_(*device, uniforms, there);
            if constexpr (HasOuts<Block>)
                Block::visit_outs(first, there,
                                  [&](const float* host, float*) { device->take_beside(host); });
            return;
        }
        pool.for_each(layout().block_count(), [&](int b) {
            const int rows = layout().rows(b);
            Block block = at_block(first, b, layout().first_row(b), rows);
            const auto kept = static_cast<std::size_t>(rows * near_scratch<Block>()) * kLanes;
            const auto more = static_cast<std::size_t>(rows * made) * kLanes;
            float* const scratch = kept + more > 0 ? thread_scratch(kept + more) : nullptr;
            if constexpr (Block::kScratch > 0) block.scratch = scratch;
            if (made > 0) make_rows(block, b, scratch + kept);
            on_block_(uniforms, block);
            if (made > 0) keep_rows(block, b);
        });
    }
    void run(const Uniforms& uniforms, const Block& first, const TaskPool& pool,
             Device* device) const {
        run(
            uniforms, first, pool, device, 0, [](Block&, int, float*) {}, [](const Block&, int) {});
    }

private:
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
    typename KernelCopies<Uniforms, Block>::OnDevice on_device_;
};

}  // namespace ringlet
