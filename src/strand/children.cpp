#include "strand/children.h"

#include <algorithm>

#include "base/assert.h"

namespace ringlet {

namespace {

// The direction of a strand around a vertex, over a few segments: single segments of a fine curl
// jitter, and children would jitter with them.
Vec3f direction_at(const Channel<3>& x, int strand, int i) {
    const int last = x.layout().vertex_count(strand) - 1;
    const int from = std::max(i - 2, 0), to = std::min(i + 2, last);
    return unit_or(x.vec3(strand, to) - x.vec3(strand, from), Vec3f{0, -1, 0});
}

Quatf mix(Quatf a, Quatf b, float t) {
    // Neighbouring vertices turn alike; q and -q are the same turn.
    const float sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1.0f : 1.0f;
    const auto part = [&](float p, float q) { return p + (sign * q - p) * t; };
    return normalise(Quatf{part(a.x, b.x), part(a.y, b.y), part(a.z, b.z), part(a.w, b.w)});
}

}  // namespace

Children::Children(const StrandSet& guides, const StrandSet& children,
                   std::vector<GuideWeights> follows)
    : guide_rest_(guides.position),
      child_rest_(children.position),
      follows_(std::move(follows)),
      turns_(static_cast<std::size_t>(guides.strand_count())) {
    RINGLET_ASSERT(std::ssize(follows_) == children.strand_count(), "one entry per child");
    for (int g = 0; g < guides.strand_count(); ++g)
        turns_[static_cast<std::size_t>(g)].resize(
            static_cast<std::size_t>(guides.layout->vertex_count(g)));
}

// The turn of each vertex from rest to now: the head's at the root, then as little more as takes
// the rest direction to the present one, carried from vertex to vertex.
void Children::turn_guide(int guide, const Channel<3>& now, const Rigidf& head) {
    std::vector<Quatf>& turns = turns_[static_cast<std::size_t>(guide)];
    Quatf turn = head.rotation;
    for (std::size_t i = 0; i < turns.size(); ++i) {
        const int vertex = static_cast<int>(i);
        const Vec3f was = rotate(turn, direction_at(guide_rest_, guide, vertex));
        turn = normalise(quat_between(was, direction_at(now, guide, vertex)) * turn);
        turns[i] = turn;
    }
}

Vec3f Children::carried(const GuideWeights& by, Vec3f rest, float along,
                        const Channel<3>& now) const {
    Vec3f out{0, 0, 0};
    for (std::size_t k = 0; k < by.guide.size(); ++k) {
        if (by.weight[k] <= 0) continue;
        const int guide = by.guide[k];
        const int last = now.layout().vertex_count(guide) - 1;
        const float at = along * static_cast<float>(last);
        const int i = std::min(static_cast<int>(at), std::max(last - 1, 0));
        const int j = std::min(i + 1, last);
        const float t = at - static_cast<float>(i);
        const auto point = [&](const Channel<3>& x) {
            const Vec3f a = x.vec3(guide, i);
            return a + (x.vec3(guide, j) - a) * t;
        };
        const std::vector<Quatf>& turns = turns_[static_cast<std::size_t>(guide)];
        const Quatf turn =
            mix(turns[static_cast<std::size_t>(i)], turns[static_cast<std::size_t>(j)], t);
        out += (point(now) + rotate(turn, rest - point(guide_rest_))) * by.weight[k];
    }
    return out;
}

void Children::follow(const Channel<3>& guides_now, const RootMotion& guide_roots,
                      const RootMotion& child_roots, Channel<3>& children_now,
                      const TaskPool& pool) {
    pool.for_each(static_cast<int>(turns_.size()),
                  [&](int guide) { turn_guide(guide, guides_now, guide_roots.of(guide)); });
    const StrandLayout& layout = child_rest_.layout();
    pool.for_each(layout.strand_count(), [&](int child) {
        const GuideWeights& by = follows_[static_cast<std::size_t>(child)];
        const int last = layout.vertex_count(child) - 1;
        // A root stays on the skin, whatever its guides do.
        children_now.set_vec3(child, 0, apply(child_roots.of(child), child_rest_.vec3(child, 0)));
        for (int i = 1; i <= last; ++i) {
            const float along = static_cast<float>(i) / static_cast<float>(last);
            const Vec3f rest = child_rest_.vec3(child, i);
            children_now.set_vec3(child, i, carried(by, rest, along, guides_now));
        }
    });
}

}  // namespace ringlet
