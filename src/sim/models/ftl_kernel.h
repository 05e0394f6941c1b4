// Follow the leader (Müller, Kim, Chentanez 2012, "Fast simulation of inextensible hair and fur"):
// one substep of the strands of a block in a single pass from root to tip. The same text for one
// lane or eight, CPU or GPU. ftl.cpp prepares what it works on; docs/models/ftl.md has the reasons.
//
// Each vertex follows the one before it, its leader, which no longer moves: it goes where inertia,
// groomed shape and bodies want it, then onto the sphere of the segment's length about the leader.
// What its leader should have felt of that correction acts on it one substep later (`pull`).
#pragma once

#include "collide/collider.h"
#include "sim/kernel_protocol.h"
#include "sim/kernels/limits.h"
#include "sim/kernels/rebound.h"
#include "sim/kernels/root_pose.h"
#include "strand/rows.h"

namespace ringlet {

// What is the same for every strand in a substep.
struct FtlUniforms {
    float h;             // s, length of the substep
    Vec3f acceleration;  // m/s^2, of gravity and force
    float correction;    // share of a segment's pull that its leader feels; 0: static
    float to_rest;       // share of the way to its groomed direction that a segment is pulled
    float bend_damping;  // share of its turning relative to the strand before it that is taken
    bool holds_roots;    // vertex 0 follows the head
    bool clamps_roots;   // ... and so does the first segment's direction
    Rigidf head;         // pose at the end of the substep
    const PlacedCollider* colliders;
    int collider_count;
};

// The channels of one block, from vertex 0 and the first lane concerned. Row i of what belongs to a
// segment is about the one that ends in vertex i, so row 0 is not used.
struct FtlBlock {
    int rows;
    float* x;                // m
    float* v;                // m/s
    float* pull;             // m/s^2, of the next segment on the vertex
    float* last;             // unit vector, direction of the segment in the core's frame
    float* turned;           // ... and by how much it changed in the last substep
    const float* rest;       // m, where the segment is drawn to in the core's frame before it
    const float* length;     // m; -1 where there is no segment
    const float* gap;        // m, kept to bodies; null where there are none
    const float* root;       // m, one row: place of vertex 0 in the head's own frame
    const float* pose;       // kPoseRows rows, of the skin under the root (root_pose.h)
    const float* sharpness;  // one row: beta of the smoothed curve
    float* frame;            // two rows: tangent and normal of the first segment, in the head's own
                             // frame where roots are clamped, else in the world and carried along
    float* repaired;         // one row: first vertex whose numbers had to be repaired, or -1

    template <class Visit>
    RINGLET_KERNEL void visit(const Visit& visit) {
        for (float** channel : {&x, &v, &pull, &last, &turned}) visit(*channel, 3, Per::row);
        visit(rest, 3, Per::row);
        visit(length, 1, Per::row);
        visit(gap, 1, Per::row);
        visit(root, 3, Per::block);
        visit(pose, kPoseRows, Per::block);
        visit(sharpness, 1, Per::block);
        visit(frame, 6, Per::block);
        visit(repaired, 1, Per::block);
    }
};

namespace ftl {

// m; up to here it is known how far a vertex is from touching. One that is farther away, and that
// its length moves by less, need not be looked at again.
inline constexpr float kMargin = 0.002f;

// How often a vertex is moved along a body's surface: bodies overlap.
inline constexpr int kSlides = 3;

template <class F>
struct Strand {
    int rows;
    Rows3<F> x, v, pull, last, turned, frame;
    ConstRows3<F> rest, root;
    ConstRows1<F> length, gap, sharpness;
    Rows1<F> repaired;
    Rigid<F> head;  // pose of the skin at the root at the end of the substep

    RINGLET_KERNEL Strand(const FtlUniforms& p, const FtlBlock& b)
        : rows(b.rows),
          x{b.x},
          v{b.v},
          pull{b.pull},
          last{b.last},
          turned{b.turned},
          frame{b.frame},
          rest{b.rest},
          root{b.root},
          length{b.length},
          gap{b.gap},
          sharpness{b.sharpness},
          repaired{b.repaired},
          head(root_pose<F>(p.head, b.pose)) {}
};

template <class F>
RINGLET_KERNEL Frame<F> frame_of(Vec3<F> tangent, Vec3<F> normal) {
    return {normal, cross(tangent, normal), tangent};
}

// Parallel transport of a frame to a new tangent b. For a normal across a, the smallest rotation
// from a to b is n - (a + b)(n.b)/(1 + a.b). Half a turn, about n, where b = -a.
template <class F>
RINGLET_KERNEL Frame<F> carry_on(const Frame<F>& f, Vec3<F> b) {
    const F across = F(1) + dot(f.tangent, b);
    const auto opposite = across < F(1e-6f);
    const Vec3<F> next = f.normal - (f.tangent + b) * (dot(f.normal, b) / max(across, F(1e-6f)));
    return frame_of(b, select(opposite, f.normal, next));
}

// The strand with its curls smoothed away, and a frame carried along it (Iben et al. 2013,
// smoothing function and bend model): twice a moving average of directions from the root on.
// Groomed directions in this frame do not turn with every wiggle of the segment before; see
// docs/models/ftl.md.
template <class F>
struct Core {
    Vec3<F> direction, before;
    Frame<F> frame;
};

template <class F>
RINGLET_KERNEL Core<F> start_core(const Frame<F>& frame, Vec3<F> d) {
    return {d, d, carry_on(frame, d)};
}

// Past the next segment, whose direction is d. beta: 1 follows every segment, 0 none.
template <class F>
RINGLET_KERNEL void go_on(Core<F>& core, Vec3<F> d, F beta) {
    const F keep = F(1) - beta;
    const Vec3<F> next =
        core.direction * (F(2) * keep) - core.before * (keep * keep) + d * (beta * beta);
    core.before = core.direction;
    core.direction = next;
    core.frame = carry_on(core.frame, unit_or(next, core.frame.tangent));
}

// The body a place is deepest in or nearest to, if any is nearer than `reach`; else -1 and `reach`.
template <class F>
struct Nearest {
    F distance, body;
    Vec3<F> normal;
};

// Whether a sphere or capsule may be nearer than `reach`, without a root or a division: most are
// not.
template <class F>
RINGLET_KERNEL auto is_within(const PlacedCollider& body, Vec3<F> place, F reach) {
    const Vec3f axis = body.b - body.a;
    const float per_length = 1.0f / max(dot(axis, axis), kTiny);
    const Vec3<F> from = place - splat<F>(body.a);
    const F along = dot(from, splat<F>(axis)) * F(per_length);
    const Vec3<F> outward = from - splat<F>(axis) * min(max(along, F(0)), F(1));
    const F far = F(body.radius) + reach;
    return dot(outward, outward) < far * far;
}

template <class F>
RINGLET_KERNEL Nearest<F> nearest_body(const FtlUniforms& p, Vec3<F> place, F reach) {
    Nearest<F> out = {reach, F(-1), zero_vec3<F>()};
    for (int k = 0; k < p.collider_count; ++k) {
        const PlacedCollider& body = p.colliders[k];
        auto within = F(0) < F(1);
        if (body.shape == ColliderShape::sphere || body.shape == ColliderShape::capsule)
            within = is_within(body, place, reach);
        if (!any(within)) continue;
        const SurfacePoint<F> surface = nearest_surface(body, place);
        const auto closer = within && (surface.distance < out.distance);
        out.distance = select(closer, surface.distance, out.distance);
        out.normal = select(closer, surface.normal, out.normal);
        out.body = select(closer, F(static_cast<float>(k)), out.body);
    }
    return out;
}

// A vertex against bodies: what it was moved by, how far it was from touching, and how far along
// the normal it was pushed.
template <class F>
struct Touch {
    Vec3<F> moved;
    F clearance;
    Vec3<F> normal, ride;  // ride: what the body's own motion moves the vertex by
    F push;
    F rebound;  // m/s, at which it leaves the body at least
};

template <class F>
RINGLET_KERNEL Touch<F> no_touch() {
    const Vec3<F> zero = zero_vec3<F>();
    return {zero, F(0), zero, zero, F(0), F(0)};
}

// Out of the body it is deepest in; the tangential move relative to the body then shrinks by at
// most mu times that push (Coulomb). `x` is where the vertex was, x + u where it is to go.
// Clearance is told up to `margin`.
template <class F>
RINGLET_KERNEL Touch<F> touch(const FtlUniforms& p, Vec3<F> x, Vec3<F> u, F gap, F margin) {
    const Vec3<F> zero = zero_vec3<F>();
    const Nearest<F> near = nearest_body(p, x + u, gap + margin);
    const F clearance = near.distance - gap;
    const F push = max(-clearance, F(0));
    Touch<F> out = {zero, clearance, near.normal, zero, push, F(0)};
    const auto touches = push > F(0);
    if (!any(touches)) return out;
    F friction = F(0), restitution = F(0);
    for (int k = 0; k < p.collider_count; ++k) {
        const PlacedCollider& body = p.colliders[k];
        const auto mine = touches && (abs(near.body - F(static_cast<float>(k))) < F(0.5f));
        if (!any(mine)) continue;
        friction = select(mine, F(body.friction), friction);
        restitution = select(mine, F(body.restitution), restitution);
        out.ride = select(mine, moved_with(body, x) - x, out.ride);
    }
    const Vec3<F> n = near.normal, out_of_it = n * push, moved = u + out_of_it - out.ride;
    const Vec3<F> slip = moved - n * dot(n, moved);
    const F stopped = min(friction * push / max(norm(slip), F(kTiny)), F(1));
    out.moved = select(touches, out_of_it - slip * stopped, zero);
    out.rebound = rebound_speed(restitution, dot(n, out.ride - u) * F(1 / p.h), p.h);
    return out;
}

// Turns a segment e of length l about the leader until its end is outside bodies. In the plane
// that touches the body, e has a known height c, and a known length is left for the rest of it;
// bodies are convex, so beyond that plane is outside. Where c > l no turn helps: straight out.
template <class F>
RINGLET_KERNEL Vec3<F> turn_out(const FtlUniforms& p, Vec3<F> leader, Vec3<F> e, F l, F gap) {
    for (int n = 0; n < kSlides; ++n) {
        const Nearest<F> near = nearest_body(p, leader + e, gap);
        const F push = gap - near.distance;
        const auto inside = push > F(0);
        if (!any(inside)) break;
        const F height = dot(near.normal, e), c = min(height + push, l);
        const Vec3<F> along = unit_or(e - near.normal * height, perpendicular(near.normal));
        const Vec3<F> turned = near.normal * c + along * sqrt(max(l * l - c * c, F(0)));
        e = select(inside, turned, e);
    }
    return e;
}

// v += (u - h v)/h rather than v = u/h: a vertex that nothing moved keeps its velocity exactly.
// What a contact pushed out of a body does not fly on from there, but it may bounce.
template <class F>
RINGLET_KERNEL Vec3<F> velocity_after(const FtlUniforms& p, Vec3<F> v, Vec3<F> u,
                                      const Touch<F>& touch) {
    const F rate = F(1 / p.h);
    const F outwards = min(dot(touch.normal, u - touch.ride), touch.push);
    const Vec3<F> next = v + (u - v * F(p.h) - touch.normal * max(outwards, F(0))) * rate;
    const F leaving = dot(touch.normal, next - touch.ride * rate);
    const auto bounces = touch.rebound > F(0);
    return select(bounces, next + touch.normal * max(touch.rebound - leaving, F(0)), next);
}

// Vertex 0: on the head, or free. Returns where it now is.
template <class F>
RINGLET_KERNEL Vec3<F> lead(const FtlUniforms& p, const Strand<F>& s) {
    const Vec3<F> zero = zero_vec3<F>(), x = s.x[0];
    if (p.holds_roots) {
        const Vec3<F> place = apply(s.head, s.root[0]);
        const Vec3<F> v = (place - x) * F(1 / p.h);
        s.x.set(0, place);
        s.v.set(0, select(norm(v) < F(1e9f), v, zero));
        return place;
    }
    const Vec3<F> v = s.v[0] + splat<F>(p.acceleration) * F(p.h);
    Vec3<F> u = v * F(p.h) + s.pull[0] * F(p.h * p.h);
    Touch<F> contact = no_touch<F>();
    if (p.collider_count > 0) contact = touch(p, x, u, s.gap[0], F(0));
    u += contact.moved;
    const Vec3<F> next_v = velocity_after(p, v, u, contact), place = x + u;
    const auto sane = (norm(next_v) < F(kMaxSpeed)) && (norm(place) < F(kMaxCoordinate));
    const Vec3<F> kept = select(norm(x) < F(kMaxCoordinate), x, zero);
    s.repaired.set(0, select(sane, s.repaired[0], max(s.repaired[0], F(0))));
    s.v.set(0, select(sane, next_v, zero));
    s.x.set(0, select(sane, place, kept));
    return s.x[0];
}

// The frame of the first segment where the head holds it; else as it last was.
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

// What vertex i would move by without its segment's length. Moves are kept apart from places, which
// are so much larger that their rounding would be felt as a velocity.
template <class F>
struct Wish {
    Vec3<F> free;  // by inertia and gravity
    Vec3<F> bent;  // ... and drawn to the groomed direction
};

// `apart` is from the leader's new place to the vertex. Damping takes from it what turned the
// segment against the core in the last substep: nothing where a strand rests, falls or turns as a
// whole.
template <class F>
RINGLET_KERNEL Wish<F> wish(const FtlUniforms& p, const Strand<F>& s, int i, Vec3<F> apart,
                            Vec3<F> v, const Core<F>& core) {
    Vec3<F> free = v * F(p.h) + s.pull[i] * F(p.h * p.h);
    if (i == 1) return {free, free};
    free -= to_world(core.frame, s.turned[i]) * (s.length[i] * F(p.bend_damping));
    const Vec3<F> rest = to_world(core.frame, s.rest[i]);
    return {free, free + (rest - (apart + free)) * F(p.to_rest)};
}

// Moves vertex i to where its leader, now at `leader`, lets it be, and returns that. `core` is of
// the strand up to the leader; `direction` becomes that of the segment.
template <class F>
RINGLET_KERNEL Vec3<F> follow(const FtlUniforms& p, const Strand<F>& s, int i, Vec3<F> leader,
                              const Core<F>& core, Vec3<F>& direction) {
    const Vec3<F> zero = zero_vec3<F>(), x = s.x[i], along = core.frame.tangent;
    const F l = s.length[i];
    const auto active = l >= F(0), has_length = l > F(kTiny);
    const bool is_clamped = i == 1 && p.clamps_roots;
    const Vec3<F> v = s.v[i] + splat<F>(p.acceleration) * F(p.h);
    const auto sane = norm(v) + norm(x) + norm(s.pull[i]) * F(p.h) < F(kMaxCoordinate);
    const Vec3<F> apart = select(sane, x - leader, along * l);
    Wish<F> wanted = wish(p, s, i, apart, v, core);
    wanted = {select(sane, wanted.free, zero), select(sane, wanted.bent, zero)};
    Touch<F> contact = no_touch<F>();
    if (p.collider_count > 0 && !is_clamped)
        contact = touch(p, leader + apart, wanted.bent, s.gap[i], F(kMargin));

    // Onto the sphere about the leader. The correction, but not what bodies did, acts back on the
    // leader: s_damping times -d/h^2, which is the velocity correction of Müller et al. 2012.
    Vec3<F> u = wanted.bent + contact.moved;
    const Vec3<F> e = apart + u;
    Vec3<F> d = select(has_length, unit_or(e, along), along);
    if (is_clamped) d = along;
    u = select(has_length, u + d * (l - norm(e)), d * l - apart);
    if (is_clamped) u = d * l - apart;
    const Vec3<F> correction = u - (wanted.free + contact.moved);
    if (p.collider_count > 0 && !is_clamped) {
        // A distance changes by no more than the place does: most vertices need no second look.
        const auto near = (contact.clearance - norm(u - wanted.bent) < F(0)) && has_length;
        if (any(near)) {
            const Vec3<F> out = turn_out(p, leader, d * l, l, s.gap[i]);
            d = select(near, unit_or(out, d), d);
            u = select(near, d * l - apart, u);
        }
    }
    const Vec3<F> place = leader + d * l, next_v = velocity_after(p, v, u, contact);
    const auto moves_well = sane && (norm(next_v) < F(kMaxSpeed));

    const F row = F(static_cast<float>(i)), before = s.repaired[0];
    s.repaired.set(0, select(moves_well || !active || (before >= F(0)), before, row));
    s.x.set(i, select(active, place, x));
    s.v.set(i, select(moves_well && active, next_v, zero));
    const F share = F(-p.correction / (p.h * p.h));
    s.pull.set(i - 1, select(moves_well && active, correction * share, zero));
    const Vec3<F> local = to_local(core.frame, d);
    s.turned.set(i, select(moves_well && active, local - s.last[i], zero));
    s.last.set(i, local);
    direction = d;
    return place;
}

}  // namespace ftl

struct FtlKernel : KernelDefaults {
    using Uniforms = FtlUniforms;
    using Block = FtlBlock;

    template <class F>
    RINGLET_KERNEL static void substep(const FtlUniforms& p, const FtlBlock& block) {
        const ftl::Strand<F> s(p, block);
        Vec3<F> leader = ftl::lead(p, s);
        const Frame<F> frame = ftl::first_frame(p, s);
        const F beta = s.sharpness[0];
        ftl::Core<F> core = ftl::start_core(frame, frame.tangent);
        Vec3<F> d = frame.tangent;
        for (int i = 1; i < s.rows; ++i) {
            leader = ftl::follow(p, s, i, leader, core, d);
            if (i > 1) {
                ftl::go_on(core, d, beta);
                continue;
            }
            core = ftl::start_core(frame, d);
            if (p.clamps_roots) continue;
            s.frame.set(0, core.frame.tangent);
            s.frame.set(1, core.frame.normal);
        }
    }
};

}  // namespace ringlet
