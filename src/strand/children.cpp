#include "strand/children.h"

#include "base/assert.h"

namespace ringlet {

Children::Children(const StrandSet& guides, const StrandSet& children,
                   std::vector<GuideWeights> follows)
    : guide_rest_(guides.position),
      child_rest_(children.position),
      follows_(std::move(follows)),
      turns_(guides.layout) {
    RINGLET_ASSERT(std::ssize(follows_) == children.strand_count(), "one entry per child");
}

void Children::follow(const Channel<3>& guides_now, const RootMotion& guide_roots,
                      const RootMotion& child_roots, Channel<3>& children_now,
                      const TaskPool& pool) {
    const StrandLayout& guides = guide_rest_.layout();
    const auto guide_of = [&](int guide) {
        return GuideRows{{guide_rest_.strand(guide)},
                         {guides_now.strand(guide)},
                         turns_.strand(guide),
                         guides.vertex_count(guide) - 1};
    };
    pool.for_each(guides.strand_count(),
                  [&](int guide) { turn_guide(guide_of(guide), guide_roots.of(guide).rotation); });
    const StrandLayout& layout = child_rest_.layout();
    pool.for_each(layout.strand_count(), [&](int child) {
        const GuideWeights& by = follows_[static_cast<std::size_t>(child)];
        const int last = layout.vertex_count(child) - 1;
        // A root stays on the skin, whatever its guides do.
        children_now.set_vec3(child, 0, apply(child_roots.of(child), child_rest_.vec3(child, 0)));
        for (int i = 1; i <= last; ++i)
            children_now.set_vec3(child, i,
                                  carried(by, child_rest_.vec3(child, i), i, last, guide_of));
    });
}

}  // namespace ringlet
