// Interpolation of children from their guides, shared by CPU and GPU.
#pragma once

#include "strand/rows.h"

namespace ringlet {

// The guides of a child and their weights, which sum to one. Unused entries have weight 0. Without
// guides a child follows the skin under its root rigidly.
struct GuideWeights {
    static constexpr int kMaxGuides = 3;
    std::int32_t guide[kMaxGuides] = {0, 0, 0};
    float weight[kMaxGuides] = {1, 0, 0};

    RINGLET_KERNEL bool is_rigid() const { return weight[0] + weight[1] + weight[2] <= 0; }
};

inline constexpr GuideWeights kNoGuides{{0, 0, 0}, {0, 0, 0}};

// A motion from rest to now as a matrix: x is mapped to x.x * a + x.y * b + x.z * c + shift.
// Weighted sums of motions are motions of the same kind.
struct GuideMotion {
    Vec3f a, b, c, shift;
};

// A guide's vertices at rest in the head's frame, and now.
struct GuideView {
    ConstRows3<float> rest, now;
    GuideMotion* motions;  // rigid, one per vertex
    int last;              // index of its tip
};

// The direction of a strand at a vertex, averaged over a few segments: single segments of a fine
// curl jitter, and children would jitter with them.
RINGLET_KERNEL Vec3f direction_at(ConstRows3<float> x, int i, int last) {
    const int from = i > 2 ? i - 2 : 0, to = i + 2 < last ? i + 2 : last;
    return unit_or(x[to] - x[from], Vec3f{0, -1, 0});
}

// Computes the motion of each vertex. Its rotation is the skin's at the root, then the smallest
// further rotation that takes the rest direction to the current one, accumulated along the strand.
RINGLET_KERNEL void find_guide_motions(const GuideView& guide, Quatf skin) {
    Quatf rotation = skin;
    for (int i = 0; i <= guide.last; ++i) {
        const Vec3f before = rotate(rotation, direction_at(guide.rest, i, guide.last));
        rotation =
            normalise(quat_between(before, direction_at(guide.now, i, guide.last)) * rotation);
        guide.motions[i] = {rotate(rotation, Vec3f{1, 0, 0}), rotate(rotation, Vec3f{0, 1, 0}),
                            rotate(rotation, Vec3f{0, 0, 1}),
                            guide.now[i] - rotate(rotation, guide.rest[i])};
    }
}

// Moves `rest` by the motion of a guide's vertex, times `weight`.
RINGLET_KERNEL Vec3f moved_by(const GuideMotion& m, Vec3f rest, float weight) {
    return (m.a * rest.x + m.b * rest.y + m.c * rest.z + m.shift) * weight;
}

// The position of a point that was at `rest`, moved with the guide at vertex i of a child's `last`,
// times `weight`.
RINGLET_KERNEL Vec3f moved_with_guide(const GuideView& guide, Vec3f rest, int i, int last,
                                      float weight) {
    if (guide.last == last) return moved_by(guide.motions[i], rest, weight);
    const float at = to_float(i) / to_float(last) * to_float(guide.last);
    const int whole = truncate(at), before_tip = guide.last > 0 ? guide.last - 1 : 0;
    const int from = whole < before_tip ? whole : before_tip;
    const int to = from < guide.last ? from + 1 : guide.last;
    const float t = at - to_float(from);
    return moved_by(guide.motions[from], rest, weight * (1 - t)) +
           moved_by(guide.motions[to], rest, weight * t);
}

// The position of vertex i of a child, which was at `rest`. `guide_of` maps an index to a
// GuideView.
template <class GuideOf>
RINGLET_KERNEL Vec3f child_vertex(const GuideWeights& by, Vec3f rest, int i, int last,
                                  const GuideOf& guide_of) {
    Vec3f out{0, 0, 0};
    for (int k = 0; k < GuideWeights::kMaxGuides; ++k) {
        if (by.weight[k] <= 0) continue;
        out += moved_with_guide(guide_of(by.guide[k]), rest, i, last, by.weight[k]);
    }
    return out;
}

}  // namespace ringlet
