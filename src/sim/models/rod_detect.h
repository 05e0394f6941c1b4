// The search for vertices of the rod that may touch a body in a substep. Most vertices are far from
// all bodies; lower bounds on their distances find that cheaply.
#pragma once

#include "collide/segment_contact.h"
#include "sim/kernels/rebound.h"
#include "sim/models/rod_block.h"

namespace ringlet::rod {

// How a vertex moves in this substep: the length of its step, its inverse mass in units of p.h, and
// the start of its path among the bodies. In the second stage of a step, a vertex that touched a
// body in the first takes a long step, and the path of any other starts where it was in the first.
template <class F>
struct VertexStep {
    Mask<F> is_long;
    F h, w;
    Vec3<F> start;
};

template <class F>
RINGLET_KERNEL VertexStep<F> step_of(const RodUniforms& p, const Strand<F>& s, int i) {
    if (p.stage != StepStage::second) return {s.takes_long_step, s.h, s.w[i] * s.w_scale, s.x[i]};
    const Mask<F> is_long = s.takes_long_step || (s.anchor_body[i] >= F(0));
    const auto starts_here = is_long || is_held(p, s, i);
    return {is_long, select(is_long, F(p.span), F(p.h)),
            s.w[i] * select(is_long, F(kLongScale), F(1)),
            select(starts_here, s.x[i], s.anchor[i])};
}

// The path of a vertex in this substep under the current forces, its end without internal forces,
// and its inverse mass.
template <class F>
struct VertexPath {
    Vec3<F> start, end, free_end;
    F w;
};

template <class F>
RINGLET_KERNEL VertexPath<F> path_of(const RodUniforms& p, const Strand<F>& s, int i) {
    const VertexStep<F> step = step_of(p, s, i);
    const Vec3<F> x = s.x[i], move = free_move(p, s, i, x, s.v[i], s.w[i], step.h);
    return {step.start, x + move - s.pull(i) * step.w, x + move, step.w};
}

// How far the segments of a vertex reach, for bodies that they may touch between two vertices.
template <class F>
struct SegmentReach {
    F length;  // m, of the longer segment
    F path;    // m, longest path of their vertices
};

template <class F>
RINGLET_KERNEL SegmentReach<F> segment_reach(const RodUniforms& p, const Strand<F>& s, int i) {
    SegmentReach<F> out = {F(0), F(0)};
    if (!p.has_thin_bodies) return out;
    for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < s.rows; ++j) {
        const VertexPath<F> path = path_of(p, s, j);
        out.path = max(out.path, norm(path.end - path.start));
        if (j <= i) out.length = max(out.length, s.length[j]);
    }
    return out;
}

// The clearance that remains after the body moves: |end - start| <= |end - x| + |x - start|. The
// constants cover rounding.
template <class F>
RINGLET_KERNEL F remaining_clearance(F clearance, F moved) {
    return (clearance - moved) * F(0.9999f) - F(1e-6f);
}

// The clearance of the segments of a vertex, from that of the vertex and its gap. A segment keeps
// no negative gap.
template <class F>
RINGLET_KERNEL F clearance_of_segments(F clearance, F gap, F length) {
    return clearance + min(gap, F(0)) - length;
}

// The largest displacement of a body in the substep within `radius` of x.
template <class F>
RINGLET_KERNEL F most_moved(const PlacedCollider& body, Vec3<F> x, F radius) {
    return body.motion_bound.max_displacement(norm(x - splat<F>(body.motion_bound.origin)) +
                                              radius);
}

// Whether a body is within reach of the path. No path shorter than `clearance` reaches one.
template <class F>
struct Nearness {
    decltype(F(0) < F(1)) reached;
    F clearance;
};

template <class F>
RINGLET_KERNEL Nearness<F> probe_bodies(const RodUniforms& p, Vec3<F> x, Vec3<F> end, F gap,
                                        const SegmentReach<F>& segments) {
    Nearness<F> out = {F(1) < F(0), F(1e9f)};
    for (int k = 0; k < p.collider_count; ++k) {
        const Vec3<F> start = moved_with(p.colliders[k], x);
        const F clearance = nearest_surface(p.colliders[k], start).distance - gap;
        out.reached = out.reached || (clearance < norm(end - start));
        out.clearance = min(out.clearance, remaining_clearance(clearance, norm(start - x)));
        if (!p.colliders[k].is_thin) continue;
        const F of_segments = clearance_of_segments(clearance, gap, segments.length);
        const F moved = most_moved(p.colliders[k], x, segments.length);
        out.reached = out.reached || (of_segments < segments.path + moved);
        out.clearance = min(out.clearance, remaining_clearance(of_segments, moved));
    }
    return out;
}

// A lower bound on the distance to the body of all points within `radius` of `centre`.
template <class F>
RINGLET_KERNEL F least_distance(const PlacedCollider& body, Vec3<F> centre, F radius) {
    if (body.shape == ColliderShape::ellipsoid) return F(-1);
    if (body.shape != ColliderShape::mesh) return nearest_surface(body, centre).distance - radius;
    // Outside the grid: the distance to the grid plus the inset of the surface.
    const Rigid<F> pose = splat_rigid<F>(body.pose);
    const Vec3<F> own = rotate(conjugate(pose.rotation), centre - pose.translation);
    const DistanceGrid& grid = body.grid;
    const Vec3<F> q = (own - splat<F>(grid.low)) * F(grid.per_cell);
    const F out = norm(q - cell_of(grid, q).closest) * F(grid.cell) - radius;
    return select(out > F(0), out + F(grid.inset), F(-1));
}

// The clearance of all vertices of the strand, from its bounding sphere. Cheap if bodies are far
// away.
template <class F>
RINGLET_KERNEL F strand_clearance(const RodUniforms& p, const Strand<F>& s) {
    Vec3<F> low = step_of(p, s, 0).start, high = low;
    F gap = s.gap[0];
    for (int i = 1; i < s.rows; ++i) {
        const Vec3<F> x = step_of(p, s, i).start;
        low = {min(low.x, x.x), min(low.y, x.y), min(low.z, x.z)};
        high = {max(high.x, x.x), max(high.y, x.y), max(high.z, x.z)};
        gap = max(gap, s.gap[i]);
    }
    if (p.has_thin_bodies) gap = max(gap, F(0));
    const Vec3<F> centre = (low + high) * F(0.5f);
    const F radius = norm(high - low) * F(0.50005f) + F(1e-6f);
    F clearance = F(1e9f);
    for (int k = 0; k < p.collider_count; ++k) {
        const PlacedCollider& body = p.colliders[k];
        if (body.grid.moves) return F(-1);
        const F distance = least_distance(body, moved_with(body, centre), radius);
        const F away = norm(centre - splat<F>(body.motion_bound.origin)) + radius;
        clearance = min(clearance, remaining_clearance(distance - gap,
                                                       body.motion_bound.max_displacement(away)));
    }
    return clearance;
}

// A lower bound on the clearance of a vertex, from a single sample of a mesh's grid; 0 or less if
// it is unknown.
template <class F>
RINGLET_KERNEL F coarse_clearance(const RodUniforms& p, Vec3<F> x, F gap, F segment_length) {
    F clearance = F(1e9f);
    for (int k = 0; k < p.collider_count; ++k) {
        const PlacedCollider& body = p.colliders[k];
        if (body.grid.moves) return F(-1);
        const Vec3<F> d = x - splat<F>(body.motion_bound.origin);
        const F distance = body.shape == ColliderShape::mesh
                               ? sample_coarsely(body.grid, body.motion_bound.to_body(d))
                               : nearest_surface(body, moved_with(body, x)).distance;
        clearance =
            min(clearance,
                remaining_clearance(distance - gap, body.motion_bound.max_displacement(norm(d))));
        if (!body.is_thin) continue;
        const F of_segments = clearance_of_segments(distance - gap, gap, segment_length);
        clearance =
            min(clearance, remaining_clearance(of_segments, most_moved(body, x, segment_length)));
    }
    return clearance;
}

// The displacement of a vertex along its path under the current forces; 0 if held. In the first
// stage, as far as it would lead until the end of the step.
template <class F>
RINGLET_KERNEL Vec3<F> predicted_move(const RodUniforms& p, const Strand<F>& s, int i) {
    const VertexStep<F> step = step_of(p, s, i);
    const Vec3<F> move = free_move(p, s, i, s.x[i], s.v[i], s.w[i], step.h);
    const Vec3<F> path = (s.x[i] - step.start) + (move - s.pull(i) * step.w);
    const F reach = F(p.stage == StepStage::first ? 1 / sdirk2::kGamma : 1.0f);
    return select(step.w > F(0), path * reach, zero_vec3<F>());
}

template <class F>
RINGLET_KERNEL decltype(F(0) < F(1)) stays_within(Vec3<F> move, F clearance) {
    const F most = max(clearance, F(0));
    return dot(move, move) < most * most;
}

RINGLET_KERNEL bool has_mesh(const RodUniforms& p) {
    bool out = false;
    for (int k = 0; k < p.collider_count; ++k)
        out = out || p.colliders[k].shape == ColliderShape::mesh;
    return out;
}

// Sets a lower bound on the clearance of every vertex; 0 or less if it is unknown. Returns whether
// no vertex of the block moves that far.
template <class F>
RINGLET_KERNEL bool find_clearances(const RodUniforms& p, const Strand<F>& s) {
    const F of_strand = strand_clearance(p, s);
    auto is_far = of_strand > F(0);
    for (int i = 0; i < s.rows; ++i)
        is_far = is_far && stays_within(predicted_move(p, s, i), of_strand);
    const bool all_far = !any(!is_far), uses_mesh = !all_far && has_mesh(p);
    for (int i = 0; i < s.rows; ++i) {
        const F clearance = uses_mesh ? coarse_clearance(p, step_of(p, s, i).start, s.gap[i],
                                                         segment_reach(p, s, i).length)
                                      : F(-1);
        s.clearance.set(i, select(is_far, of_strand, clearance));
    }
    return all_far;
}

// How deep (m) the vertex would be in a body at the end of the step if it moved on from `start` as
// in the first stage, which ends at `end`.
template <class F>
RINGLET_KERNEL F depth_ahead(const RodUniforms& p, Vec3<F> x, Vec3<F> end, F gap) {
    F depth = F(0);
    for (int k = 0; k < p.collider_count; ++k) {
        const Vec3<F> start = moved_with(p.colliders[k], x);
        const Vec3<F> ahead = start + (end - start) * F(1 / sdirk2::kGamma);
        depth = max(depth, gap - nearest_surface(p.colliders[k], ahead).distance);
    }
    return depth;
}

// The same for the segments of vertex i and thin bodies.
template <class F>
RINGLET_OUTLINED F segment_depth_ahead(const RodUniforms& p, const Strand<F>& s, int i) {
    F depth = F(0);
    for (int j = i > 0 ? i - 1 : 0; j <= i && j + 1 < s.rows; ++j) {
        const VertexPath<F> a = path_of(p, s, j), b = path_of(p, s, j + 1);
        const SegmentHit<F> hit = deepest_segment_hit<F>(
            p.colliders, p.collider_count, {a.start, b.start}, {a.end, b.end},
            max(min(s.gap[j], s.gap[j + 1]), F(0)), {.ahead = 1 / sdirk2::kGamma});
        depth = max(depth, select(s.length[j] > F(0), hit.depth, F(0)));
    }
    return depth;
}

// How many of the solves of a substep search for contacts. In the second stage the path of a vertex
// starts where it was in the first, and under the forces of an impact it may end beyond the body,
// where a second search would find planes on the wrong side.
RINGLET_KERNEL int contact_searches(const RodUniforms& p) {
    return p.stage == StepStage::second ? 1 : p.solves;
}

// Finds which vertices in [first, end) may touch a body on their path under the current forces, in
// the n-th solve of the substep. Vertices are independent of each other.
template <class F>
RINGLET_KERNEL void detect_contacts(const RodUniforms& p, const Strand<F>& s, int n, int first,
                                    int end) {
    const bool keeps_clearances = !kOnGpu && n + 1 < contact_searches(p);
    const bool is_first = p.stage == StepStage::first, is_second = p.stage == StepStage::second;
    // Falling deeper than this in the rest of the step is an impact.
    const float rest = p.h * sdirk2::kLongStage, max_depth = kRestingFall * rest * rest;
    for (int i = first; i < end; ++i) {
        const VertexStep<F> step = step_of(p, s, i);
        const Vec3<F> x = s.x[i], move = free_move(p, s, i, x, s.v[i], s.w[i], step.h),
                      back = s.pull(i) * step.w, path = (x - step.start) + (move - back);
        const Vec3<F> reach = is_first ? path * F(1 / sdirk2::kGamma) : path;
        const SegmentReach<F> segments = segment_reach(p, s, i);
        const F reach_of_segments =
            is_first ? segments.path * F(1 / sdirk2::kGamma) : segments.path;
        F clearance = kOnGpu ? F(-1) : s.clearance[i];
        auto may_touch = (step.w > F(0)) && !stays_within(reach, clearance);
        if (p.has_thin_bodies)
            may_touch = may_touch || ((step.w > F(0)) && !(reach_of_segments < clearance));
        F state = F(kFar);
        if (any(may_touch)) {
            const Nearness<F> near =
                probe_bodies(p, step.start, x + move - back, s.gap[i], segments);
            clearance = select(may_touch, near.clearance, clearance);
            state = select(may_touch && near.reached, F(kNear), F(kFar));
            // The clearance decides per vertex: it does not hold for bodies that change their
            // shape.
            const auto may_fall = may_touch && (s.anchor_body[i] < F(0)) &&
                                  !(stays_within(reach, near.clearance) &&
                                    (!p.has_thin_bodies || reach_of_segments < near.clearance));
            if (is_first && any(may_fall)) {
                F depth = depth_ahead(p, step.start, x + move - back, s.gap[i]);
                if (p.has_thin_bodies) depth = max(depth, segment_depth_ahead(p, s, i));
                state = select(may_fall && (depth > F(max_depth)), F(kDeep), state);
            }
        }
        // A vertex that takes a long step alone has an inverse mass of its own.
        const auto is_alone = step.is_long && !s.takes_long_step;
        if (is_second) state = select(is_alone && (step.w > F(0)), F(kNear), state);
        if (keeps_clearances) s.clearance.set(i, clearance);
        s.in_contact.set(i, state);
    }
}

}  // namespace ringlet::rod
