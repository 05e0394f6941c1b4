// What all models with a kernel over blocks have in common.
#pragma once

#include "sim/block_kernel.h"
#include "sim/models/registry.h"
#include "sim/models/model_common.h"

namespace ringlet {

template <class Uniforms, class Block>
class BlockModel : public Model {
public:
    void substep(SimState& state, const SubstepContext& context, const TaskPool& pool,
                 Device* device) final {
        if (device) keep_made_rows();
        kernel_.run(
            uniforms_for(context), first_block(state, context), pool, device, made_floats(),
            [this](Block& block, int b, float* room) { make_rows(block, b, room); },
            [this](const Block& block, int b) { keep_rows(block, b); });
    }

    std::pair<int, int> collect_repaired() final {
        return take_first_repaired(repaired_, layout());
    }
    int collect_strain_limited() final { return take_marked(strain_limited_); }
    std::array<const void*, 2> flags() const final {
        return {repaired_.data(), strain_limited_.data()};
    }

protected:
    BlockModel(LayoutRef layout, LaneKind lanes, const KernelCopies<Uniforms, Block>& copies)
        : kernel_(std::move(layout), lanes, copies),
          repaired_(lane_count(), -1),
          strain_limited_(lane_count(), 0) {}

    virtual Uniforms uniforms_for(const SubstepContext& context) const = 0;
    virtual Block first_block(SimState& state, const SubstepContext& context) = 0;
    // Channels that follow from others, or are kept in less room: floats a vertex of them all, how
    // they are made for one block, and what of them is kept. A device has whole channels.
    virtual int made_floats() const { return 0; }
    virtual void make_rows(Block& /*block*/, int /*b*/, float* /*room*/) const {}
    virtual void keep_rows(const Block& /*block*/, int /*b*/) {}
    virtual void keep_made_rows() {}

    const StrandLayout& layout() const { return kernel_.layout(); }
    std::size_t lane_count() const {
        return static_cast<std::size_t>(layout().block_count()) * kLanes;
    }
    std::size_t slot(int strand) const {
        const StrandLayout::Slot at = layout().slot(strand);
        return static_cast<std::size_t>(at.block * kLanes + at.lane);
    }
    template <class... Lists>
    static std::size_t bytes_of(const Lists&... lists) {
        return (lists.size() + ...) * sizeof(float);
    }
    // Null where there is nothing, as of a channel.
    static float* rows_of(std::vector<float>& list) { return list.empty() ? nullptr : list.data(); }

private:
    BlockKernel<Uniforms, Block> kernel_;

protected:
    std::vector<float> repaired_;  // per strand: first vertex whose numbers were repaired, or -1
    std::vector<float> strain_limited_;  // per strand: 1 where a guard put its lengths right
};

}  // namespace ringlet
