// The base class of models with a kernel over blocks (sim/kernel_protocol.h).
#pragma once

#include "sim/block_kernel.h"
#include "sim/models/model_common.h"
#include "sim/models/registry.h"

namespace ringlet {

template <class Kernel>
class BlockModel : public Model, protected PackedChannels<typename Kernel::Block> {
public:
    using Uniforms = typename Kernel::Uniforms;
    using Block = typename Kernel::Block;

    void substep(SimState& state, const SubstepContext& context, const TaskPool& pool,
                 Device* device) final {
        if (device) unpack_all();
        ChannelAccess access(device);
        const Block first = first_block(state, context, access);
        kernel_.run(uniforms_for(context), first, pool, access, this);
    }

    // A kernel writes its own state and nothing else.
    MemorySpans changing_memory(SimState& state, bool is_on_device, StateAccess use) final {
        if (is_on_device) unpack_all();
        MemorySpans out;
        ChannelAccess access(out, use);
        first_block(state, SubstepContext{.h = 0, .head = {}, .colliders = {}}, access);
        if (const std::span<std::byte> packed = this->packed_memory(); !packed.empty())
            out.push_back({packed, Per::row});
        return out;
    }

    void set_active_blocks(std::span<const int> blocks) final { kernel_.set_active_blocks(blocks); }

    std::pair<int, int> collect_repaired() final { return collect_first_repaired(repaired_); }
    int collect_strain_limited() final { return collect_flag_count(strain_limited_); }

protected:
    BlockModel(const LayoutRef& layout, LaneKind lanes)
        : repaired_(layout, -1), strain_limited_(layout), kernel_(layout, lanes) {}

    // The constants of a substep.
    virtual Uniforms uniforms_for(const SubstepContext& context) const = 0;
    // The pointers of the layout's first block, all resolved by `access`. `rows` is not used.
    virtual Block first_block(SimState& state, const SubstepContext& context,
                              ChannelAccess& access) = 0;
    // Unpacks packed channels for all blocks, once, because a device does not unpack.
    virtual void unpack_all() {}

    const StrandLayout& layout() const { return kernel_.layout(); }
    // Total memory of some channels in bytes.
    template <class... Channels>
    static std::size_t bytes_of(const Channels&... channels) {
        return (channels.byte_count() + ...);
    }

    StrandChannel<1> repaired_;        // index of the first repaired vertex of a strand, or -1
    StrandChannel<1> strain_limited_;  // 1 if the strain limiter corrected the strand, else 0

private:
    BlockKernel<Kernel> kernel_;
};

}  // namespace ringlet
