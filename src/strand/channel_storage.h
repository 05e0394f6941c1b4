// The memory of channels: the values on the host and their copy on a device.
#pragma once

#include <array>
#include <new>
#include <type_traits>
#include <vector>

#include "base/assert.h"
#include "base/line_memory.h"
#include "math/quat.h"
#include "strand/device_copy.h"

namespace ringlet {

// Allocates zeroed memory on cache line boundaries (base/line_memory.h), so that no two threads
// write the same line. A vector constructed without values does not touch the memory.
template <class T>
struct ZeroedCacheLines {
    using value_type = T;

    ZeroedCacheLines() = default;
    template <class U>
    ZeroedCacheLines(const ZeroedCacheLines<U>&) {}

    T* allocate(std::size_t n) {
        static_assert(std::is_trivial_v<T> && alignof(T) <= kCacheLine);
        return static_cast<T*>(allocate_lines(n * sizeof(T)));
    }
    void deallocate(T* p, std::size_t) { release_lines(p); }
    template <class U>
    void construct(U*) {}
    template <class U, class From>
    void construct(U* at, const From& from) {
        ::new (static_cast<void*>(at)) U(from);
    }
    bool operator==(const ZeroedCacheLines&) const { return true; }
};

// The base class of Channel and StrandChannel. Either the host or a device may have the newer
// values:
//
//     channel.read()           the host's values, copied from the device if those are newer
//     channel.edit()           the same for writing; the host's values become the newer ones
//     channel.on(device)       the device's copy, uploaded if the host's values are newer
//     channel.edit_on(device)  the same for writing; the device's copy becomes the newer one
//
// A channel that was never on a device needs none of these. Accessing outdated host values is an
// assertion failure. Copying a channel copies the current values to a channel without device copy;
// moving takes the device copy along. Not thread-safe, except that several threads may access the
// host's values after read() or edit().
template <int Components, Per kPer, class T>
class ChannelStorage {
public:
    static constexpr Per kExtent = kPer;

    ChannelStorage() = default;
    // All zeros. Uses no physical memory until it is written.
    explicit ChannelStorage(LayoutRef layout)
        : layout_(std::move(layout)), values_(value_count(*layout_)) {}
    ChannelStorage(LayoutRef layout, T fill)
        : layout_(std::move(layout)), values_(value_count(*layout_), fill) {}
    ChannelStorage(const ChannelStorage& other)
        : layout_(other.layout_), values_(other.current_values()) {}
    ChannelStorage& operator=(const ChannelStorage& other) {
        if (this == &other) return *this;
        layout_ = other.layout_;
        values_ = other.current_values();
        device_ = {};
        return *this;
    }
    ChannelStorage(ChannelStorage&&) noexcept = default;
    ChannelStorage& operator=(ChannelStorage&&) noexcept = default;

    const StrandLayout& layout() const { return *layout_; }
    const LayoutRef& layout_ref() const { return layout_; }
    bool empty() const { return values_.empty(); }
    std::size_t byte_count() const { return values_.size() * sizeof(T); }
    // The host's memory, padding included. Call read() or edit() first.
    std::span<const T> memory() const { return {values(), values_.size()}; }
    std::span<std::byte> memory_to_write() {
        return std::as_writable_bytes(std::span(values_to_write(), values_.size()));
    }

    // The same for code that only reads it: the device's copy stays current. Call read() first.
    std::span<std::byte> memory_to_save() const {
        RINGLET_ASSERT(device_.host_is_current(), "read() precedes access to the host's values");
        return std::as_writable_bytes(std::span(values_));
    }

    // Sets all values including padding.
    void fill(const std::array<T, Components>& components) {
        device_.set_host_newest();
        for (std::size_t k = 0; k < values_.size(); ++k)
            values_[k] = components[k / kLanes % Components];
    }

    // Device pointers, for launches. The channel must not be empty.
    const float* on(DeviceMemory& memory) const { return use_on(memory, DeviceUse::read); }
    float* edit_on(DeviceMemory& memory) { return use_on(memory, DeviceUse::edit); }
    // For launches that write all values: nothing is uploaded.
    float* overwrite_on(DeviceMemory& memory) { return use_on(memory, DeviceUse::overwrite); }
    // The device's buffer; null before the first use on a device.
    DeviceBuffer* device_buffer() const { return device_.buffer(); }

protected:
    void update_host() const {
        if constexpr (std::is_same_v<T, float>) device_.update_host(values_.data());
    }
    void set_host_newest() { device_.set_host_newest(); }
    DeviceBuffer* newest_buffer() const { return device_.newest_buffer(); }

    const T* values() const {
        RINGLET_ASSERT(device_.host_is_current(), "read() precedes access to the host's values");
        return values_.data();
    }
    T* values() {
        RINGLET_ASSERT(device_.host_is_current(), "edit() precedes access to the host's values");
        return values_.data();
    }
    T* values_to_write() {
        RINGLET_ASSERT(device_.host_is_newest(), "edit() precedes writing the host's values");
        return values_.data();
    }

private:
    static std::size_t value_count(const StrandLayout& layout) {
        const int rows = kPer == Per::row ? layout.row_count() : layout.block_count();
        return static_cast<std::size_t>(rows) * Components * kLanes;
    }
    const auto& current_values() const {
        update_host();
        return values_;
    }
    float* use_on(DeviceMemory& memory, DeviceUse use) const {
        RINGLET_ASSERT(!empty(), "an empty channel has no device copy");
        return device_.on(memory, layout_, Components, kPer, values_.data(), use);
    }

    LayoutRef layout_;
    mutable std::vector<T, ZeroedCacheLines<T>> values_;
    mutable DeviceCopy device_;
};

}  // namespace ringlet
