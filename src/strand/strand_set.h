// Strands as grown, imported, simulated or drawn: shape and looks of every vertex.
#pragma once

#include "base/hash.h"
#include "math/vec2.h"
#include "strand/channel.h"

namespace ringlet {

struct StrandSet {
    LayoutRef layout;
    Channel<3> position;         // m
    Channel<3> colour;           // linear RGB; empty until somebody is to see it
    Channel<1> radius;           // m; likewise
    std::vector<Vec2f> root_uv;  // of the skin, per strand; empty where unknown
    std::vector<std::int32_t>
        region;  // strands of different ones never guide each other; may be empty

    StrandSet() = default;
    explicit StrandSet(StrandLayout where);

    int strand_count() const { return layout ? layout->strand_count() : 0; }
    bool has_appearance() const { return !colour.empty(); }
    void drop_appearance();
    // Of what is kept for every vertex.
    std::size_t byte_count() const;
};

class DevicePositions;

// What a renderer needs and all it sees: borrowed, valid until the owner changes.
struct StrandView {
    const StrandLayout* layout;
    const Channel<3>* position;
    const Channel<3>* colour;
    const Channel<1>* radius;
    // Colours and radii at the same addresses have not changed since the last view of this layout.
    bool has_same_appearance = false;
    // Where positions are on a device: `position` is out of date until they are fetched
    // (strand/device_positions.h).
    DevicePositions* on_device = nullptr;
};

StrandView view_of(const StrandSet& strands);

// Some strands of a set, in the order given, as a set of their own.
StrandSet pick_strands(const StrandSet& strands, std::span<const int> ids);

// Vertices in strand order, root to tip, without padding; and back.
std::vector<Vec3f> unpack(const Channel<3>& channel);
void pack(std::span<const Vec3f> vertices, Channel<3>& channel);

// The fingerprint of a state: strand order, root to tip, independent of padding, threads and lanes.
Hash hash_of(const Channel<3>& position, const Channel<3>& velocity);

}  // namespace ringlet
