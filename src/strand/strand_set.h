// A set of strands: position and appearance (colour, radius) of every vertex.
#pragma once

#include "base/hash.h"
#include "math/vec2.h"
#include "strand/channel.h"

namespace ringlet {

struct StrandSet {
    LayoutRef layout;
    Channel<3> position;         // m
    Channel<3> colour;           // linear RGB; empty where the appearance is not needed
    Channel<1> radius;           // m; empty like colour
    std::vector<Vec2f> root_uv;  // on the skin, per strand; empty where unknown
    // Share of hair that grows at the root, per strand: below 1 at a soft hairline. Empty: 1.
    std::vector<float> root_growth;
    // Height in a coat of fur at the strand's root (x) and tip (y), per strand: 0 at the skin, 1 at
    // the ends of the longest strands. Sets colour and light. Empty: the strands are hair.
    std::vector<Vec2f> fur_tone;
    // Per strand; may be empty. Strands of different regions never guide each other.
    std::vector<std::int32_t> region;

    StrandSet() = default;
    explicit StrandSet(StrandLayout where);

    int strand_count() const { return layout ? layout->strand_count() : 0; }
    bool has_appearance() const { return !colour.empty(); }
    void drop_appearance();
    // Memory of the per-vertex channels in bytes.
    std::size_t byte_count() const;
};

// StrandView::fur_tone of a strand of hair among strands of fur.
inline constexpr Vec2f kNoFur{-1, -1};

class DeferredPositions;

// The strands that a renderer draws. Not owned; valid until the owner changes or is destroyed.
struct StrandView {
    const StrandLayout* layout;
    const Channel<3>* position;
    const Channel<3>* colour;
    const Channel<1>* radius;
    // True if colours and radii have not changed since the last view of the same layout.
    bool has_same_appearance = false;
    // Not null if `position` is outdated until deferred->fetch() (strand/deferred_positions.h).
    DeferredPositions* deferred = nullptr;
    // StrandSet::fur_tone, kNoFur for strands of hair; empty: all are hair. Changes only together
    // with the layout.
    std::span<const Vec2f> fur_tone{};
};

StrandView view_of(const StrandSet& strands);

// Copies the given strands, in that order, to a new set.
StrandSet pick_strands(const StrandSet& strands, std::span<const int> ids);

// Copies vertices to strand order, root to tip, without padding, and back.
std::vector<Vec3f> unpack(const Channel<3>& channel);
void pack(std::span<const Vec3f> vertices, Channel<3>& channel);

// Hash of a state in strand order, root to tip; independent of padding, threads and lanes.
Hash hash_of(const Channel<3>& position, const Channel<3>& velocity);

}  // namespace ringlet
