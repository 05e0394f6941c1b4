// One quantity for every vertex of every strand, in the layout of layout.h.
#pragma once

#include <memory>
#include <new>
#include <vector>

#include "strand/layout.h"

namespace ringlet {

// Blocks start on cache lines, so that no two threads write the same one.
template <class T>
struct CacheAligned {
    using value_type = T;
    static constexpr std::align_val_t kAlignment{64};
    CacheAligned() = default;
    template <class U>
    CacheAligned(const CacheAligned<U>&) {}
    T* allocate(std::size_t n) {
        return static_cast<T*>(::operator new(n * sizeof(T), kAlignment));
    }
    void deallocate(T* p, std::size_t) { ::operator delete(p, kAlignment); }
    bool operator==(const CacheAligned&) const { return true; }
};

using LayoutRef = std::shared_ptr<const StrandLayout>;

template <int Components>
class Channel {
public:
    Channel() = default;
    explicit Channel(LayoutRef layout, float fill = 0)
        : layout_(std::move(layout)),
          values_(static_cast<std::size_t>(layout_->row_count()) * Components * kLanes, fill) {}

    const StrandLayout& layout() const { return *layout_; }
    const LayoutRef& layout_ref() const { return layout_; }
    bool empty() const { return values_.empty(); }
    std::size_t byte_count() const { return values_.size() * sizeof(float); }

    float& at(int strand, int vertex, int component = 0) {
        return values_[layout_->index(strand, vertex, component, Components)];
    }
    float at(int strand, int vertex, int component = 0) const {
        return values_[layout_->index(strand, vertex, component, Components)];
    }
    Vec3f vec3(int strand, int vertex) const requires(Components == 3) {
        const float* p = &values_[layout_->index(strand, vertex, 0, 3)];
        return {p[0], p[kLanes], p[2 * kLanes]};
    }
    void set_vec3(int strand, int vertex, Vec3f a) requires(Components == 3) {
        float* p = &values_[layout_->index(strand, vertex, 0, 3)];
        p[0] = a.x;
        p[kLanes] = a.y;
        p[2 * kLanes] = a.z;
    }

    // The block's first float (vertex 0, component 0, lane 0), for rows.h; null for an empty
    // channel.
    float* block(int b) { return empty() ? nullptr : values_.data() + block_offset(b); }
    const float* block(int b) const { return const_cast<Channel*>(this)->block(b); }
    // Likewise a strand's first float.
    float* strand(int s) { return values_.data() + layout_->index(s, 0, 0, Components); }
    const float* strand(int s) const { return const_cast<Channel*>(this)->strand(s); }

private:
    std::size_t block_offset(int b) const {
        return static_cast<std::size_t>(layout_->first_row(b)) * Components * kLanes;
    }

    LayoutRef layout_;
    std::vector<float, CacheAligned<float>> values_;
};

}  // namespace ringlet
