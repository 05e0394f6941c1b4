// Contact of the rod's segments with bodies thinner than a segment (collide/segment_contact.h), as
// additional contact planes of both vertices of a segment.
//
// The exact constraint couples two vertices, which the solve cannot do. Each vertex gets a plane of
// its own instead: where it would be without internal forces, plus the distance by which the point
// of contact is too deep. Its stiffness falls with the weight of the vertex, so that forces are
// distributed as by the exact constraint. A change of the rotation of the segment meets resistance,
// so these contacts do not become as stiff as those of vertices.
//
// Compliant contacts let fast bodies through. What they miss, hold_segments() corrects after the
// solve.
#pragma once

#include "collide/segment_contact.h"
#include "sim/models/rod_detect.h"

namespace ringlet::rod {

// The stiffness of a contact of a segment over M/h^2, where h is half a step; and its least
// stiffness for each time that it is as deep as the distance to keep from the axis of the body.
inline constexpr float kSegmentHardness = 30, kHardnessPerDepth = 10;

// A contact of a segment, as one of its vertices sees it.
template <class F>
struct SegmentPlane {
    Mask<F> active;
    SegmentHit<F> hit;
    F push;       // m, of this vertex along the normal
    F target;     // m, where the plane is along the normal, relative to the vertex
    F stiffness;  // relative to that of a vertex that touches the body itself
};

// The contact of the segment from vertex i to its neighbour j, for vertex i.
template <class F>
RINGLET_OUTLINED SegmentPlane<F> segment_plane(const RodUniforms& p, const Strand<F>& s, int i,
                                               int j, float max_rise) {
    const bool is_first = i < j;
    const VertexPath<F> own = path_of(p, s, i), other = path_of(p, s, j);
    const VertexPath<F>&a = is_first ? own : other, &b = is_first ? other : own;
    const F gap = max(min(s.gap[i], s.gap[j]), F(0));
    const SegmentHit<F> hit =
        deepest_segment_hit<F>(p.colliders, p.collider_count, {a.start, b.start}, {a.end, b.end},
                               gap, {.max_rise = max_rise});
    const F weight = is_first ? hit.weight_a() : hit.weight_b();
    // Behind the plane without internal forces; negative if only these forces lead there.
    const Vec3<F> pulled = SegmentEnds<F>{a.end - a.free_end, b.end - b.free_end}.at(hit.s);
    const F free_depth = hit.depth + dot(hit.normal, pulled);
    const auto exists = s.length[is_first ? i : j] > F(0);
    return {exists && (hit.depth > F(0)) && (own.w > F(0)), hit, hit.depth,
            dot(hit.normal, own.free_end - s.x[i]) + free_depth,
            weight / max(hit.weight_a(), hit.weight_b())};
}

// The distance from the axis of a thin body that no segment may fall below, relative to the body's
// radius; the sweeps over the segments that ensure it, and how often they alternate with restoring
// the lengths.
inline constexpr float kLeastRadius = 0.5f;
inline constexpr int kHoldSweeps = 6, kHoldRounds = 4;

// Moves segments out of the core of a thin body. Changes the displacements s.u of their vertices,
// and returns where.
template <class F>
RINGLET_OUTLINED Mask<F> hold_segments(const RodUniforms& p, const Strand<F>& s) {
    Mask<F> held = F(1) < F(0);
    auto moves = F(0) < F(1);
    for (int n = 0; n < kHoldSweeps && any(moves); ++n) {
        moves = F(1) < F(0);
        for (int i = 0; i < s.segments; ++i) {
            const VertexStep<F> a = step_of(p, s, i), b = step_of(p, s, i + 1);
            const SegmentEnds<F> end = {s.x[i] + s.u[i], s.x[i + 1] + s.u[i + 1]};
            const SegmentHit<F> hit =
                deepest_segment_hit<F>(p.colliders, p.collider_count, {a.start, b.start}, end, F(0),
                                       {.radius_share = kLeastRadius});
            const F force = hit.force_for(max(hit.depth, F(0)), a.w, b.w);
            const auto acts = (s.length[i] > F(0)) && (force > F(0));
            if (!any(acts)) continue;
            moves = moves || acts;
            const Vec3<F> push = select(acts, hit.normal * force, zero_vec3<F>());
            s.u.set(i, s.u[i] + push * (a.w * hit.weight_a()));
            s.u.set(i + 1, s.u[i + 1] + push * (b.w * hit.weight_b()));
        }
        held = held || moves;
    }
    return held;
}

}  // namespace ringlet::rod
