// Position based dynamics of hair (Müller et al. 2007): one substep of the strands of a block, the
// same text for one lane or eight, CPU or GPU. pbd.cpp prepares what it works on.
#pragma once

#include "collide/collider.h"
#include "sim/kernels/constraints.h"
#include "sim/kernels/rigid_damping.h"
#include "sim/kernels/root_pose.h"
#include "strand/rows.h"

namespace ringlet {

struct PbdPairUniforms {
    int span;         // 0: from the first vertex to the last
    float stiffness;  // per iteration
};

// What is the same for every strand in a substep.
struct PbdUniforms {
    float h;  // s, length of the substep
    int iterations;
    Vec3f gravity, force;
    float rigid_damping;      // 1 - e^{-c h} of everything but the rigid motion
    float stretch_stiffness;  // per iteration, corrected where asked for
    float bend_stiffness;
    int bend_chunk;
    bool has_goals;     // some vertex is drawn to its groomed place
    int first_free;     // vertices before it are held by the head
    int placed_rows;    // vertices whose groomed place is known
    int length_solves;  // direct solves of all lengths after the iterations
    Rigidf head;        // pose at the end of the substep
    const PlacedCollider* colliders;
    int collider_count;
    const PbdPairUniforms* pairs;
    int pair_count;
};

inline constexpr int kMaxPbdPairs = 8;
// m; a body that near beyond the gap may be met within a substep.
inline constexpr float kPbdReach = 0.02f;
// m above its plane a vertex still touches it.
inline constexpr float kPbdTouch = 1e-6f;

// Relative stretch no strand keeps whose lengths are solved for.
inline constexpr float kPbdGuardStretch = 0.01f;

// What a vertex needs only within a substep, floats per lane: displacement, contact, length solve.
inline constexpr int kPbdScratch = 9;

// The channels of one block, from vertex 0 and the first lane concerned; null where the settings
// make no use of them.
struct PbdBlock {
    int rows;
    float* x;             // m
    float* v;             // m/s
    const float* w;       // 1/kg, one row: inverse mass of a free vertex
    const float* end;     // one row: vertices from this on are not free; held tip, or padding
    const float* place;   // m, groomed place in the head's own frame
    const float* pose;    // kPoseRows rows, of the skin under the root (root_pose.h)
    const float* length;  // m, to the next vertex; -1 where there is none
    const float* goal;    // per iteration, how much the vertex is drawn to its groomed place
    const float* gap;     // m, kept to bodies
    const float* bend;    // rad, rest angle at the vertex; -1 where none is kept
    const float* pair[kMaxPbdPairs];  // m, to the vertex `span` on; -1 where there is none
    float* scratch;                   // rows * kPbdScratch
    float* repaired;  // one row: first vertex whose numbers had to be repaired, or -1
};

// The block seen from its lane-th strand on.
RINGLET_KERNEL PbdBlock from_lane(PbdBlock block, int lane) {
    float** moving[] = {&block.x, &block.v, &block.scratch, &block.repaired};
    for (float** at : moving) *at += lane;
    const float** fixed[] = {&block.w,      &block.end,  &block.place, &block.pose,
                             &block.length, &block.goal, &block.gap,   &block.bend};
    for (const float** at : fixed) *at += *at ? lane : 0;
    for (const float*& at : block.pair) at += at ? lane : 0;
    return block;
}

namespace pbd {

// Inverse masses: one number for the free vertices, 0 for what the head holds and for padding.
template <class F>
struct InverseMass {
    F free, end;
    int first_free;
    RINGLET_KERNEL F operator[](int i) const {
        return i < first_free ? F(0) : select(F(static_cast<float>(i)) < end, free, F(0));
    }
};

template <class F>
struct Strand {
    int rows;
    Rows3<F> x, v, u, normal;  // normal: of the contact plane, zero where there is none
    Rows1<F> offset;           // contact: height of x above the plane; later the bounce, m/s
    Rows1<F> touched;          // contact: which collider
    Rows1<F> pivot;            // length solve: eliminated diagonal; shares its place with `touched`
    Rows1<F> lambda;           // length solve: right side, then multipliers
    ConstRows3<F> place;
    ConstRows1<F> length, goal, gap, bend;
    InverseMass<F> w;
    Rigid<F> head;  // pose of the skin at the root at the end of the substep
    Rows1<F> repaired;

    RINGLET_KERNEL Strand(const PbdUniforms& p, const PbdBlock& b)
        : rows(b.rows),
          x{b.x},
          v{b.v},
          u{b.scratch},
          normal{b.scratch + 3 * b.rows * kLanes},
          offset{b.scratch + 6 * b.rows * kLanes},
          touched{b.scratch + 7 * b.rows * kLanes},
          pivot{touched},
          lambda{b.scratch + 8 * b.rows * kLanes},
          place{b.place},
          length{b.length},
          goal{b.goal},
          gap{b.gap},
          bend{b.bend},
          w{load<F>(b.w), load<F>(b.end), p.first_free},
          head(root_pose<F>(p.head, b.pose)),
          repaired{b.repaired} {}

    RINGLET_KERNEL Moving<F> vertex(int i) const { return {x[i], u[i], w[i]}; }
};

// How far the head takes vertex i in this substep, where it holds it.
template <class F>
RINGLET_KERNEL Vec3<F> ride_of(const PbdUniforms& p, const Strand<F>& s, int i) {
    if (i >= p.placed_rows) return zero_vec3<F>();
    return apply(s.head, s.place[i]) - s.x[i];
}

// v += h (g + w f), u = h v; held vertices go where the head takes them.
template <class F>
RINGLET_KERNEL void predict(const PbdUniforms& p, const Strand<F>& s) {
    const F h = F(p.h);
    const Vec3<F> gravity = splat<F>(p.gravity), force = splat<F>(p.force);
    for (int i = 0; i < s.rows; ++i) {
        const F w = s.w[i];
        const Vec3<F> v = s.v[i] + (gravity + force * w) * h;
        s.v.set(i, select(w > F(0), v, ride_of(p, s, i) * (F(1) / h)));
    }
    if (p.rigid_damping > 0) damp_all_but_rigid_motion(s, F(p.rigid_damping));
    for (int i = 0; i < s.rows; ++i)
        s.u.set(i, select(s.w[i] > F(0), s.v[i] * h, ride_of(p, s, i)));
}

// One plane per vertex: that of the body nearest to the predicted place. It is there before the
// vertex reaches it, for the iterations may pull it in: without, figure3d is 10 mm deep in the
// head.
template <class F>
RINGLET_KERNEL void find_contacts(const PbdUniforms& p, const Strand<F>& s) {
    for (int i = 0; i < s.rows; ++i) {
        const Vec3<F> x = s.x[i], u = s.u[i];
        const F gap = s.gap[i];
        F depth = gap + F(kPbdReach);
        Vec3<F> normal = zero_vec3<F>();
        F touched = F(-1);
        for (int k = 0; k < p.collider_count; ++k) {
            const SurfacePoint<F> surface = nearest_surface(p.colliders[k], x + u);
            const auto closer = surface.distance < depth;
            depth = select(closer, surface.distance, depth);
            normal = select(closer, surface.normal, normal);
            touched = select(closer, F(static_cast<float>(k)), touched);
        }
        s.normal.set(i, normal);
        s.offset.set(i, depth - gap - dot(normal, u));
        s.touched.set(i, touched);
    }
}

template <class F>
RINGLET_KERNEL void project_lengths(const PbdUniforms& p, const Strand<F>& s) {
    const F k = F(p.stretch_stiffness);
    Moving<F> a = s.vertex(0);
    for (int i = 1; i < s.rows; ++i) {
        Moving<F> b = s.vertex(i);
        project_distance(a, b, s.length[i - 1], k);
        s.u.set(i - 1, a.u);
        a = b;
    }
    s.u.set(s.rows - 1, a.u);
}

// All lengths of a strand at once. Linearised, the constraints C_i = |e_i| - l_i are coupled only
// to their neighbours: sum_j w_j grad_j C_i . grad_j C_k is tridiagonal, with w_i + w_{i+1} on and
// -w_{i+1} n_i.n_{i+1} beside the diagonal. One such Newton step moves an error from root to tip
// that Gauss-Seidel would carry on by one segment a sweep, and keeps momentum just as well.
template <class F>
RINGLET_KERNEL void solve_lengths(const Strand<F>& s) {
    const int last = s.rows - 1;
    Vec3<F> n_before = zero_vec3<F>();
    F pivot_before = F(1), side_before = F(0);
    for (int i = 0; i < last; ++i) {
        const Moving<F> a = s.vertex(i), b = s.vertex(i + 1);
        const Vec3<F> e = between(a, b);
        const F l = s.length[i], length = norm(e), total = a.w + b.w;
        const auto active = (l >= F(0)) && (total > F(0)) && (length > F(kTiny));
        const Vec3<F> n = select(active, e * (F(1) / max(length, F(kTiny))), zero_vec3<F>());
        const F beside = -a.w * dot(n_before, n);
        const F carried = beside / pivot_before;
        const F pivot = select(active, total - carried * beside, F(1));
        // A Newton step is good for small errors; larger ones are taken in several.
        const F error = min(max(length - l, F(-0.25f) * l), F(0.25f) * l);
        const F side = select(active, error - carried * side_before, F(0));
        s.pivot.set(i, pivot);
        s.lambda.set(i, side);
        n_before = n;
        pivot_before = pivot;
        side_before = side;
    }
    // Back from the tip: lambda_i = (side_i - beside_{i+1} lambda_{i+1}) / pivot_i, and each vertex
    // moves as soon as the multipliers on both its sides are known.
    Vec3<F> n_after = zero_vec3<F>();
    F lambda_after = F(0);
    Moving<F> b = s.vertex(last);
    for (int i = last - 1; i >= 0; --i) {
        const Moving<F> a = s.vertex(i);
        const Vec3<F> e = between(a, b);
        const F l = s.length[i], length = norm(e);
        const auto active = (l >= F(0)) && (a.w + b.w > F(0)) && (length > F(kTiny));
        const Vec3<F> n = select(active, e * (F(1) / max(length, F(kTiny))), zero_vec3<F>());
        const F beside = -b.w * dot(n, n_after);
        const F lambda = select(active, (s.lambda[i] - beside * lambda_after) / s.pivot[i], F(0));
        s.u.set(i + 1, b.u + (n_after * lambda_after - n * lambda) * b.w);
        n_after = n;
        lambda_after = lambda;
        b = a;
    }
    s.u.set(0, b.u + n_after * lambda_after * b.w);
}

template <class F>
RINGLET_KERNEL void project_pairs(const Strand<F>& s, ConstRows1<F> rest, int span, F k) {
    for (int i = 0; i + span < s.rows; ++i) {
        Moving<F> a = s.vertex(i), b = s.vertex(i + span);
        project_distance(a, b, rest[i], k);
        s.u.set(i, a.u);
        s.u.set(i + span, b.u);
    }
}

// The last vertex differs from lane to lane: it is the one whose rest value is set.
template <class F>
RINGLET_KERNEL void project_ends(const Strand<F>& s, ConstRows1<F> rest, F k) {
    Moving<F> first = s.vertex(0), last = first;
    F l = F(-1);
    for (int i = 1; i < s.rows; ++i) {
        const auto is_last = rest[i] >= F(0);
        const Moving<F> here = s.vertex(i);
        last = {select(is_last, here.x, last.x), select(is_last, here.u, last.u),
                select(is_last, here.w, last.w)};
        l = select(is_last, rest[i], l);
    }
    project_distance(first, last, l, k);
    s.u.set(0, first.u);
    for (int i = 1; i < s.rows; ++i) s.u.set(i, select(rest[i] >= F(0), last.u, s.u[i]));
}

template <class F>
RINGLET_KERNEL void project_bends(const PbdUniforms& p, const Strand<F>& s) {
    const int chunk = p.bend_chunk;
    for (int i = chunk; i + chunk < s.rows; ++i) {
        Moving<F> a = s.vertex(i - chunk), b = s.vertex(i), c = s.vertex(i + chunk);
        project_angle(a, b, c, s.bend[i], F(p.bend_stiffness));
        s.u.set(i - chunk, a.u);
        s.u.set(i, b.u);
        s.u.set(i + chunk, c.u);
    }
}

// C = x + u - p_goal: the groomed place in the head's frame, which keeps a style in shape.
template <class F>
RINGLET_KERNEL void project_goals(const Strand<F>& s) {
    for (int i = 0; i < s.rows; ++i) {
        const Vec3<F> u = s.u[i];
        const Vec3<F> wanted = apply(s.head, s.place[i]) - s.x[i];
        s.u.set(i, u + (wanted - u) * s.goal[i]);
    }
}

template <class F>
RINGLET_KERNEL void project_contacts(const Strand<F>& s) {
    for (int i = 0; i < s.rows; ++i) {
        Vec3<F> u = s.u[i];
        project_half_space(u, s.w[i], s.normal[i], s.offset[i]);
        s.u.set(i, u);
    }
}

// Coulomb's law on the displacement: the tangential move relative to the body shrinks by at most
// mu times what the contact pushed. Leaves in `offset` the speed by which the vertex is to bounce.
template <class F>
RINGLET_KERNEL void finish_contacts(const PbdUniforms& p, const Strand<F>& s) {
    const F h = F(p.h), rate = F(1 / p.h);
    for (int i = 0; i < s.rows; ++i) {
        const F touched = s.touched[i], offset = s.offset[i];
        const Vec3<F> x = s.x[i], v = s.v[i], n = s.normal[i];
        // It met the plane when it was predicted, or where its neighbours took it.
        const F lowest = offset + min(dot(n, v) * h, dot(n, s.u[i]));
        const auto active = (touched >= F(0)) && (s.w[i] > F(0)) && (lowest < F(kPbdTouch));
        s.offset.set(i, F(0));
        if (!any(active)) continue;
        Vec3<F> ride = zero_vec3<F>();
        F friction = F(0), restitution = F(0);
        for (int k = 0; k < p.collider_count; ++k) {
            const PlacedCollider& body = p.colliders[k];
            const auto mine = abs(touched - F(static_cast<float>(k))) < F(0.5f);
            ride = select(mine, apply(splat_rigid<F>(body.carry), x) - x, ride);
            friction = select(mine, F(body.friction), friction);
            restitution = select(mine, F(body.restitution), restitution);
        }
        Vec3<F> u = s.u[i];
        const Vec3<F> moved = u - ride;
        const F pushed = max(dot(n, u - v * h), F(0));
        const Vec3<F> slip = moved - n * dot(n, moved);
        const F stopped = min(friction * pushed / max(norm(slip), F(kTiny)), F(1));
        u -= slip * select(active, stopped, F(0));
        s.u.set(i, u);

        const F approach = dot(n, v - ride * rate);
        const F leaving = dot(n, moved) * rate;
        const auto hits = active && (approach < F(0)) && (pushed > F(0));
        s.offset.set(i, select(hits, max(-restitution * approach - leaving, F(0)), F(0)));
    }
}

// A guard for what neither sweeps nor solves could close, as when a strand of many short segments
// is thrown about: in strands stretched by more than kPbdGuardStretch lengths are put right from
// the root on. It keeps no momentum, so it is the last resort.
template <class F>
RINGLET_KERNEL void guard_lengths(const Strand<F>& s) {
    F most = F(0);
    for (int i = 0; i + 1 < s.rows; ++i) {
        const F l = s.length[i];
        const F error = abs(norm(between(s.vertex(i), s.vertex(i + 1))) - l);
        most = max(most, select(l > F(kTiny), error / max(l, F(kTiny)), F(0)));
    }
    const auto stretched = most > F(kPbdGuardStretch);
    if (!any(stretched)) return;
    for (int i = 0; i + 1 < s.rows; ++i) {
        const Moving<F> a = s.vertex(i), b = s.vertex(i + 1);
        const Vec3<F> apart = b.x - a.x;
        const Vec3<F> along = unit_or(between(a, b), unit_or(apart, Vec3<F>{F(0), F(-1), F(0)}));
        const auto active = stretched && (s.length[i] >= F(0)) && (b.w > F(0));
        s.u.set(i + 1, select(active, a.u + (along * s.length[i] - apart), b.u));
    }
}

// v += (u - h v)/h rather than v = u/h: a vertex that nothing moved keeps its velocity exactly.
template <class F>
RINGLET_KERNEL void advance(const PbdUniforms& p, const Strand<F>& s) {
    const F h = F(p.h), rate = F(1 / p.h);
    const F limit = F(1e4f);  // m/s and m; beyond, or not a number, something is broken
    F repaired = F(-1);
    for (int i = s.rows - 1; i >= 0; --i) {
        const Vec3<F> x = s.x[i], u = s.u[i], v = s.v[i];
        const auto is_held = s.w[i] <= F(0);
        Vec3<F> next_v = v + (u - v * h) * rate;
        if (p.collider_count > 0) next_v += s.normal[i] * s.offset[i];
        next_v = select(is_held, v, next_v);
        const Vec3<F> next_x = x + u;
        const auto sane = (norm(next_v) < limit) && (norm(next_x) < limit);
        repaired = select(sane || is_held, repaired, F(static_cast<float>(i)));
        s.v.set(i, select(sane || is_held, next_v, zero_vec3<F>()));
        s.x.set(i, select(sane || is_held, next_x, x));
    }
    s.repaired.set(0, max(s.repaired[0], repaired));
}

}  // namespace pbd

template <class F>
RINGLET_KERNEL void pbd_substep(const PbdUniforms& p, const PbdBlock& block) {
    const pbd::Strand<F> s(p, block);
    pbd::predict(p, s);
    if (p.collider_count > 0) pbd::find_contacts(p, s);
    for (int n = 0; n < p.iterations; ++n) {
        if (p.has_goals) pbd::project_goals(s);
        for (int k = 0; k < p.pair_count; ++k) {
            const ConstRows1<F> rest{block.pair[k]};
            const F stiffness = F(p.pairs[k].stiffness);
            if (p.pairs[k].span > 0)
                pbd::project_pairs(s, rest, p.pairs[k].span, stiffness);
            else
                pbd::project_ends(s, rest, stiffness);
        }
        if (p.bend_stiffness > 0) pbd::project_bends(p, s);
        // Lengths and contacts last: they are what the eye checks.
        pbd::project_lengths(p, s);
        if (p.collider_count > 0) pbd::project_contacts(s);
    }
    if (p.collider_count > 0) pbd::finish_contacts(p, s);
    for (int n = 0; n < p.length_solves; ++n) {
        pbd::solve_lengths(s);
        pbd::project_lengths(p, s);  // catches the few segments a Newton step overshot
    }
    if (p.length_solves > 0) pbd::guard_lengths(s);
    pbd::advance(p, s);
}

// Compiled per lane kind by cpu/blocks.cpp.
void pbd_block_scalar(const PbdUniforms& uniforms, const PbdBlock& block);
void pbd_block_wide8(const PbdUniforms& uniforms, const PbdBlock& block);
void pbd_block_avx2(const PbdUniforms& uniforms, const PbdBlock& block);

}  // namespace ringlet
