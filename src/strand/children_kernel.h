// Interpolation of children from their guides, shared by CPU and GPU.
#pragma once

#include "strand/rows.h"

namespace ringlet {

// The guides of a child and their weights, which sum to one. Unused entries have weight 0.
struct GuideWeights {
    static constexpr int kMaxGuides = 3;
    std::int32_t guide[kMaxGuides] = {0, 0, 0};
    float weight[kMaxGuides] = {1, 0, 0};
};

// A guide's vertices at rest in the head's frame, and now.
struct GuideView {
    ConstRows3<float> rest, now;
    float* rotations;  // 4 components per vertex: rotation from rest to now
    int last;          // index of its tip
};

// The direction of a strand at a vertex, averaged over a few segments: single segments of a fine
// curl jitter, and children would jitter with them.
RINGLET_KERNEL Vec3f direction_at(ConstRows3<float> x, int i, int last) {
    const int from = i > 2 ? i - 2 : 0, to = i + 2 < last ? i + 2 : last;
    return unit_or(x[to] - x[from], Vec3f{0, -1, 0});
}

// Computes the rotation of each vertex from rest to now: the skin's rotation at the root, then the
// smallest further rotation that takes the rest direction to the current one, accumulated along the
// strand.
RINGLET_KERNEL void find_guide_rotations(const GuideView& guide, Quatf skin) {
    Quatf rotation = skin;
    for (int i = 0; i <= guide.last; ++i) {
        const Vec3f before = rotate(rotation, direction_at(guide.rest, i, guide.last));
        rotation =
            normalise(quat_between(before, direction_at(guide.now, i, guide.last)) * rotation);
        Rows4<float>{guide.rotations}.set(i, rotation);
    }
}

RINGLET_KERNEL Quatf interpolate_rotations(Quatf a, Quatf b, float t) {
    // q and -q are the same rotation.
    const float sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1.0f : 1.0f;
    return normalise(Quatf{a.x + (sign * b.x - a.x) * t, a.y + (sign * b.y - a.y) * t,
                           a.z + (sign * b.z - a.z) * t, a.w + (sign * b.w - a.w) * t});
}

// The position of a point that was at `rest`, moved rigidly with the guide's frame at the fraction
// `along` of the guide's vertices.
RINGLET_KERNEL Vec3f moved_with_guide(const GuideView& guide, Vec3f rest, float along) {
    const float at = along * to_float(guide.last);
    const int whole = truncate(at), before_tip = guide.last > 0 ? guide.last - 1 : 0;
    const int i = whole < before_tip ? whole : before_tip;
    const int j = i < guide.last ? i + 1 : guide.last;
    const float t = at - to_float(i);
    const auto point = [i, j, t](ConstRows3<float> x) { return x[i] + (x[j] - x[i]) * t; };
    const ConstRows4<float> rotations{guide.rotations};
    return point(guide.now) +
           rotate(interpolate_rotations(rotations[i], rotations[j], t), rest - point(guide.rest));
}

// The position of vertex i of a child, which was at `rest`. `guide_of` maps an index to a
// GuideView.
template <class GuideOf>
RINGLET_KERNEL Vec3f child_vertex(const GuideWeights& by, Vec3f rest, int i, int last,
                                  const GuideOf& guide_of) {
    const float along = to_float(i) / to_float(last);
    Vec3f out{0, 0, 0};
    for (int k = 0; k < GuideWeights::kMaxGuides; ++k) {
        if (by.weight[k] <= 0) continue;
        out += moved_with_guide(guide_of(by.guide[k]), rest, along) * by.weight[k];
    }
    return out;
}

}  // namespace ringlet
