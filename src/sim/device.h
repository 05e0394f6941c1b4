// A device (GPU) that simulates strands. Channels own their copies on a device and know which copy
// is newer (strand/channel_storage.h), so data is copied only when the other side needs it.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "collide/collider.h"
#include "collide/hair_grid_kernel.h"
#include "collide/neck_bend.h"
#include "ringlet/result.h"
#include "sim/kernels/measure_kernel.h"
#include "strand/block_channels.h"
#include "strand/channel.h"
#include "strand/children.h"
#include "strand/device_positions.h"
#include "strand/strand_channel.h"

namespace ringlet {

class HairGrid;

// Arguments of a hair-hair coupling (collide/hair_grid.h). Channels are not owned.
struct DeviceCoupling {
    CoupleUniforms uniforms;
    float cells_per_metre;
    int tile_limit;
    float largest_volume;
    const Channel<3>* x;
    Channel<3>* v;
    Channel<1>* density;
    const Channel<1>* volume;
    // Exchanges tiles with the ranks that share the strands; null: this process has all of them.
    HairGrid* shared;
};

// Arguments for computing displayed positions: strands interpolated between two steps, and their
// children. Channels are not owned.
struct DeviceShow {
    const Channel<3>* before;
    const Channel<3>* now;
    float share;               // interpolation parameter: 0 before, 1 now
    const Children* children;  // null: all strands are simulated
    LayoutRef layout;          // of all displayed strands, simulated ones first
    const Channel<3>* rest;    // of all displayed strands, in the head's frame
    Channel<3>* shown;         // of all displayed strands
    Rigidf head;
    // Roots that do not follow the head rigidly: the motion of the skin under each, in the head's
    // frame, or how much each follows the head (Neck::head_share; the same in every call). At most
    // one of the two is not empty.
    std::span<const Rigidf> skin;
    std::span<const float> head_shares;
    NeckBend neck;  // used with head_shares
};

// The target of merging displayed positions of several devices into one channel.
struct DeviceMerge {
    Channel<3>* all;   // the merged channel; not owned
    int first_strand;  // index in the merged layout of the device's first strand
    Rigidf pose;       // transform applied to the device's positions
};

// Thrown when the device fails, for example because its memory is used up. What it was computing is
// lost; other objects and the CPU go on. The text is a message for the user.
struct DeviceError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Device : public DeviceMemory {
public:
    virtual std::string name() const = 0;

    // Sets the layout of the simulated strands. Call it before everything below.
    virtual void set_layout(const LayoutRef& layout) = 0;
    // Restricts what the functions below simulate to the blocks [first, end). `first` is a multiple
    // of kDeviceBlocks. set_layout() selects all blocks.
    virtual void set_blocks(int first, int end) = 0;
    // Copies colliders to the device; their distance grids are copied once. The result is valid
    // until the next call.
    virtual const PlacedCollider* upload_colliders(std::span<const PlacedCollider> bodies) = 0;

    // Penalty contact with the colliders uploaded last (sim/penalty.h).
    virtual void push_out(const Channel<3>& x, Channel<3>& v, float radius, float rate,
                          int collider_count) = 0;
    // Returns false without effect if there are more tiles than the grid has room for; the host's
    // grid decides which tiles are left out. All ranks that share the strands return the same.
    virtual bool couple(const DeviceCoupling& coupling) = 0;

    // Sums the measurements of all strands.
    virtual MeasuredTotals sum_measurements(const StrandChannel<kMeasuredRows>& measured) = 0;
    // Copies the values of one channel to another of the same layout, on the device.
    virtual void copy_channel(const Channel<3>& from, Channel<3>& to) = 0;
    virtual void show(const DeviceShow& what) = 0;
    // The positions of the last show(); null before the first call.
    virtual DevicePositions* shown() = 0;
    // Writes the displayed positions of `from` (this or another device) into a merged channel.
    // merged() is null before the first call.
    virtual void merge(Device& from, const DeviceMerge& what) = 0;
    virtual DevicePositions* merged() = 0;

    // The index of each strand's root in the device's copy of a Channel<3>. The next vertex follows
    // after kVertexStride floats, the next component after kComponentStride.
    virtual std::vector<std::size_t> root_offsets(const LayoutRef& layout) = 0;
    static constexpr int kVertexStride = 96, kComponentStride = 32;
    // Positions of the simulated strands, for drawing. Valid until the next call.
    virtual DevicePositions* positions_of(const Channel<3>& x) = 0;
    // Returns and resets the bytes that were copied between host and device since the last call.
    virtual std::int64_t collect_host_bytes() = 0;

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

// The same, for callers that have opened it before: throws a DeviceError.
inline std::unique_ptr<Device> open_device_or_throw() {
    Result<std::unique_ptr<Device>> device = open_cuda_device();
    if (!device) throw DeviceError(device.error().message);
    return std::move(*device);
}

}  // namespace ringlet
