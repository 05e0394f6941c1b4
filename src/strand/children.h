// Child strands are not simulated but interpolated from simulated guides. Each child keeps its
// groomed shape (its own curl and frizz) relative to its guides and bends with them.
#pragma once

#include "base/parallel.h"
#include "strand/children_kernel.h"
#include "strand/strand_set.h"

namespace ringlet {

// The motion of the skin under each root since rest.
struct RootMotion {
    Rigidf head;
    std::span<const Rigidf> skin{};  // per strand, in the head's frame; empty: the skin is rigid

    Rigidf of(int strand) const {
        return skin.empty() ? head : head * skin[static_cast<std::size_t>(strand)];
    }
};

// The motions of all guides' vertices, guide by guide. Neighbouring children follow different
// guides, so the motion of a vertex lies in one place and not across the rows of a channel.
class GuideMotions {
public:
    GuideMotions() = default;
    explicit GuideMotions(const StrandLayout& guides);

    // The motions of a guide's vertices begin here.
    int first(int guide) const { return first_[static_cast<std::size_t>(guide)]; }
    GuideMotion* of(int guide) { return motions_.data() + first(guide); }
    std::span<const GuideMotion> all() const { return motions_; }
    std::size_t byte_count() const {
        return motions_.size() * sizeof(GuideMotion) + first_.size() * sizeof(int);
    }

private:
    std::vector<GuideMotion> motions_;
    std::vector<int> first_;
};

class Children {
public:
    // Guides and children are at rest in the head's frame. `weights` has one entry per child.
    Children(const StrandSet& guides, const StrandSet& children, std::vector<GuideWeights> weights);

    // Computes the children's positions from those of the guides, which are strands `first_guide`,
    // `first_guide` + 1, ... of `guides_now`. Writes them to strands `first_child`,
    // `first_child` + 1, ... of `children_now`, which may be the same channel. The roots move as
    // given.
    void interpolate(const Channel<3>& guides_now, int first_guide, const RootMotion& guide_roots,
                     const RootMotion& child_roots, Channel<3>& children_now, int first_child,
                     const TaskPool& pool);

    std::span<const GuideWeights> weights() const { return weights_; }
    const Channel<3>& guide_rest() const { return guide_rest_; }
    const Channel<3>& rest() const { return child_rest_; }
    std::size_t byte_count() const {
        return guide_rest_.byte_count() + child_rest_.byte_count() + motions_.byte_count() +
               weights_.size() * sizeof(GuideWeights);
    }

private:
    Channel<3> guide_rest_, child_rest_;
    std::vector<GuideWeights> weights_;
    GuideMotions motions_;
};

}  // namespace ringlet
