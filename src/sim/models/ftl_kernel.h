// Follow the leader (Müller, Kim, Chentanez 2012, "Fast simulation of inextensible hair and fur"):
// one substep of the strands of a block in a single pass from root to tip. The same source serves
// one lane or eight, CPU or GPU. ftl.cpp prepares the data; docs/models/ftl.md has the reasons.
//
// Each vertex follows the vertex before it, its leader, which is already in its final position: it
// moves by inertia, groomed shape and contact, and is then projected onto the sphere about the
// leader with the segment's length as radius. The reaction on the leader acts one substep later
// (`pull`).
#pragma once

#include "collide/segment_contact.h"
#include "sim/kernel_protocol.h"
#include "sim/kernels/limits.h"
#include "sim/kernels/rebound.h"
#include "sim/kernels/root_pose.h"
#include "strand/rows.h"

namespace ringlet {

// The same for every strand in a substep.
struct FtlUniforms {
    float h;             // s, length of the substep
    Vec3f acceleration;  // m/s^2, of gravity and force
    float correction;    // fraction of the correction that acts on the leader; 0: static
    float to_rest;       // fraction by which a segment approaches its groomed direction
    float bend_damping;  // fraction of its rotation relative to the centreline that is removed
    bool holds_roots;    // vertex 0 follows the head
    bool clamps_roots;   // the direction of the first segment follows the head too
    Rigidf head;         // pose at the end of the substep
    const PlacedCollider* colliders;
    int collider_count;
    bool has_thin_bodies;  // some collide with segments too (collide/segment_contact.h)
};

// The channels of one block, at vertex 0 and the first lane. Row i of a segment's channel belongs
// to the segment that ends in vertex i, so row 0 is not used.
struct FtlBlock {
    int rows;
    float* x;                     // m
    float* v;                     // m/s
    float* pull;                  // m/s^2, reaction of the next segment on the vertex
    float* last;                  // unit direction of the segment in the centreline's frame
    float* direction_change;      // change of `last` in the last substep
    const float* rest;            // m, rest vector of the segment in the centreline's frame
    const float* length;          // m; -1: no segment
    const float* gap;             // m, distance kept to bodies; null without bodies
    const float* root;            // m, one row: position of vertex 0 in the head's frame
    const float* pose;            // kPoseRows rows: pose of the skin at the root (root_pose.h)
    const float* smoothing_beta;  // one row: weight of a segment in the centreline
    float* frame;     // two rows: tangent and normal of the first segment; in the head's frame if
                      // roots are clamped, else in the world
    float* repaired;  // one row: first repaired vertex, or -1

    template <class Visit>
    RINGLET_KERNEL void visit(const Visit& visit) {
        for (float** channel : {&x, &v, &pull, &last, &direction_change})
            visit(*channel, 3, Per::row);
        visit(rest, 3, Per::row);
        visit(length, 1, Per::row);
        visit(gap, 1, Per::row);
        visit(root, 3, Per::block);
        visit(pose, kPoseRows, Per::block);
        visit(smoothing_beta, 1, Per::block);
        visit(frame, 6, Per::block);
        visit(repaired, 1, Per::block);
    }
};

namespace ftl {

// m; clearances are known up to this value. A vertex with more clearance than the length projection
// moves it needs no second contact test.
inline constexpr float kMargin = 0.002f;

// The most bodies that a vertex is moved out of in turn; bodies may overlap.
inline constexpr int kMaxSlides = 3;

template <class F>
struct Strand {
    int rows;
    Rows3<F> x, v, pull, last, direction_change, frame;
    ConstRows3<F> rest, root;
    ConstRows1<F> length, gap, smoothing_beta;
    Rows1<F> repaired;
    Rigid<F> head;  // pose of the skin at the root at the end of the substep

    RINGLET_KERNEL Strand(const FtlUniforms& p, const FtlBlock& b)
        : rows(b.rows),
          x{b.x},
          v{b.v},
          pull{b.pull},
          last{b.last},
          direction_change{b.direction_change},
          frame{b.frame},
          rest{b.rest},
          root{b.root},
          length{b.length},
          gap{b.gap},
          smoothing_beta{b.smoothing_beta},
          repaired{b.repaired},
          head(root_pose<F>(p.head, b.pose)) {}
};

template <class F>
RINGLET_KERNEL Frame<F> frame_of(Vec3<F> tangent, Vec3<F> normal) {
    return {normal, cross(tangent, normal), tangent};
}

// Parallel transport of a frame to a new tangent b. The smallest rotation from a to b takes a
// normal n of a to n - (a + b)(n.b)/(1 + a.b); for b = -a it is half a turn about n.
template <class F>
RINGLET_KERNEL Frame<F> transport_frame(const Frame<F>& f, Vec3<F> b) {
    const F across = F(1) + dot(f.tangent, b);
    const auto opposite = across < F(1e-6f);
    const Vec3<F> next = f.normal - (f.tangent + b) * (dot(f.normal, b) / max(across, F(1e-6f)));
    return frame_of(b, select(opposite, f.normal, next));
}

// The smoothed centreline of the strand, without its curls, and a frame transported along it (Iben
// et al. 2013, smoothing function and bend model): two passes of an exponential moving average of
// directions from the root on. Rest directions in this frame do not follow every bend of the
// preceding segment; see docs/models/ftl.md.
template <class F>
struct Centreline {
    Vec3<F> direction, before;
    Frame<F> frame;
};

template <class F>
RINGLET_KERNEL Centreline<F> start_centreline(const Frame<F>& frame, Vec3<F> d) {
    return {d, d, transport_frame(frame, d)};
}

// Extends the centreline by a segment with direction d. beta 1 follows every segment, 0 none.
template <class F>
RINGLET_KERNEL void extend(Centreline<F>& centreline, Vec3<F> d, F beta) {
    const F keep = F(1) - beta;
    const Vec3<F> next = centreline.direction * (F(2) * keep) - centreline.before * (keep * keep) +
                         d * (beta * beta);
    centreline.before = centreline.direction;
    centreline.direction = next;
    centreline.frame = transport_frame(centreline.frame, unit_or(next, centreline.frame.tangent));
}

// The body nearest to a position, or the one it is deepest in, if nearer than `reach`; else -1.
template <class F>
struct Nearest {
    F distance, body;
    Vec3<F> normal;
};

// Whether a sphere or capsule may be nearer than `reach`, without square roots and divisions.
template <class F>
RINGLET_KERNEL auto is_within(const PlacedCollider& body, Vec3<F> position, F reach) {
    const Vec3f axis = body.b - body.a;
    const float per_length = 1.0f / max(dot(axis, axis), kTiny);
    const Vec3<F> from = position - splat<F>(body.a);
    const F along = dot(from, splat<F>(axis)) * F(per_length);
    const Vec3<F> outward = from - splat<F>(axis) * min(max(along, F(0)), F(1));
    const F far = F(body.radius) + reach;
    return dot(outward, outward) < far * far;
}

template <class F>
RINGLET_KERNEL Nearest<F> nearest_body(const FtlUniforms& p, Vec3<F> position, F reach) {
    Nearest<F> out = {reach, F(-1), zero_vec3<F>()};
    for (int k = 0; k < p.collider_count; ++k) {
        const PlacedCollider& body = p.colliders[k];
        auto within = F(0) < F(1);
        if (body.shape == ColliderShape::capsule) within = is_within(body, position, reach);
        if (!any(within)) continue;
        const SurfacePoint<F> surface = nearest_surface(body, position);
        const auto closer = within && (surface.distance < out.distance);
        out.distance = select(closer, surface.distance, out.distance);
        out.normal = select(closer, surface.normal, out.normal);
        out.body = select(closer, F(static_cast<float>(k)), out.body);
    }
    return out;
}

// The contact of a vertex with a body.
template <class F>
struct Contact {
    Vec3<F> moved;              // m, by push and friction
    F clearance;                // m, before the contact
    Vec3<F> normal, body_move;  // body_move: displacement of the body at the vertex
    F push;                     // m, along the normal
    F rebound;                  // m/s, least speed at which it leaves the body
};

template <class F>
RINGLET_KERNEL Contact<F> no_contact() {
    const Vec3<F> zero = zero_vec3<F>();
    return {zero, F(0), zero, zero, F(0), F(0)};
}

// Moves a vertex out of the body it is deepest in and reduces its tangential displacement relative
// to the body by at most mu times that push (Coulomb). `x` is the old position, x + u the predicted
// one. The clearance is exact up to `margin`.
template <class F>
RINGLET_KERNEL Contact<F> find_contact(const FtlUniforms& p, Vec3<F> x, Vec3<F> u, F gap,
                                       F margin) {
    const Vec3<F> zero = zero_vec3<F>();
    const Nearest<F> near = nearest_body(p, x + u, gap + margin);
    const F clearance = near.distance - gap;
    const F push = max(-clearance, F(0));
    Contact<F> out = {zero, clearance, near.normal, zero, push, F(0)};
    const auto touches = push > F(0);
    if (!any(touches)) return out;
    F friction = F(0), restitution = F(0);
    for (int k = 0; k < p.collider_count; ++k) {
        const PlacedCollider& body = p.colliders[k];
        const auto is_this = touches && (abs(near.body - F(static_cast<float>(k))) < F(0.5f));
        if (!any(is_this)) continue;
        friction = select(is_this, F(body.friction), friction);
        restitution = select(is_this, F(body.restitution), restitution);
        out.body_move = select(is_this, moved_with(body, x) - x, out.body_move);
    }
    const Vec3<F> n = near.normal, push_vector = n * push, moved = u + push_vector - out.body_move;
    const Vec3<F> slip = moved - n * dot(n, moved);
    const F stopped = min(friction * push / max(norm(slip), F(kTiny)), F(1));
    out.moved = select(touches, push_vector - slip * stopped, zero);
    out.rebound = rebound_speed(restitution, dot(n, out.body_move - u) * F(1 / p.h), p.h);
    return out;
}

// Rotates a segment e of length l about the leader until its end is outside all bodies. The tangent
// plane of the body determines the component c of e along the normal; the rest of e keeps its
// direction and gets the remaining length. If c > l, no rotation suffices, and e points straight
// out.
template <class F>
RINGLET_KERNEL Vec3<F> rotate_out(const FtlUniforms& p, Vec3<F> leader, Vec3<F> e, F l, F gap) {
    for (int n = 0; n < kMaxSlides; ++n) {
        const Nearest<F> near = nearest_body(p, leader + e, gap);
        const F push = gap - near.distance;
        const auto inside = push > F(0);
        if (!any(inside)) break;
        const F height = dot(near.normal, e), c = min(height + push, l);
        const Vec3<F> along = unit_or(e - near.normal * height, perpendicular(near.normal));
        const Vec3<F> rotated = near.normal * c + along * sqrt(max(l * l - c * c, F(0)));
        e = select(inside, rotated, e);
    }
    return e;
}

// The least distance of a contact from the leader, relative to the segment, for which a rotation
// about the leader resolves it at once.
inline constexpr float kMinLever = 0.75f;

// Rotates a segment e of length l about the leader until it does not cross a thin body on its way
// from `before`, where it was at the start of the substep.
template <class F>
RINGLET_OUTLINED Vec3<F> rotate_segment_out(const FtlUniforms& p, const SegmentEnds<F>& before,
                                            Vec3<F> leader, Vec3<F> e, F l, F gap) {
    for (int n = 0; n < kMaxSlides; ++n) {
        const SegmentHit<F> hit = deepest_segment_hit<F>(p.colliders, p.collider_count, before,
                                                         {leader, leader + e}, gap, {});
        const auto inside = (hit.depth > F(0)) && (l > F(kTiny));
        if (!any(inside)) break;
        const F height = dot(hit.normal, e);
        const F c = min(height + hit.depth / max(hit.s, F(kMinLever)), l);
        const Vec3<F> along = unit_or(e - hit.normal * height, perpendicular(hit.normal));
        const Vec3<F> rotated = hit.normal * c + along * sqrt(max(l * l - c * c, F(0)));
        e = select(inside, rotated, e);
    }
    return e;
}

// Moves both ends of the segment that ends in vertex i out of a thin body where no
// rotation did, which changes lengths for this substep, and removes their velocity towards it.
// Returns the new position of vertex i. `before` is the segment at the start of the substep.
template <class F>
RINGLET_OUTLINED Vec3<F> push_segment_out(const FtlUniforms& p, const Strand<F>& s, int i,
                                          const SegmentEnds<F>& before) {
    const SegmentEnds<F> now = {s.x[i - 1], s.x[i]};
    const F gap = max(min(s.gap[i - 1], s.gap[i]), F(0));
    const SegmentHit<F> hit =
        deepest_segment_hit<F>(p.colliders, p.collider_count, before, now, gap, {});
    const auto inside = (hit.depth > F(0)) && (s.length[i] > hit.kept);
    if (!any(inside)) return now.b;
    const F w_a = F(i == 1 && p.holds_roots ? 0.0f : 1.0f), w_b = F(1);
    Vec3<F> body_move = zero_vec3<F>();
    for (int k = 0; k < p.collider_count; ++k) {
        const auto is_this = abs(hit.body - F(static_cast<float>(k))) < F(0.5f);
        const Vec3<F> x = before.at(hit.s);
        body_move = select(is_this, moved_with(p.colliders[k], x) - x, body_move);
    }
    const SegmentEnds<F> v = {s.v[i - 1], s.v[i]};
    const F approach = dot(hit.normal, body_move * F(1 / p.h) - v.at(hit.s));
    const F per_force = select(inside, hit.force_for(F(1), w_a, w_b), F(0));
    const Vec3<F> push = hit.normal * (hit.depth * per_force);
    const Vec3<F> stop = hit.normal * (max(approach, F(0)) * per_force);
    const F a = w_a * hit.weight_a(), b = w_b * hit.weight_b();
    s.x.set(i - 1, now.a + push * a);
    s.x.set(i, now.b + push * b);
    s.v.set(i - 1, v.a + stop * a);
    s.v.set(i, v.b + stop * b);
    return now.b + push * b;
}

// v += (u - h v)/h rather than v = u/h: a vertex without corrections keeps its velocity exactly.
// The push out of a body adds no velocity, but the vertex may bounce.
template <class F>
RINGLET_KERNEL Vec3<F> velocity_after(const FtlUniforms& p, Vec3<F> v, Vec3<F> u,
                                      const Contact<F>& contact) {
    const F rate = F(1 / p.h);
    const F outwards = min(dot(contact.normal, u - contact.body_move), contact.push);
    const Vec3<F> next = v + (u - v * F(p.h) - contact.normal * max(outwards, F(0))) * rate;
    const F leaving = dot(contact.normal, next - contact.body_move * rate);
    const auto bounces = contact.rebound > F(0);
    return select(bounces, next + contact.normal * max(contact.rebound - leaving, F(0)), next);
}

// Moves vertex 0, which is held by the head or free. Returns its new position.
template <class F>
RINGLET_KERNEL Vec3<F> move_root(const FtlUniforms& p, const Strand<F>& s) {
    const Vec3<F> zero = zero_vec3<F>(), x = s.x[0];
    if (p.holds_roots) {
        const Vec3<F> position = apply(s.head, s.root[0]);
        const Vec3<F> v = (position - x) * F(1 / p.h);
        s.x.set(0, position);
        s.v.set(0, select(norm(v) < F(1e9f), v, zero));
        return position;
    }
    const Vec3<F> v = s.v[0] + splat<F>(p.acceleration) * F(p.h);
    Vec3<F> u = v * F(p.h) + s.pull[0] * F(p.h * p.h);
    Contact<F> contact = no_contact<F>();
    if (p.collider_count > 0) contact = find_contact(p, x, u, s.gap[0], F(0));
    u += contact.moved;
    const Vec3<F> next_v = velocity_after(p, v, u, contact), position = x + u;
    const auto sane = (norm(next_v) < F(kMaxSpeed)) && (norm(position) < F(kMaxCoordinate));
    const Vec3<F> kept = select(norm(x) < F(kMaxCoordinate), x, zero);
    s.repaired.set(0, select(sane, s.repaired[0], max(s.repaired[0], F(0))));
    s.v.set(0, select(sane, next_v, zero));
    s.x.set(0, select(sane, position, kept));
    return s.x[0];
}

// The frame of the first segment: held by the head, or as in the last substep.
template <class F>
RINGLET_KERNEL Frame<F> first_frame(const FtlUniforms& p, const Strand<F>& s) {
    Vec3<F> tangent = s.frame[0], normal = s.frame[1];
    if (p.clamps_roots) {
        const Quat<F> turn = s.head.rotation;
        tangent = rotate(turn, tangent);
        normal = rotate(turn, normal);
    }
    tangent = unit_or(tangent, Vec3<F>{F(0), F(-1), F(0)});
    return frame_of(tangent,
                    unit_or(normal - tangent * dot(tangent, normal), perpendicular(tangent)));
}

// The displacement of a vertex before the length projection. Displacements are kept separate from
// positions, whose larger rounding errors would appear as velocities.
template <class F>
struct TargetMove {
    Vec3<F> free;  // by inertia and gravity
    Vec3<F> bent;  // also by the pull to the groomed direction
};

// `apart` points from the leader's new position to the vertex. Damping removes a fraction of the
// rotation relative to the centreline in the last substep, which is zero if the strand rests, falls
// or rotates as a whole.
template <class F>
RINGLET_KERNEL TargetMove<F> target_move(const FtlUniforms& p, const Strand<F>& s, int i,
                                         Vec3<F> apart, Vec3<F> v,
                                         const Centreline<F>& centreline) {
    Vec3<F> free = v * F(p.h) + s.pull[i] * F(p.h * p.h);
    if (i == 1) return {free, free};
    free -= to_world(centreline.frame, s.direction_change[i]) * (s.length[i] * F(p.bend_damping));
    const Vec3<F> rest = to_world(centreline.frame, s.rest[i]);
    return {free, free + (rest - (apart + free)) * F(p.to_rest)};
}

// Moves vertex i and returns its new position. `leader` is the new position of the vertex before
// it, `leader_before` its old one, `centreline` extends up to there; sets `direction` to that of
// the segment. kThin: some bodies are thin.
template <bool kThin, class F>
RINGLET_KERNEL Vec3<F> follow(const FtlUniforms& p, const Strand<F>& s, int i, Vec3<F> leader,
                              Vec3<F> leader_before, const Centreline<F>& centreline,
                              Vec3<F>& direction) {
    const Vec3<F> zero = zero_vec3<F>(), x = s.x[i], along = centreline.frame.tangent;
    const F l = s.length[i];
    const auto active = l >= F(0), has_length = l > F(kTiny);
    const bool is_clamped = i == 1 && p.clamps_roots;
    const Vec3<F> v = s.v[i] + splat<F>(p.acceleration) * F(p.h);
    const auto sane = norm(v) + norm(x) + norm(s.pull[i]) * F(p.h) < F(kMaxCoordinate);
    const Vec3<F> apart = select(sane, x - leader, along * l);
    TargetMove<F> target = target_move(p, s, i, apart, v, centreline);
    target = {select(sane, target.free, zero), select(sane, target.bent, zero)};
    Contact<F> contact = no_contact<F>();
    if (p.collider_count > 0 && !is_clamped)
        contact = find_contact(p, leader + apart, target.bent, s.gap[i], F(kMargin));

    // Projects onto the sphere about the leader. The correction, without contact, acts back on the
    // leader: s_damping times -d/h^2, which is the velocity correction of Müller et al. 2012.
    Vec3<F> u = target.bent + contact.moved;
    const Vec3<F> e = apart + u;
    Vec3<F> d = select(has_length, unit_or(e, along), along);
    if (is_clamped) d = along;
    u = select(has_length, u + d * (l - norm(e)), d * l - apart);
    if (is_clamped) u = d * l - apart;
    const Vec3<F> correction = u - (target.free + contact.moved);
    if (p.collider_count > 0 && !is_clamped) {
        // A distance changes by no more than the position, so most vertices need no second test.
        const auto near = (contact.clearance - norm(u - target.bent) < F(0)) && has_length;
        if (any(near)) {
            const Vec3<F> out = rotate_out(p, leader, d * l, l, s.gap[i]);
            d = select(near, unit_or(out, d), d);
            u = select(near, d * l - apart, u);
        }
    }
    if (kThin && !is_clamped) {
        const F gap = max(min(s.gap[i - 1], s.gap[i]), F(0));
        const Vec3<F> e_free = d * l;
        const Vec3<F> out = rotate_segment_out(p, {leader_before, x}, leader, e_free, l, gap);
        const auto rotated = dot(out - e_free, out - e_free) > F(0);
        d = select(rotated, unit_or(out, d), d);
        u = select(rotated, d * l - apart, u);
    }
    const Vec3<F> position = leader + d * l, next_v = velocity_after(p, v, u, contact);
    const auto moves_well = sane && (norm(next_v) < F(kMaxSpeed));

    const F row = F(static_cast<float>(i)), before = s.repaired[0];
    s.repaired.set(0, select(moves_well || !active || (before >= F(0)), before, row));
    s.x.set(i, select(active, position, x));
    s.v.set(i, select(moves_well && active, next_v, zero));
    const F share = F(-p.correction / (p.h * p.h));
    s.pull.set(i - 1, select(moves_well && active, correction * share, zero));
    const Vec3<F> local = to_local(centreline.frame, d);
    s.direction_change.set(i, select(moves_well && active, local - s.last[i], zero));
    s.last.set(i, local);
    direction = d;
    return position;
}

// Moves a strand. Bodies that are not thin have code of their own, because that for segments slows
// it down by 1.4 %.
template <bool kThin, class F>
RINGLET_KERNEL void move_strand(const FtlUniforms& p, const Strand<F>& s) {
    Vec3<F> leader_before = zero_vec3<F>();
    if constexpr (kThin) leader_before = s.x[0];
    Vec3<F> leader = move_root(p, s);
    const Frame<F> frame = first_frame(p, s);
    const F beta = s.smoothing_beta[0];
    Centreline<F> centreline = start_centreline(frame, frame.tangent);
    Vec3<F> d = frame.tangent;
    for (int i = 1; i < s.rows; ++i) {
        const Vec3<F> x = s.x[i];
        leader = follow<kThin>(p, s, i, leader, leader_before, centreline, d);
        if constexpr (kThin) {
            leader = push_segment_out(p, s, i, {leader_before, x});
            leader_before = x;
        }
        if (i > 1) {
            extend(centreline, d, beta);
            continue;
        }
        centreline = start_centreline(frame, d);
        if (p.clamps_roots) continue;
        s.frame.set(0, centreline.frame.tangent);
        s.frame.set(1, centreline.frame.normal);
    }
}

// Not inlined: in one function with the other, both take 67 % more instructions.
template <class F>
RINGLET_OUTLINED void move_strand_among_thin_bodies(const FtlUniforms& p, const Strand<F>& s) {
    move_strand<true>(p, s);
}

}  // namespace ftl

struct FtlKernel : KernelDefaults {
    using Uniforms = FtlUniforms;
    using Block = FtlBlock;

    // Segments that collide with thin bodies are a variant, so that they cost nothing elsewhere.
    static constexpr int kVariants = 2;
    static int variant_of(const FtlUniforms& p) { return p.has_thin_bodies ? 1 : 0; }
    RINGLET_KERNEL static void fix_variant(FtlUniforms& p, int variant) {
        p.has_thin_bodies = variant == 1;
    }

    template <class F>
    RINGLET_KERNEL static void substep(const FtlUniforms& p, const FtlBlock& block) {
        const ftl::Strand<F> s(p, block);
        if (p.has_thin_bodies)
            ftl::move_strand_among_thin_bodies(p, s);
        else
            ftl::move_strand<false>(p, s);
    }
};

}  // namespace ringlet
