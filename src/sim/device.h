// Another processor that moves strands. What it works on is copied there when first met and stays;
// host and device each know who changed something last, and copy only when the other one asks.
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

// One coupling of hair (collide/hair_grid.h); pointers to the first block of channels on the host.
struct DeviceCoupling {
    CoupleUniforms uniforms;
    float cells_per_metre;
    int tile_limit;
    float largest_volume;
    float *x, *v, *density;
    const float* volume;
};

// Strands as they are shown: between two steps, with those that follow them. Pointers to the first
// block of channels on the host.
struct DeviceShow {
    const float* before;
    const float* now;
    float share;               // of the way from one to the other
    const Children* children;  // null: all strands are simulated
    LayoutRef layout;          // of all strands, those that are simulated first
    const float* rest;         // of all, in the head's own frame
    float* shown;              // of all
    Rigidf head;
    std::span<const Rigidf> skin;  // in the head's frame, under each root; none: it keeps its shape
};

// Where what a device shows goes in a channel that several share.
struct DeviceMerge {
    LayoutRef layout;
    float* all;        // its first block on the host
    int first_strand;  // of theirs in it
    Rigidf pose;       // that they are brought into
};

class Device {
public:
    virtual ~Device() = default;
    virtual std::string name() const = 0;

    // What follows is about strands in this layout.
    virtual void set_layout(const StrandLayout& layout) = 0;
    // The device's copy of the channel at `host`, in an order of its own: up to date when the next
    // launch reads it, and the newer one from then on if the launch may write it.
    virtual float* mirror(const float* host, int components, Per per, bool written) = 0;
    // Room beside the device's copy of a channel, and making that the copy: a launch that wrote all
    // of it has been asked for.
    virtual float* beside(const float* host) = 0;
    virtual void take_beside(const float* host) = 0;
    // Copies of bodies, good until the next call; the bodies' own grids are kept.
    virtual const PlacedCollider* upload_colliders(std::span<const PlacedCollider> bodies) = 0;

    virtual void push_out(float* x, float* v, float radius, float rate, int body_count) = 0;
    // False, with nothing done, where there is not room for all tiles: only the host knows which
    // are left out.
    virtual bool couple(const DeviceCoupling& coupling) = 0;

    // Adds up what measuring found of each strand, at the first block of that channel on the host.
    virtual MeasuredFigures add_up(const float* found, int strand_count) = 0;
    // Makes one channel what another is.
    virtual void copy_channel(const float* from, float* to, int components, Per per) = 0;
    virtual void show(const DeviceShow& what) = 0;
    // What was shown last; null before that.
    virtual DevicePositions* shown() = 0;
    // Puts what a device shows, this one or another, beside what others do; all of them, then null
    // no more.
    virtual void merge(Device& from, const DeviceMerge& what) = 0;
    virtual DevicePositions* merged() = 0;

    // Brings back what the device changed at that place; all of it.
    virtual void fetch(const void* host) = 0;
    virtual void fetch_all() = 0;
    // The host has changed, or is about to change, what is there.
    virtual void host_changed(const void* host) = 0;
    virtual void all_host_changed() = 0;
    // Waits for everything asked for.
    virtual void finish() = 0;
    // Seconds between two calls of `mark`, by the device's own clock.
    virtual void mark(int event) = 0;
    virtual double seconds_between(int from, int to) = 0;
    // What launches since the last call had to move at the least, bytes: every channel they were
    // given read once, and written once where they may write it.
    virtual std::int64_t collect_minimum_bytes() = 0;
    // Bytes a second that a plain copy reads and writes.
    virtual double measure_bandwidth() = 0;
};

// The first GPU, or why there is none.
Result<std::unique_ptr<Device>> open_cuda_device();

}  // namespace ringlet
