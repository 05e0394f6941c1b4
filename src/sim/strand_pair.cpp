#include "sim/strand_pair.h"

namespace ringlet {

namespace {

// Most times at which the distance of two fast segments is sampled.
constexpr int kMaxSamples = 16;
// Shares of a segment closer to an end than this belong to the end.
constexpr float kEnd = 0.01f;
// Segments at an angle with a smaller sine are parallel.
constexpr float kParallel = 0.1f;
// A normal is reversed if its product with the previous one is below this.
constexpr float kReversed = -0.3f;

bool is_inner(float share) { return share > kEnd && share < 1 - kEnd; }

// The normal of segments that meet at a later time, up to its sign. Where they cross, their
// distance becomes 0 there, so it is taken from their directions then, or from their positions at
// the start.
Vec3f normal_on_path(const MovingSegment& a, const MovingSegment& b, const ClosestPoints& closest,
                     float time) {
    const MovingSegment a_then = a.after(time), b_then = b.after(time);
    const Vec3f u = a_then.end - a_then.start, v = b_then.end - b_then.start, across = cross(u, v);
    const float size = norm(across);
    if (is_inner(closest.s) && is_inner(closest.t) && size > kParallel * norm(u) * norm(v))
        return across * (1 / size);
    return unit_or(a.at(closest.s) - b.at(closest.t), unit_or(closest.apart, Vec3f{0, 1, 0}));
}

}  // namespace

Meeting meet(const MovingSegment& a, const MovingSegment& b, float distance, Vec3f before) {
    const Vec3f start_path = a.start_move - b.start_move, end_path = a.end_move - b.end_move;
    const Vec3f cross_path = a.start_move - b.end_move, other_path = a.end_move - b.start_move;
    const float path =
        max(max(norm(start_path), norm(end_path)), max(norm(cross_path), norm(other_path)));
    const MovingSegment a_middle = a.after(0.5f), b_middle = b.after(0.5f);
    const float reach = distance + 0.5f * path;
    const ClosestPoints middle = closest_points(a_middle, b_middle);
    if (!(dot(middle.apart, middle.apart) < reach * reach)) return {};
    // Samples are at most half the distance apart.
    const bool is_fast = path > 0.25f * distance;
    const int samples =
        is_fast ? 2 + static_cast<int>(min(2 * path / distance, kMaxSamples - 2.0f)) : 1;
    ClosestPoints best = closest_points(a, b);
    float best_time = 0;
    for (int k = 1; k < samples; ++k) {
        const float time = static_cast<float>(k) / static_cast<float>(samples - 1);
        const ClosestPoints now = closest_points(a.after(time), b.after(time));
        if (!(dot(now.apart, now.apart) < dot(best.apart, best.apart))) continue;
        best = now;
        best_time = time;
    }
    const float slack = is_fast ? path / static_cast<float>(samples) : path;
    const float near = distance + slack;
    if (!(dot(best.apart, best.apart) < near * near)) return {};
    const Vec3f n =
        best_time > 0 ? normal_on_path(a, b, best, best_time) : unit_or(best.apart, Vec3f{0, 1, 0});
    const bool has_record = dot(before, before) > 0;
    const float side = has_record ? dot(n, before) : dot(n, a.at(best.s) - b.at(best.t));
    const bool is_reversed = has_record ? side < kReversed : side < 0;
    return {true, best.s, best.t, is_reversed ? -n : n};
}

}  // namespace ringlet
