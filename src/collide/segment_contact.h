// Contact of a segment of hair with a body thinner than the segment, which passes between the two
// vertices. The segment is followed from the start of the substep to its end, so that neither a
// fast body nor a fast segment is missed.
//
// A contact is a plane that the point at the parameter s of the segment may not cross. Models
// distribute the correction of that point to both vertices with the weights 1 - s and s.
#pragma once

#include "collide/collider.h"

namespace ringlet {

template <class F>
struct SegmentEnds {
    Vec3<F> a, b;

    RINGLET_KERNEL Vec3<F> at(F s) const { return a + (b - a) * s; }
};

// The contact of a segment with one body, at the end of the substep.
template <class F>
struct SegmentHit {
    F s;             // 0 at the first vertex, 1 at the second
    F depth;         // m, how far the point at s is behind the plane; negative: in front of it
    F start_height;  // m, of the segment above the gap at the start; negative inside
    F body;          // index of the collider, or -1
    F kept;          // m, distance to keep from the axis of the body
    Vec3<F> normal;

    RINGLET_KERNEL F weight_a() const { return F(1) - s; }
    RINGLET_KERNEL F weight_b() const { return s; }
    // The displacement of the point at s by one unit of force there, for inverse masses of the
    // vertices; 0 if both are held. It is not below a tenth of theirs, so that a contact next to a
    // held vertex does not throw the other one.
    RINGLET_KERNEL F mobility(F w_a, F w_b) const {
        const F own = weight_a() * weight_a() * w_a + weight_b() * weight_b() * w_b;
        return max(own, F(0.1f) * max(w_a, w_b));
    }
    // The force that moves the point at s by `distance`: vertex e moves by w_e times its weight
    // times this.
    RINGLET_KERNEL F force_for(F distance, F w_a, F w_b) const {
        const F moves = mobility(w_a, w_b);
        return select(moves > F(0), distance / max(moves, F(kTiny)), F(0));
    }
};

template <class F>
RINGLET_KERNEL SegmentHit<F> no_segment_hit() {
    return {F(0.5f), F(-1e9f), F(1e9f), F(-1), F(1), zero_vec3<F>()};
}

// Replaces `out` where `hit` is deeper.
template <class F>
RINGLET_KERNEL void keep_deeper(SegmentHit<F>& out, const SegmentHit<F>& hit) {
    const auto deeper = hit.depth > out.depth;
    out.s = select(deeper, hit.s, out.s);
    out.depth = select(deeper, hit.depth, out.depth);
    out.start_height = select(deeper, hit.start_height, out.start_height);
    out.body = select(deeper, hit.body, out.body);
    out.kept = select(deeper, hit.kept, out.kept);
    out.normal = select(deeper, hit.normal, out.normal);
}

namespace segment_contact {

// Steps from the start of the path to the first contact. Each of them goes as far as no point of
// the segment can reach the body.
inline constexpr int kTraceSteps = 12;
// A segment whose squared sine of the angle with the axis is smaller counts as parallel: the
// nearest point is then not unique, and its middle is used.
inline constexpr float kParallel = 1e-6f;

template <class F>
RINGLET_KERNEL F clamp_to_segment(F s) {
    return min(max(s, F(0)), F(1));
}

// The point of a segment nearest to the axis of a sphere or capsule, and the vector from the axis
// to it (Ericson 2005, "Real-time collision detection", 5.1.9).
template <class F>
struct NearestToAxis {
    F s;
    Vec3<F> outward;
};

template <class F>
RINGLET_KERNEL NearestToAxis<F> nearest_to_axis(const PlacedCollider& body,
                                                const SegmentEnds<F>& at) {
    const Vec3<F> d = at.b - at.a, axis = splat<F>(body.b - body.a), r = at.a - splat<F>(body.a);
    const F dd = max(dot(d, d), F(kTiny)), aa = dot(axis, axis), da = dot(d, axis);
    const F dr = dot(d, r), ar = dot(axis, r), across = dd * aa - da * da;
    const auto crosses = across > F(kParallel) * dd * aa;
    const F s_line = (da * ar - dr * aa) / select(crosses, across, F(1));
    const F s = select(crosses, clamp_to_segment(s_line), F(0.5f));
    const F t = clamp_to_segment((da * s + ar) / max(aa, F(kTiny)));
    const F nearest = clamp_to_segment((da * t - dr) / dd);
    return {nearest, r + d * nearest - axis * t};
}

template <class F>
RINGLET_KERNEL SegmentEnds<F> between(const SegmentEnds<F>& from, const SegmentEnds<F>& to, F t) {
    return {from.a + (to.a - from.a) * t, from.b + (to.b - from.b) * t};
}

}  // namespace segment_contact

// Whether the segment may come closer to the body than `reach` on its way. Cheap, and true if in
// doubt.
template <class F>
RINGLET_KERNEL auto may_reach(const PlacedCollider& body, const SegmentEnds<F>& from,
                              const SegmentEnds<F>& to, F reach) {
    const Vec3<F> middle = (from.a + from.b + to.a + to.b) * F(0.25f);
    const auto apart = [&](Vec3<F> p) { return dot(p - middle, p - middle); };
    const F around = sqrt(max(max(apart(from.a), apart(from.b)), max(apart(to.a), apart(to.b))));
    return nearest_surface(body, middle).distance < reach + around * F(1.0001f) + F(1e-6f);
}

// The contact of a segment that moves from `from`, which has already been moved with the body
// (moved_with()), to `to`. It keeps the distance `keep` from the axis. A segment that starts nearer
// is moved out by at most `max_rise`. The normal is that of the first contact on the way, because
// at the end the nearest surface may be the other side of the body.
template <class F>
RINGLET_KERNEL SegmentHit<F> first_segment_hit(const PlacedCollider& body, int index,
                                               const SegmentEnds<F>& from, const SegmentEnds<F>& to,
                                               F keep, F max_rise) {
    using namespace segment_contact;
    const F longest = max(norm(to.a - from.a), norm(to.b - from.b));
    const F per_length = F(1) / max(longest, F(kTiny));
    NearestToAxis<F> near = nearest_to_axis(body, from);
    F height = norm(near.outward) - keep, t = F(0);
    const F start_height = height;
    for (int k = 0; k < kTraceSteps; ++k) {
        const F next = min(t + max(height, F(0)) * per_length, F(1));
        if (!any(next > t)) break;  // no lane advances
        t = next;
        near = nearest_to_axis(body, segment_contact::between(from, to, t));
        height = norm(near.outward) - keep;
    }
    const Vec3<F> normal = unit_or(near.outward, Vec3<F>{F(0), F(1), F(0)});
    const F lowered = min(start_height + max_rise, F(0));
    const Vec3<F> here = segment_contact::between(from, to, t).at(near.s);
    const F end_height = height + dot(normal, to.at(near.s) - here);
    return {near.s, lowered - end_height, start_height, F(static_cast<float>(index)), keep, normal};
}

// How deepest_segment_hit() searches.
struct SegmentSearch {
    float max_rise = 1e9f;   // m, by which a segment that starts inside is moved out at most
    float range = 0;         // m, up to which contacts in front of their planes are returned too
    float radius_share = 1;  // the body's radius counts times this
    float ahead = 1;         // the motion relative to a body is continued to this multiple of it
};

// The deepest contact of a segment with the thin bodies. `from` is the segment at the start of the
// substep, `to` at its end.
template <class F>
RINGLET_KERNEL SegmentHit<F> deepest_segment_hit(const PlacedCollider* bodies, int count,
                                                 const SegmentEnds<F>& from,
                                                 const SegmentEnds<F>& to, F gap,
                                                 const SegmentSearch& search) {
    SegmentHit<F> out = no_segment_hit<F>();
    for (int k = 0; k < count; ++k) {
        if (!bodies[k].is_thin) continue;
        const SegmentEnds<F> start = {moved_with(bodies[k], from.a), moved_with(bodies[k], from.b)};
        const SegmentEnds<F> end =
            search.ahead == 1 ? to : segment_contact::between(start, to, F(search.ahead));
        const auto near = may_reach(bodies[k], start, end, gap + F(search.range));
        if (!any(near)) continue;
        SegmentHit<F> hit =
            first_segment_hit(bodies[k], k, start, end,
                              F(bodies[k].radius * search.radius_share) + gap, F(search.max_rise));
        hit.depth = select(near && (hit.depth > F(-search.range)), hit.depth, F(-1e9f));
        keep_deeper(out, hit);
    }
    return out;
}

}  // namespace ringlet
