// Resolves channels to the pointers that a kernel receives: host memory, or a device's copy of it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/device.h"
#include "strand/strand_channel.h"

namespace ringlet {

// A piece of memory that is part of a state. Not owned.
struct StatePiece : std::span<std::byte> {
    StatePiece(std::span<std::byte> bytes, std::optional<Per> of_strands = {})
        : std::span<std::byte>(bytes), per(of_strands) {}
    std::optional<Per> per;  // of a channel: its extent; empty: it belongs to no strands
};
using MemorySpans = std::vector<StatePiece>;

// The purpose of the pieces. save: they are read; the copies of channels on a device stay current.
// load: they are overwritten; the host's values become the newer ones.
enum class StateAccess { save, load };

// The memory of a channel that is part of a state.
template <class AnyChannel>
StatePiece state_memory(AnyChannel& channel, StateAccess use) {
    return {use == StateAccess::save ? channel.read().memory_to_save()
                                     : channel.edit().memory_to_write(),
            AnyChannel::kExtent};
}

// Collects the pointers of one launch. An empty channel gives null.
class ChannelAccess {
public:
    // `device` is null for the CPU. Not owned.
    explicit ChannelAccess(Device* device) : device_(device) {}
    // Collects the host's memory of all channels that a kernel writes, instead of preparing a
    // launch: edit() returns null.
    ChannelAccess(MemorySpans& written, StateAccess use)
        : device_(nullptr), written_(&written), use_(use) {}

    Device* device() const { return device_; }

    // For kernels that only read the channel.
    template <class AnyChannel>
    const float* read(const AnyChannel& channel) {
        if (channel.empty()) return nullptr;
        return device_ ? channel.on(*device_) : channel.read().block(0);
    }
    // Null for a null pointer.
    template <class AnyChannel>
    const float* read(const AnyChannel* channel) {
        return channel ? read(*channel) : nullptr;
    }
    // For kernels that may write the channel.
    template <class AnyChannel>
    float* edit(AnyChannel& channel) {
        if (channel.empty()) return nullptr;
        if (written_) {
            written_->push_back(state_memory(channel, use_));
            return nullptr;
        }
        return device_ ? channel.edit_on(*device_) : channel.edit().block(0);
    }

    // The write side of a double-buffered channel: on a device a second buffer, which replaces the
    // channel's copy after the launch. The kernel must write all of it. Null on the CPU, where
    // kernels write in place. Call edit() first.
    template <int N>
    float* second_buffer(Channel<N>& channel) {
        if (!device_ || channel.empty()) return nullptr;
        to_swap_.push_back(channel.device_buffer());
        return channel.device_buffer()->second();
    }
    // Temporary device memory of the channel's size, for values that one pass of a kernel hands to
    // the next. Null on the CPU. Call read() or edit() first.
    template <int N>
    float* temporary_like(const Channel<N>& channel) {
        return device_ && !channel.empty() ? channel.device_buffer()->second() : nullptr;
    }

    // Called after the launch.
    void swap_buffers() {
        for (DeviceBuffer* buffer : to_swap_) buffer->swap();
        to_swap_.clear();
    }

private:
    Device* device_;
    MemorySpans* written_ = nullptr;
    StateAccess use_ = StateAccess::save;
    std::vector<DeviceBuffer*> to_swap_;
};

}  // namespace ringlet
