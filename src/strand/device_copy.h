// Copies of channels in the memory of a device. A channel owns its copy; a device backend
// implements DeviceMemory and DeviceBuffer.
#pragma once

#include <memory>
#include <utility>

#include "strand/layout.h"

namespace ringlet {

class DeviceMemory;

// The device memory of one channel, in the device's own order.
class DeviceBuffer {
public:
    virtual ~DeviceBuffer() = default;
    virtual bool belongs_to(const DeviceMemory& memory) const = 0;
    virtual std::size_t byte_count() const = 0;
    virtual float* data() = 0;
    // A second buffer of the same size, allocated and zeroed at first use.
    virtual float* second() = 0;
    // Exchanges data() and second().
    virtual void swap() = 0;
    // Copies from and to an array in the host's order. download() blocks until the copy is done;
    // `host` must stay unchanged until launches after upload() have finished or download() is
    // called.
    virtual void upload(const float* host) = 0;
    virtual void download(float* host) = 0;
    // For one float per strand: the number of strands whose value is above the limit. Blocks until
    // all launches have finished.
    virtual int count_above(float limit) = 0;
    virtual void fill_with_zeros() = 0;
};

// Allocates device memory.
class DeviceMemory {
public:
    virtual ~DeviceMemory() = default;
    // Returns zeroed memory for a channel. It may outlive the device.
    virtual std::unique_ptr<DeviceBuffer> allocate(const LayoutRef& layout, int components,
                                                   Per per) = 0;
    // Records the memory traffic of a launch.
    virtual void add_traffic(std::int64_t bytes) = 0;
};

// The use of a channel by a launch.
enum class DeviceUse { read, edit, overwrite };

// The device copy of a channel, and which of the two copies is newer.
class DeviceCopy {
public:
    DeviceCopy() = default;
    DeviceCopy(DeviceCopy&& other) noexcept { *this = std::move(other); }
    DeviceCopy& operator=(DeviceCopy&& other) noexcept {
        buffer_ = std::move(other.buffer_);
        newer_ = std::exchange(other.newer_, Newer::host);
        return *this;
    }

    bool host_is_current() const { return newer_ != Newer::device; }
    bool host_is_newest() const { return newer_ == Newer::host; }
    // The device's buffer if its values are newer than the host's, or null.
    DeviceBuffer* newest_buffer() const {
        return newer_ == Newer::device ? buffer_.get() : nullptr;
    }

    // Copies the device's values to `host` if they are newer.
    void update_host(float* host) {
        if (host_is_current()) return;
        buffer_->download(host);
        newer_ = Newer::neither;
    }
    void set_host_newest() { newer_ = Newer::host; }

    // Returns the device's copy. Uploads the host's values if they are newer, unless the launch
    // overwrites all values. After an edit or overwrite the device's copy is the newer one.
    float* on(DeviceMemory& memory, const LayoutRef& layout, int components, Per per, float* host,
              DeviceUse use) {
        if (!buffer_ || !buffer_->belongs_to(memory)) {
            update_host(host);
            buffer_ = memory.allocate(layout, components, per);
            newer_ = Newer::host;
        }
        if (newer_ == Newer::host && use != DeviceUse::overwrite) {
            buffer_->upload(host);
            newer_ = Newer::neither;
        }
        if (use != DeviceUse::read) newer_ = Newer::device;
        memory.add_traffic(static_cast<std::int64_t>(buffer_->byte_count()) *
                           (use == DeviceUse::edit ? 2 : 1));
        return buffer_->data();
    }
    // Null before the first call of on().
    DeviceBuffer* buffer() const { return buffer_.get(); }

private:
    enum class Newer : char { host, neither, device };
    std::unique_ptr<DeviceBuffer> buffer_;
    Newer newer_ = Newer::host;
};

}  // namespace ringlet
