// What a model with a kernel over blocks (NAME_kernel.h: NAME_substep over Uniforms and Block) has
// in common with the others: running that kernel over all blocks, here or on a device.
#pragma once

#include "sim/cpu/lane_choice.h"
#include "sim/models/registry.h"
#include "sim/models/upkeep.h"

namespace ringlet {

// A model's kernel as it was compiled: per lane kind, and for a device.
template <class Uniforms, class Block>
struct KernelCopies {
    using OnBlock = void (*)(const Uniforms& uniforms, const Block& block);
    using OnDevice = void (*)(const DeviceLaunch& launch, const Uniforms& uniforms,
                              const Block& first);
    OnBlock scalar, wide8, avx2;
    OnDevice device;
};

// Declares the copies that CMake has made of a model's kernel (cpu/blocks.cpp, cuda/blocks.cu).
#define RINGLET_KERNEL_COPIES(NAME, TYPE)                                               \
    void NAME##_block_scalar(const TYPE##Uniforms& uniforms, const TYPE##Block& block); \
    void NAME##_block_wide8(const TYPE##Uniforms& uniforms, const TYPE##Block& block);  \
    void NAME##_block_avx2(const TYPE##Uniforms& uniforms, const TYPE##Block& block);   \
    void NAME##_on_device(const DeviceLaunch& launch, const TYPE##Uniforms& uniforms,   \
                          const TYPE##Block& first);                                    \
    static constexpr KernelCopies<TYPE##Uniforms, TYPE##Block> k##TYPE##Kernel {        \
        NAME##_block_scalar, NAME##_block_wide8, NAME##_block_avx2, NAME##_on_device    \
    }

template <class Uniforms, class Block>
class BlockModel : public Model {
public:
    void substep(SimState& state, const Surroundings& around, const TaskPool& pool) final {
        const Uniforms uniforms = uniforms_for(around);
        const Block first = first_block(state, around);
        pool.for_each(layout().block_count(), [&](int b) {
            const int rows = layout().rows(b);
            Block block = at_block(first, b, layout().first_row(b), rows);
            give_scratch(block,
                         thread_scratch(static_cast<std::size_t>(rows * Block::kScratch) * kLanes));
            on_block_(uniforms, block);
        });
    }

    void substep(SimState& state, const Surroundings& around, Device& device) final {
        Block first = first_block(state, around);
        first.visit(ToDevice{device, layout(), around.root_poses});
        const DeviceLaunch launch = device.prepare(Block::kScratch);
        on_device_(launch, uniforms_for(around), first);
    }

    std::pair<int, int> take_repaired() final { return take_first_repaired(repaired_, layout()); }
    const void* repaired() const final { return repaired_.data(); }

protected:
    BlockModel(LayoutRef layout, LaneKind lanes, const KernelCopies<Uniforms, Block>& kernel)
        : repaired_(static_cast<std::size_t>(layout->block_count()) * kLanes, -1),
          layout_(std::move(layout)),
          on_block_(pick_lanes(lanes, kernel.scalar, kernel.wide8, kernel.avx2)),
          on_device_(kernel.device) {}

    virtual Uniforms uniforms_for(const Surroundings& around) const = 0;
    // The channels from the first block on; scratch is nobody's yet.
    virtual Block first_block(SimState& state, const Surroundings& around) = 0;

    const StrandLayout& layout() const { return *layout_; }
    std::size_t lane_count() const {
        return static_cast<std::size_t>(layout().block_count()) * kLanes;
    }
    std::size_t slot(int strand) const {
        const StrandLayout::Place at = layout().place(strand);
        return static_cast<std::size_t>(at.block * kLanes + at.lane);
    }

    // Null where there is nothing, as of a channel.
    static float* rows_of(std::vector<float>& list) { return list.empty() ? nullptr : list.data(); }

    std::vector<float> repaired_;  // per strand: first vertex whose numbers were repaired, or -1

private:
    struct ToDevice {
        Device& device;
        const StrandLayout& layout;
        const float* fresh;  // what the host computes anew in every substep

        template <class T>
        void operator()(T*& at, int components, Per per) const {
            if (!at || per == Per::run) return;
            const int count = per == Per::row ? layout.row_count() : layout.block_count();
            if (at == fresh) device.host_changed(at);
            at = device.mirror(at, static_cast<std::size_t>(count) * components * kLanes,
                               !std::is_const_v<T>);
        }
    };

    LayoutRef layout_;
    typename KernelCopies<Uniforms, Block>::OnBlock on_block_;
    typename KernelCopies<Uniforms, Block>::OnDevice on_device_;
};

}  // namespace ringlet
