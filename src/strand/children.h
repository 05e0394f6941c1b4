// Strands that are not simulated but follow a few that are. Each child keeps the shape it was
// groomed with, its own curl and frizz, relative to its guides: where a guide bends, the child
// bends with it.
#pragma once

#include <array>

#include "base/parallel.h"
#include "math/quat.h"
#include "strand/strand_set.h"

namespace ringlet {

// The guides a child follows, and how much; weights sum to one, unused entries are guide 0 with 0.
struct GuideWeights {
    std::array<std::int32_t, 3> guide{0, 0, 0};
    std::array<float, 3> weight{1, 0, 0};
};

class Children {
public:
    // Both at rest, in the head's own frame; one entry of `follows` per child.
    Children(const StrandSet& guides, const StrandSet& children, std::vector<GuideWeights> follows);

    // Where the children are when the guides are at `guides_now` and the head at `head`.
    void follow(const Channel<3>& guides_now, const Rigidf& head, Channel<3>& children_now,
                const TaskPool& pool);

    std::span<const GuideWeights> weights() const { return follows_; }
    const Channel<3>& rest() const { return child_rest_; }

private:
    void turn_guide(int guide, const Channel<3>& now, const Rigidf& head);
    Vec3f carried(const GuideWeights& by, Vec3f rest, float along, const Channel<3>& now) const;

    Channel<3> guide_rest_, child_rest_;
    std::vector<GuideWeights> follows_;
    std::vector<std::vector<Quatf>> turns_;  // per guide and vertex: from rest to now
};

}  // namespace ringlet
