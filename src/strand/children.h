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

// Where the skin under each root has gone: with the head, or each its own way.
struct RootMotion {
    Rigidf head;
    std::span<const Rigidf> skin{};  // in the head's frame; none: the skin keeps its shape

    Rigidf of(int strand) const {
        return skin.empty() ? head : head * skin[static_cast<std::size_t>(strand)];
    }
};

class Children {
public:
    // Both at rest, in the head's own frame; one entry of `follows` per child.
    Children(const StrandSet& guides, const StrandSet& children, std::vector<GuideWeights> follows);

    // Where the children are when the guides are at `guides_now` and their roots were moved so.
    void follow(const Channel<3>& guides_now, const RootMotion& guide_roots,
                const RootMotion& child_roots, Channel<3>& children_now, const TaskPool& pool);

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
