// One quantity of Components floats per strand, stored block by block: component by component, one
// float of each of the block's strands. Kernels read it through rows.h like the first row of a
// channel (Per::block).
#pragma once

#include <algorithm>
#include <array>

#include "strand/channel.h"

namespace ringlet {

template <int Components>
class StrandChannel {
public:
    StrandChannel() = default;
    // Fills all strands and padding with one value.
    explicit StrandChannel(LayoutRef layout, float fill = 0)
        : layout_(std::move(layout)),
          values_(static_cast<std::size_t>(layout_->block_count()) * kBlockFloats, fill) {}

    const StrandLayout& layout() const { return *layout_; }
    bool empty() const { return values_.empty(); }
    std::size_t byte_count() const { return values_.size() * sizeof(float); }
    // The number of strands including padding.
    int slot_count() const { return static_cast<int>(values_.size()) / Components; }

    float& at(int strand, int component = 0) { return values_[index(strand, component)]; }
    float at(int strand, int component = 0) const { return values_[index(strand, component)]; }

    // Three or four consecutive components from `first` on.
    Vec3f vec3(int strand, int first = 0) const {
        return {at(strand, first), at(strand, first + 1), at(strand, first + 2)};
    }
    void set_vec3(int strand, Vec3f a, int first = 0) {
        at(strand, first) = a.x;
        at(strand, first + 1) = a.y;
        at(strand, first + 2) = a.z;
    }
    Quatf quat(int strand, int first = 0) const {
        return {at(strand, first), at(strand, first + 1), at(strand, first + 2),
                at(strand, first + 3)};
    }
    void set_quat(int strand, Quatf a, int first = 0) {
        set_vec3(strand, {a.x, a.y, a.z}, first);
        at(strand, first + 3) = a.w;
    }
    // Sets all strands and padding.
    void fill(const std::array<float, Components>& components) {
        for (std::size_t k = 0; k < values_.size(); ++k)
            values_[k] = components[k % kBlockFloats / kLanes];
    }

    // The block's first float (component 0, lane 0), for kernels. Null for an empty channel.
    float* block(int b) {
        return empty() ? nullptr : values_.data() + static_cast<std::size_t>(b) * kBlockFloats;
    }
    const float* block(int b) const { return const_cast<StrandChannel*>(this)->block(b); }

private:
    static constexpr std::size_t kBlockFloats = Components * kLanes;

    std::size_t index(int strand, int component) const {
        RINGLET_ASSERT(layout_, "the channel is not empty");
        RINGLET_ASSERT(component >= 0 && component < Components, "the channel has this component");
        const StrandLayout::Slot slot = layout_->slot(strand);
        return static_cast<std::size_t>(slot.block) * kBlockFloats +
               static_cast<std::size_t>(component * kLanes + slot.lane);
    }

    LayoutRef layout_;
    std::vector<float, ZeroedCacheLines<float>> values_;
};

}  // namespace ringlet
