// Resolves channels to the pointers that a kernel receives: host memory, or a device's copy of it.
#pragma once

#include "sim/device.h"
#include "strand/strand_channel.h"

namespace ringlet {

// Collects the pointers of one launch. An empty channel gives null.
class ChannelAccess {
public:
    // `device` is null for the CPU. Not owned.
    explicit ChannelAccess(Device* device) : device_(device) {}

    Device* device() const { return device_; }

    // For kernels that only read the channel.
    template <int N>
    const float* read(const Channel<N>& channel) {
        return resolve(channel.block(0), N, Per::row, false);
    }
    template <int N>
    const float* read(const StrandChannel<N>& channel) {
        return resolve(channel.block(0), N, Per::block, false);
    }
    // Null for a null pointer.
    template <int N>
    const float* read(const StrandChannel<N>* channel) {
        return channel ? read(*channel) : nullptr;
    }
    // For kernels that may write the channel.
    template <int N>
    float* edit(Channel<N>& channel) {
        return resolve(channel.block(0), N, Per::row, true);
    }
    template <int N>
    float* edit(StrandChannel<N>& channel) {
        return resolve(channel.block(0), N, Per::block, true);
    }

    // The write side of a double-buffered channel: on a device a second buffer, which replaces the
    // channel's copy after the launch. The kernel must write all of it. Null on the CPU, where
    // kernels write in place. Call edit() first.
    template <int N>
    float* second_buffer(Channel<N>& channel) {
        if (!device_ || channel.empty()) return nullptr;
        to_swap_.push_back(channel.block(0));
        return device_->second_buffer(channel.block(0));
    }
    // Temporary device memory of the channel's size, for values that one pass of a kernel hands to
    // the next. Null on the CPU. Call read() or edit() first.
    template <int N>
    float* temporary_like(const Channel<N>& channel) {
        return device_ && !channel.empty() ? device_->second_buffer(channel.block(0)) : nullptr;
    }

    // Called after the launch.
    void swap_buffers() {
        for (const float* host : to_swap_) device_->swap_buffers(host);
        to_swap_.clear();
    }

private:
    float* resolve(const float* host, int components, Per per, bool written) {
        if (!device_ || !host) return const_cast<float*>(host);
        return device_->mirror(host, components, per, written);
    }

    Device* device_;
    std::vector<const float*> to_swap_;
};

}  // namespace ringlet
