// One quantity for every vertex of every strand, stored in the layout of layout.h.
#pragma once

#include "strand/channel_storage.h"

namespace ringlet {

// T is float but for a few compact channels of a model.
template <int Components, class T = float>
class Channel : public ChannelStorage<Components, Per::row, T> {
    using Storage = ChannelStorage<Components, Per::row, T>;

public:
    using Storage::Storage;

    // Makes the host's values current (channel_storage.h).
    const Channel& read() const {
        this->update_host();
        return *this;
    }
    Channel& edit() {
        this->update_host();
        this->set_host_newest();
        return *this;
    }

    T& at(int strand, int vertex, int component = 0) {
        return this->values()[index(strand, vertex, component)];
    }
    T at(int strand, int vertex, int component = 0) const {
        return this->values()[index(strand, vertex, component)];
    }
    Vec3f vec3(int strand, int vertex) const requires(Components == 3) {
        const float* p = this->values() + index(strand, vertex, 0);
        return {p[0], p[kLanes], p[2 * kLanes]};
    }
    void set_vec3(int strand, int vertex, Vec3f a) requires(Components == 3) {
        float* p = this->values_to_write() + index(strand, vertex, 0);
        p[0] = a.x;
        p[kLanes] = a.y;
        p[2 * kLanes] = a.z;
    }
    Quatf quat(int strand, int vertex) const requires(Components == 4) {
        const float* p = this->values() + index(strand, vertex, 0);
        return {p[0], p[kLanes], p[2 * kLanes], p[3 * kLanes]};
    }
    void set_quat(int strand, int vertex, Quatf a) requires(Components == 4) {
        float* p = this->values_to_write() + index(strand, vertex, 0);
        p[0] = a.x;
        p[kLanes] = a.y;
        p[2 * kLanes] = a.z;
        p[3 * kLanes] = a.w;
    }

    // The block's first float (vertex 0, component 0, lane 0), for kernels (rows.h). Null for an
    // empty channel.
    T* block(int b) { return this->empty() ? nullptr : this->values() + block_offset(b); }
    const T* block(int b) const {
        return this->empty() ? nullptr : this->values() + block_offset(b);
    }
    // The strand's first float (vertex 0, component 0).
    T* strand(int s) { return this->values() + index(s, 0, 0); }
    const T* strand(int s) const { return this->values() + index(s, 0, 0); }

private:
    std::size_t index(int strand, int vertex, int component) const {
        RINGLET_ASSERT(this->layout_ref(), "the channel is not empty");
        return this->layout().index(strand, vertex, component, Components);
    }
    std::size_t block_offset(int b) const {
        return static_cast<std::size_t>(this->layout().first_row(b)) * Components * kLanes;
    }
};

}  // namespace ringlet
