// One quantity of Components floats per strand, stored block by block: component by component, one
// float of each of the block's strands. Kernels read it through rows.h like the first row of a
// channel (Per::block).
#pragma once

#include "strand/channel_storage.h"

namespace ringlet {

template <int Components>
class StrandChannel : public ChannelStorage<Components, Per::block, float> {
    using Storage = ChannelStorage<Components, Per::block, float>;

public:
    using Storage::Storage;

    // Makes the host's values current (channel_storage.h).
    const StrandChannel& read() const {
        this->update_host();
        return *this;
    }
    StrandChannel& edit() {
        this->update_host();
        this->set_host_newest();
        return *this;
    }

    // The number of strands whose value is above the limit, and setting all values to zero. Both
    // work where the newer values are: nothing is copied between host and device.
    int count_above(float limit) const requires(Components == 1) {
        if (DeviceBuffer* const device = this->newest_buffer()) return device->count_above(limit);
        int count = 0;
        for (int s = 0; s < this->layout().strand_count(); ++s) count += at(s) > limit ? 1 : 0;
        return count;
    }
    void fill_with_zeros() requires(Components == 1) {
        if (DeviceBuffer* const device = this->newest_buffer())
            device->fill_with_zeros();
        else
            this->fill({0});
    }

    // The number of strands including padding.
    int slot_count() const { return this->empty() ? 0 : this->layout().slot_count(); }

    float& at(int strand, int component = 0) { return this->values()[index(strand, component)]; }
    float at(int strand, int component = 0) const {
        return this->values()[index(strand, component)];
    }

    // Three or four consecutive components from `first` on.
    Vec3f vec3(int strand, int first = 0) const {
        return {at(strand, first), at(strand, first + 1), at(strand, first + 2)};
    }
    void set_vec3(int strand, Vec3f a, int first = 0) {
        float* const values = this->values_to_write();
        values[index(strand, first)] = a.x;
        values[index(strand, first + 1)] = a.y;
        values[index(strand, first + 2)] = a.z;
    }
    Quatf quat(int strand, int first = 0) const {
        return {at(strand, first), at(strand, first + 1), at(strand, first + 2),
                at(strand, first + 3)};
    }
    void set_quat(int strand, Quatf a, int first = 0) {
        set_vec3(strand, {a.x, a.y, a.z}, first);
        at(strand, first + 3) = a.w;
    }

    // The block's first float (component 0, lane 0), for kernels. Null for an empty channel.
    float* block(int b) { return this->empty() ? nullptr : this->values() + block_offset(b); }
    const float* block(int b) const {
        return this->empty() ? nullptr : this->values() + block_offset(b);
    }

private:
    static std::size_t block_offset(int b) {
        return static_cast<std::size_t>(b) * (Components * kLanes);
    }
    std::size_t index(int strand, int component) const {
        RINGLET_ASSERT(this->layout_ref(), "the channel is not empty");
        RINGLET_ASSERT(component >= 0 && component < Components, "the channel has this component");
        const StrandLayout::Slot slot = this->layout().slot(strand);
        return block_offset(slot.block) + static_cast<std::size_t>(component * kLanes + slot.lane);
    }
};

}  // namespace ringlet
