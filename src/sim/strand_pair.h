// The geometry of a contact between segments of two strands that move in a substep.
#pragma once

#include "math/vec3.h"

namespace ringlet {

// A segment: its ends at the start of a substep, and their displacements in it (m).
struct MovingSegment {
    Vec3f start, end;
    Vec3f start_move, end_move;

    Vec3f at(float share) const { return start + (end - start) * share; }
    Vec3f move_at(float share) const { return start_move + (end_move - start_move) * share; }
    MovingSegment after(float time) const {
        return {start + start_move * time, end + end_move * time, start_move, end_move};
    }
};

// Points of two segments at which they are close, as shares of their lengths.
struct ClosestPoints {
    float s, t;
    Vec3f apart;  // from the point on b to the point on a
};

// The closest points of segments that cross. Of parallel segments, the middle of the part in which
// they lie side by side; between the two, the points change continuously with the angle. They
// minimise |apart|^2 + kCentring (|a|^2 (s - 1/2)^2 + |b|^2 (t - 1/2)^2), so that the contact of
// strands that lie along each other does not jump between the ends of a segment.
inline ClosestPoints closest_points(const MovingSegment& a, const MovingSegment& b) {
    constexpr float kCentring = 0.02f;
    const auto clamped = [](float share) { return min(max(share, 0.0f), 1.0f); };
    const Vec3f u = a.end - a.start, v = b.end - b.start, r = a.start - b.start;
    const float uu = max(dot(u, u), kTiny), vv = max(dot(v, v), kTiny), uv = dot(u, v);
    const float centred_u = (1 + kCentring) * uu, centred_v = (1 + kCentring) * vv;
    const float ur = dot(u, r) - 0.5f * kCentring * uu, vr = dot(v, r) + 0.5f * kCentring * vv;
    float s = clamped((uv * vr - ur * centred_v) / (centred_u * centred_v - uv * uv));
    const float free_t = (uv * s + vr) / centred_v, t = clamped(free_t);
    if (!(t == free_t)) s = clamped((uv * t - ur) / centred_u);
    return {s, t, r + u * s - v * t};
}

// Where and in which direction two segments meet.
struct Meeting {
    bool meets = false;
    float s = 0, t = 0;
    Vec3f normal{0, 0, 0};  // from b to a
};

// Finds where two segments come closer than `distance` on their straight paths. The normal points
// to the side of b on which a is at the start, or, if `before` is not zero, was by that normal.
Meeting meet(const MovingSegment& a, const MovingSegment& b, float distance, Vec3f before);

}  // namespace ringlet
