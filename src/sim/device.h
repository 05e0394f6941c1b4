// A device (GPU) that simulates strands. Host memory is copied to the device when first used and
// stays there. The device records which copy of each channel is newer and copies only when needed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collide/collider.h"
#include "collide/hair_grid_kernel.h"
#include "ringlet/result.h"
#include "sim/kernels/measure_kernel.h"
#include "strand/block_channels.h"
#include "strand/channel.h"
#include "strand/children.h"
#include "strand/device_positions.h"

namespace ringlet {

// Arguments of a hair-hair coupling (collide/hair_grid.h). Pointers to channels on the host.
struct DeviceCoupling {
    CoupleUniforms uniforms;
    float cells_per_metre;
    int tile_limit;
    float largest_volume;
    float *x, *v, *density;
    const float* volume;
};

// Arguments for computing displayed positions: strands interpolated between two steps, and their
// children. Pointers to channels on the host.
struct DeviceShow {
    const float* before;
    const float* now;
    float share;               // interpolation parameter: 0 before, 1 now
    const Children* children;  // null: all strands are simulated
    LayoutRef layout;          // of all displayed strands, simulated ones first
    const float* rest;         // of all displayed strands, in the head's frame
    float* shown;              // of all displayed strands
    Rigidf head;
    std::span<const Rigidf> skin;  // per root, in the head's frame; empty: the skin is rigid
};

// The target of merging displayed positions of several devices into one channel.
struct DeviceMerge {
    LayoutRef layout;
    float* all;        // the merged channel on the host
    int first_strand;  // index in the merged layout of the device's first strand
    Rigidf pose;       // transform applied to the device's positions
};

class Device {
public:
    virtual ~Device() = default;
    virtual std::string name() const = 0;

    // Sets the layout of the simulated strands. Call it before everything below.
    virtual void set_layout(const StrandLayout& layout) = 0;
    // Returns the device's copy of the channel at `host`, in the device's own order. The copy is up
    // to date for the next launch. If `written`, the device's copy becomes the newer one.
    virtual float* mirror(const float* host, int components, Per per, bool written) = 0;
    // The second buffer of a double-buffered channel. swap_buffers() makes it the channel's copy
    // after a launch that writes all of it.
    virtual float* second_buffer(const float* host) = 0;
    virtual void swap_buffers(const float* host) = 0;
    // Copies colliders to the device; their distance grids are copied once. The result is valid
    // until the next call.
    virtual const PlacedCollider* upload_colliders(std::span<const PlacedCollider> bodies) = 0;

    virtual void push_out(float* x, float* v, float radius, float rate, int body_count) = 0;
    // Returns false without effect if there are more tiles than the grid has room for; the host's
    // grid decides which tiles are left out.
    virtual bool couple(const DeviceCoupling& coupling) = 0;

    // Sums the measurements of all strands; `measured` is the first block of that channel on the
    // host.
    virtual MeasuredTotals sum_measurements(const float* measured, int strand_count) = 0;
    // Copies one channel to another.
    virtual void copy_channel(const float* from, float* to, int components, Per per) = 0;
    virtual void show(const DeviceShow& what) = 0;
    // The positions of the last show(); null before the first call.
    virtual DevicePositions* shown() = 0;
    // Writes the displayed positions of `from` (this or another device) into a merged channel.
    // merged() is null before the first call.
    virtual void merge(Device& from, const DeviceMerge& what) = 0;
    virtual DevicePositions* merged() = 0;

    // Copies the channel at `host`, or all channels, to the host if the device's copy is newer.
    virtual void fetch(const void* host) = 0;
    virtual void fetch_all() = 0;
    // Marks the host's copy of the channel at `host`, or of all channels, as newer.
    virtual void host_changed(const void* host) = 0;
    virtual void all_host_changed() = 0;
    // Blocks until all launches have finished.
    virtual void finish() = 0;
    // Records a time stamp; seconds_between() measures with the device's clock.
    virtual void mark(int event) = 0;
    virtual double seconds_between(int from, int to) = 0;
    // Returns and resets the minimum memory traffic of the launches since the last call, in bytes:
    // every channel read once, and written once if it is writable.
    virtual std::int64_t collect_minimum_bytes() = 0;
    // Bytes per second that a plain copy reads and writes.
    virtual double measure_bandwidth() = 0;
};

// Opens the first GPU; the error says why there is none.
Result<std::unique_ptr<Device>> open_cuda_device();

}  // namespace ringlet
