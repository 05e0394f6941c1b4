// Fewer strands while a simulation runs: some blocks are simulated, the strands of the others keep
// their shape and move rigidly with the skin under their roots.
#pragma once

#include <span>
#include <vector>

#include "sim/channel_access.h"
#include "strand/channel.h"

namespace ringlet {

class LevelOfDetail {
public:
    // All strands are active. `rest` has the groomed positions.
    explicit LevelOfDetail(const Channel<3>& rest);

    // Activates whole blocks in a fixed order that is even over the head, until at least `count`
    // strands, and at least one block, are active. Returns the number of active strands.
    int activate(int count);
    bool is_active(int strand) const { return active_[static_cast<std::size_t>(strand)] != 0; }
    // One entry per strand, 0 for inactive ones.
    std::span<const char> active() const { return active_; }
    int active_count() const;
    // The active blocks in ascending order; empty if all are.
    std::vector<int> active_blocks() const;

    // Stores the shape of a strand whose skin has this pose, and computes where the skin's motion
    // has moved it.
    void freeze(int strand, const Rigidf& skin, const Channel<3>& x);
    Vec3f position(int strand, int vertex, const Rigidf& skin) const {
        return apply(skin, shape_.vec3(strand, vertex));
    }
    // The pose of the skin when the strand became inactive.
    const Rigidf& frozen_at(int strand) const {
        return frozen_at_[static_cast<std::size_t>(strand)];
    }

    // All of the state.
    MemorySpans changing_memory();
    std::size_t byte_count() const { return shape_.byte_count(); }

private:
    std::vector<int> block_order_;
    std::vector<char> active_;       // per strand
    std::vector<Rigidf> frozen_at_;  // per strand
    Channel<3> shape_;               // of inactive strands, in the frame of the skin
};

}  // namespace ringlet
