#include "strand/children.h"

#include "base/assert.h"

namespace ringlet {

GuideMotions::GuideMotions(const StrandLayout& guides)
    : motions_(static_cast<std::size_t>(guides.vertex_total())) {
    int next = 0;
    for (int guide = 0; guide < guides.strand_count(); ++guide) {
        first_.push_back(next);
        next += guides.vertex_count(guide);
    }
}

Children::Children(const StrandSet& guides, const StrandSet& children,
                   std::vector<GuideWeights> weights)
    : guide_rest_(guides.position),
      child_rest_(children.position),
      weights_(std::move(weights)),
      motions_(*guides.layout) {
    RINGLET_ASSERT(std::ssize(weights_) == children.strand_count(), "one entry per child");
}

void Children::interpolate(const Channel<3>& guides_now, int first_guide,
                           const RootMotion& guide_roots, const RootMotion& child_roots,
                           Channel<3>& children_now, int first_child, const TaskPool& pool) {
    const StrandLayout& guides = guide_rest_.layout();
    const auto guide_of = [&](int guide) {
        return GuideView{{guide_rest_.strand(guide)},
                         {guides_now.strand(first_guide + guide)},
                         motions_.of(guide),
                         guides.vertex_count(guide) - 1};
    };
    pool.for_each(guides.strand_count(), [&](int guide) {
        find_guide_motions(guide_of(guide), guide_roots.of(guide).rotation);
    });
    const StrandLayout& layout = child_rest_.layout();
    // In the order of the layout: strands with neighbouring roots follow the same guides, whose
    // motions stay in the cache.
    pool.for_each(layout.slot_count(), [&](int slot) {
        const int child = layout.strand_in_slot(slot);
        if (child < 0) return;
        const GuideWeights& by = weights_[static_cast<std::size_t>(child)];
        const ConstRows3<float> rest{child_rest_.strand(child)};
        const Rows3<float> now{children_now.strand(first_child + child)};
        const int last = layout.vertex_count(child) - 1;
        // A root stays on the skin, whatever its guides do.
        const Rigidf skin = child_roots.of(child);
        const int on_skin = by.is_rigid() ? last : 0;
        for (int i = 0; i <= on_skin; ++i) now.set(i, apply(skin, rest[i]));
        for (int i = on_skin + 1; i <= last; ++i)
            now.set(i, child_vertex(by, rest[i], i, last, guide_of));
    });
}

}  // namespace ringlet
