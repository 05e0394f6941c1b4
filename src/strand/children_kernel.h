// How children follow their guides, vertex by vertex: what CPU and GPU do alike.
#pragma once

#include "strand/rows.h"

namespace ringlet {

// The guides a child follows, and how much; weights sum to one, unused entries are guide 0 with 0.
struct GuideWeights {
    static constexpr int kMost = 3;
    std::int32_t guide[kMost] = {0, 0, 0};
    float weight[kMost] = {1, 0, 0};
};

// A guide as its children see it: its vertices in the head's frame and where they are now.
struct GuideRows {
    ConstRows3<float> rest, now;
    float* turns;  // of 4 components, per vertex: from rest to now
    int last;      // number of its tip
};

// The direction of a strand around a vertex, over a few segments: single segments of a fine curl
// jitter, and children would jitter with them.
RINGLET_KERNEL Vec3f direction_at(ConstRows3<float> x, int i, int last) {
    const int from = i > 2 ? i - 2 : 0, to = i + 2 < last ? i + 2 : last;
    return unit_or(x[to] - x[from], Vec3f{0, -1, 0});
}

// The turn of each vertex from rest to now: the skin's at the root, then as little more as takes
// the rest direction to the present one, carried from vertex to vertex.
RINGLET_KERNEL void turn_guide(const GuideRows& guide, Quatf skin) {
    Quatf turn = skin;
    for (int i = 0; i <= guide.last; ++i) {
        const Vec3f was = rotate(turn, direction_at(guide.rest, i, guide.last));
        turn = normalise(quat_between(was, direction_at(guide.now, i, guide.last)) * turn);
        Rows4<float>{guide.turns}.set(i, turn);
    }
}

RINGLET_KERNEL Quatf mix_turns(Quatf a, Quatf b, float t) {
    // Neighbouring vertices turn alike; q and -q are the same turn.
    const float sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1.0f : 1.0f;
    return normalise(Quatf{a.x + (sign * b.x - a.x) * t, a.y + (sign * b.y - a.y) * t,
                           a.z + (sign * b.z - a.z) * t, a.w + (sign * b.w - a.w) * t});
}

// Where a guide takes a point that was at `rest` beside it, that share of the way to its tip.
RINGLET_KERNEL Vec3f carried_by(const GuideRows& guide, Vec3f rest, float along) {
    const float at = along * to_float(guide.last);
    const int whole = truncate(at), before_tip = guide.last > 0 ? guide.last - 1 : 0;
    const int i = whole < before_tip ? whole : before_tip;
    const int j = i < guide.last ? i + 1 : guide.last;
    const float t = at - to_float(i);
    const auto point = [i, j, t](ConstRows3<float> x) { return x[i] + (x[j] - x[i]) * t; };
    const ConstRows4<float> turns{guide.turns};
    return point(guide.now) + rotate(mix_turns(turns[i], turns[j], t), rest - point(guide.rest));
}

// The i-th vertex of a child that was at `rest`; `guide_of` gives GuideRows by number.
template <class GuideOf>
RINGLET_KERNEL Vec3f carried(const GuideWeights& by, Vec3f rest, int i, int last,
                             const GuideOf& guide_of) {
    const float along = to_float(i) / to_float(last);
    Vec3f out{0, 0, 0};
    for (int k = 0; k < GuideWeights::kMost; ++k) {
        if (by.weight[k] <= 0) continue;
        out += carried_by(guide_of(by.guide[k]), rest, along) * by.weight[k];
    }
    return out;
}

}  // namespace ringlet
