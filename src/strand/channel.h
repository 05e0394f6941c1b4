// One quantity for every vertex of every strand, stored in the layout of layout.h.
#pragma once

#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "math/quat.h"
#include "strand/layout.h"

namespace ringlet {

// Allocates zeroed memory on cache line boundaries, so that no two threads write the same line.
// A vector constructed without values does not touch the memory: the operating system commits
// pages only when they are written.
template <class T>
struct ZeroedCacheLines {
    using value_type = T;
    static constexpr std::size_t kLine = 64;

    ZeroedCacheLines() = default;
    template <class U>
    ZeroedCacheLines(const ZeroedCacheLines<U>&) {}

    T* allocate(std::size_t n) {
        static_assert(std::is_trivial_v<T> && alignof(T) <= kLine);
        // calloc aligns to less than a cache line. The pointer to free is stored below the data.
        void* const whole = std::calloc(n * sizeof(T) + kLine + sizeof(void*), 1);
        if (!whole) throw std::bad_alloc();
        const auto end_of_header = reinterpret_cast<std::uintptr_t>(whole) + sizeof(void*);
        void** const first = reinterpret_cast<void**>((end_of_header + kLine - 1) / kLine * kLine);
        first[-1] = whole;
        return reinterpret_cast<T*>(first);
    }
    void deallocate(T* p, std::size_t) { std::free(reinterpret_cast<void**>(p)[-1]); }
    template <class U>
    void construct(U*) {}
    template <class U, class From>
    void construct(U* at, const From& from) {
        ::new (static_cast<void*>(at)) U(from);
    }
    bool operator==(const ZeroedCacheLines&) const { return true; }
};

using LayoutRef = std::shared_ptr<const StrandLayout>;

// T is float but for a few compact channels of a model.
template <int Components, class T = float>
class Channel {
public:
    Channel() = default;
    // All zeros. Uses no physical memory until it is written.
    explicit Channel(LayoutRef layout)
        : layout_(std::move(layout)), values_(value_count(*layout_)) {}
    Channel(LayoutRef layout, T fill)
        : layout_(std::move(layout)), values_(value_count(*layout_), fill) {}

    const StrandLayout& layout() const { return *layout_; }
    const LayoutRef& layout_ref() const { return layout_; }
    bool empty() const { return values_.empty(); }
    std::size_t byte_count() const { return values_.size() * sizeof(T); }

    T& at(int strand, int vertex, int component = 0) {
        return values_[index(strand, vertex, component)];
    }
    T at(int strand, int vertex, int component = 0) const {
        return values_[index(strand, vertex, component)];
    }
    Vec3f vec3(int strand, int vertex) const requires(Components == 3) {
        const float* p = &values_[index(strand, vertex, 0)];
        return {p[0], p[kLanes], p[2 * kLanes]};
    }
    void set_vec3(int strand, int vertex, Vec3f a) requires(Components == 3) {
        float* p = &values_[index(strand, vertex, 0)];
        p[0] = a.x;
        p[kLanes] = a.y;
        p[2 * kLanes] = a.z;
    }
    Quatf quat(int strand, int vertex) const requires(Components == 4) {
        const float* p = &values_[index(strand, vertex, 0)];
        return {p[0], p[kLanes], p[2 * kLanes], p[3 * kLanes]};
    }
    void set_quat(int strand, int vertex, Quatf a) requires(Components == 4) {
        float* p = &values_[index(strand, vertex, 0)];
        p[0] = a.x;
        p[kLanes] = a.y;
        p[2 * kLanes] = a.z;
        p[3 * kLanes] = a.w;
    }
    // Sets all vertices and padding.
    void fill(const std::array<T, Components>& components) {
        for (std::size_t k = 0; k < values_.size(); ++k)
            values_[k] = components[k / kLanes % Components];
    }

    // The block's first float (vertex 0, component 0, lane 0), for kernels (rows.h). Null for an
    // empty channel.
    T* block(int b) { return empty() ? nullptr : values_.data() + block_offset(b); }
    const T* block(int b) const { return const_cast<Channel*>(this)->block(b); }
    // The strand's first float (vertex 0, component 0).
    T* strand(int s) { return values_.data() + index(s, 0, 0); }
    const T* strand(int s) const { return const_cast<Channel*>(this)->strand(s); }

private:
    static std::size_t value_count(const StrandLayout& layout) {
        return static_cast<std::size_t>(layout.row_count()) * Components * kLanes;
    }
    std::size_t index(int strand, int vertex, int component) const {
        RINGLET_ASSERT(layout_, "the channel is not empty");
        return layout_->index(strand, vertex, component, Components);
    }
    std::size_t block_offset(int b) const {
        return static_cast<std::size_t>(layout_->first_row(b)) * Components * kLanes;
    }

    LayoutRef layout_;
    std::vector<T, ZeroedCacheLines<T>> values_;
};

}  // namespace ringlet
