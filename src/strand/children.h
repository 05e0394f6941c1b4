// Strands that are not simulated but follow a few that are. Each child keeps the shape it was
// groomed with, its own curl and frizz, relative to its guides: where a guide bends, the child
// bends with it.
#pragma once

#include "base/parallel.h"
#include "strand/children_kernel.h"
#include "strand/strand_set.h"

namespace ringlet {

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
    const Channel<3>& guide_rest() const { return guide_rest_; }
    const Channel<3>& rest() const { return child_rest_; }
    std::size_t byte_count() const {
        return guide_rest_.byte_count() + child_rest_.byte_count() + turns_.byte_count() +
               follows_.size() * sizeof(GuideWeights);
    }

private:
    Channel<3> guide_rest_, child_rest_;
    std::vector<GuideWeights> follows_;
    Channel<4> turns_;  // of the guides, from rest to now
};

}  // namespace ringlet
