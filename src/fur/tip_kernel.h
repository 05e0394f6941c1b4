// How the tips of fur move, one lane = one vertex of the skin. A tip is a point in world space at
// the length of the fur from its root: when the body moves, the root moves under it and the fur
// lags.
#pragma once

#include "collide/collider.h"
#include "fur/shell_curve.h"

namespace ringlet {

inline constexpr int kTipLanes = 8;
// Rows of kTipLanes floats: what a block of vertices keeps.
// Root, normal and direction at rest in the body's frame; length of the fur, m; its inverse.
inline constexpr int kRestRows = 11;
inline constexpr int kStateRows = 6;  // tip and its velocity in world space
inline constexpr int kFlowRows = 4;   // struct Flow

// What is the same for all vertices in one step.
struct TipStep {
    // The body's pose at its end: where its axes and its origin are in the world.
    Vec3f x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin{0, 0, 0};
    Vec3f acceleration{0, 0, 0};  // m/s^2: gravity and wind

    TipStep() = default;
    TipStep(const Rigidf& body, Vec3f acting)
        : x(rotate(body.rotation, Vec3f{1, 0, 0})),
          y(rotate(body.rotation, Vec3f{0, 1, 0})),
          z(rotate(body.rotation, Vec3f{0, 0, 1})),
          origin(body.translation),
          acceleration(acting) {}
};

template <class F>
RINGLET_KERNEL Vec3<F> turned(const TipStep& step, Vec3<F> a) {
    return splat<F>(step.x) * a.x + splat<F>(step.y) * a.y + splat<F>(step.z) * a.z;
}

struct TipUniforms {
    bool original = false;
    float h = 0.02f;          // s
    float stiffness = 4;      // 1/s^2
    float damping = 0.96f;    // original: share of the speed kept in a step
    float rate = 0;           // shells: 1/s at which speed is lost
    float least_cosine = -1;  // shells: between tip and normal
    const TipStep* steps = nullptr;
    int step_count = 0;
    const PlacedCollider* colliders = nullptr;  // as at the end of the last step
    int collider_count = 0;
};

// A few blocks in a row, from some lane on.
struct TipBlocks {
    const float* rest;
    float* state;
    float* flow;  // kFlowRows a block, of no use afterwards
    int count;

    RINGLET_KERNEL const float* rest_of(int block) const {
        return rest + block * kRestRows * kTipLanes;
    }
    RINGLET_KERNEL float* state_of(int block) const {
        return state + block * kStateRows * kTipLanes;
    }
    RINGLET_KERNEL float* flow_of(int block) const { return flow + block * kFlowRows * kTipLanes; }
};

RINGLET_KERNEL TipBlocks from_lane(const TipBlocks& blocks, int lane) {
    return {blocks.rest + lane, blocks.state + lane, blocks.flow + lane, blocks.count};
}

template <class F>
struct Tip {
    Vec3<F> x, v;  // m, m/s
};

// The assignment's four steps: f = (0, -g, 0) + stiffness (s - t) with s = p + H N; t += T v;
// t = p + H (t - p)/|t - p|; v = (v + T f) damping. Explodes where stiffness T^2 is large.
template <class F>
RINGLET_KERNEL Tip<F> original_step(const TipUniforms& u, Vec3<F> acceleration, Tip<F> tip,
                                    Vec3<F> p, Vec3<F> normal, F length) {
    const Vec3<F> f = acceleration + (p + normal * length - tip.x) * F(u.stiffness);
    const Vec3<F> moved = tip.x + tip.v * F(u.h) - p;
    const Vec3<F> x = p + moved * (length / max(norm(moved), F(kTiny)));
    return {x, (tip.v + f * F(u.h)) * F(u.damping)};
}

// The exact flow of q'' = -f q - c q' over a time h, as a matrix.
template <class F>
struct Flow {
    F qq, qv, vq, vv;  // q1 = qq q + qv v, v1 = vq q + vv v
};

template <class F>
RINGLET_KERNEL Flow<F> damped_flow(F f, float rate, float h) {
    const F a = F(rate / 2);
    const F z = (f - a * a) * F(h * h);  // the phase squared; negative where it does not swing
    const F phase = sqrt(max(abs(z), F(1e-8f)));
    // cos and sin(phase)/phase times exp(-a h), by series, as a swing or as a creep.
    const F fade = exp(a * F(-h));
    const F series_cos =
        F(1) - z * (F(0.5f) - z * (F(1.0f / 24) - z * (F(1.0f / 720) - z * F(1.0f / 40320))));
    const F series_sin =
        F(1) -
        z * (F(1.0f / 6) - z * (F(1.0f / 120) - z * (F(1.0f / 5040) - z * F(1.0f / 362880))));
    const SinCos<F> swing = sin_cos(min(phase, F(1000)));
    const F slow = exp(phase - a * F(h)), fast = exp(-phase - a * F(h));
    const auto small = abs(z) < F(0.25f), creeps = z < F(0);
    const F per = F(1) / phase;
    const F c =
        select(small, series_cos * fade, select(creeps, (slow + fast) * F(0.5f), swing.cos * fade));
    const F s = select(small, series_sin * fade,
                       select(creeps, (slow - fast) * F(0.5f) * per, swing.sin * per * fade)) *
                F(h);
    return {c + a * s, s, -f * s, c - a * s};
}

// One step of a pendulum on the sphere of directions that is stable for any step: in the
// stereographic plane about the direction e in which spring and weight balance, a tip is a damped
// oscillator, and its flow over the step is exact. q = 2 p/(1 + cos) for the direction
// e cos + p, conformal, so that nothing but divisions is needed.
template <class F>
RINGLET_KERNEL void swing_about(const Flow<F>& flow, Vec3<F> e, Vec3<F>& direction, Vec3<F>& turn) {
    const F cosine = dot(e, direction), rises = dot(e, turn);
    const Vec3<F> p = direction - e * cosine;
    const F per = F(1) / max(F(1) + cosine, F(0.05f));  // the far side is no place for a spring
    const Vec3<F> q = p * (F(2) * per);
    const Vec3<F> v = (turn - e * rises - p * (rises * per)) * (F(2) * per);
    const Vec3<F> q1 = q * flow.qq + v * flow.qv, v1 = q * flow.vq + v * flow.vv;
    const F inverse = F(1) / (F(1) + dot(q1, q1) * F(0.25f));
    const F grows = dot(q1, v1) * F(0.5f) * inverse;
    direction = e * (F(2) * inverse - F(1)) + q1 * inverse;
    turn = (v1 - q1 * grows) * inverse - e * (F(2) * grows * inverse);
}

// Keeps a tip within most_bend of the normal: fur does not grow into its own skin.
template <class F>
RINGLET_KERNEL void keep_off_skin(float least_cosine, Vec3<F> normal, Vec3<F>& direction,
                                  Vec3<F>& turn) {
    const F cosine = dot(normal, direction);
    const auto low = cosine < F(least_cosine);
    if (!any(low)) return;
    const Vec3<F> aside = unit_or(direction - normal * cosine, perpendicular(normal));
    const F least = F(least_cosine), sine = sqrt(F(1) - least * least);
    const Vec3<F> up = normal * sine - aside * least;  // the way back, along the sphere
    direction = select(low, normal * least + aside * sine, direction);
    turn = select(low, turn - up * min(dot(turn, up), F(0)), turn);
}

// Moves a tip out of bodies, along its sphere.
template <class F>
RINGLET_KERNEL void keep_out(const TipUniforms& u, Vec3<F> p, Vec3<F> normal, F length,
                             Vec3<F>& direction, Vec3<F>& turn) {
    for (int k = 0; k < u.collider_count; ++k) {
        const PlacedCollider& body = u.colliders[k];
        for (int round = 0; round < 2; ++round) {
            const F reach = length * arc_chord(dot(normal, direction));
            const SurfacePoint<F> at = nearest_surface(body, p + direction * reach);
            const auto inside = at.distance < F(0);
            if (!any(inside)) break;
            const Vec3<F> out = direction * reach - at.normal * at.distance;
            direction = select(inside, unit_or(out, direction), direction);
            const Vec3<F> slid = turn - at.normal * min(dot(turn, at.normal), F(0));
            turn = select(inside, slid * F(max(1 - body.friction, 0.0f)), turn);
        }
    }
}

// As unit_or, without division and root.
template <class F>
RINGLET_KERNEL Vec3<F> quick_unit_or(Vec3<F> a, Vec3<F> otherwise) {
    const F square = dot(a, a);
    return select(square > F(1e-24f), a * rsqrt(max(square, F(1e-24f))), otherwise);
}

template <class F>
struct Root {
    Vec3<F> p, normal, lean;  // in the world; lean: the direction at rest, were there no weight
    F length, per_length;
};

template <class F>
RINGLET_KERNEL Root<F> root_of(const TipStep& step, const float* rest) {
    return {turned(step, load_vec3<F>(rest, kTipLanes)) + splat<F>(step.origin),
            turned(step, load_vec3<F>(rest + 3 * kTipLanes, kTipLanes)),
            turned(step, load_vec3<F>(rest + 6 * kTipLanes, kTipLanes)),
            load<F>(rest + 9 * kTipLanes), load<F>(rest + 10 * kTipLanes)};
}

// Where spring and acceleration pull a tip, over its length: 1/s^2.
template <class F>
RINGLET_KERNEL Vec3<F> field_of(const TipUniforms& u, const TipStep& step, const Root<F>& root) {
    return root.lean * F(u.stiffness) + splat<F>(step.acceleration) * root.per_length;
}

template <class F>
RINGLET_KERNEL Tip<F> stable_step(const TipUniforms& u, const TipStep& step, const Flow<F>& flow,
                                  Tip<F> tip, const Root<F>& root, bool is_last) {
    const Vec3<F> e = quick_unit_or(field_of(u, step, root), root.normal);
    Vec3<F> direction = quick_unit_or(tip.x - root.p, root.normal);
    Vec3<F> turn = tip.v * root.per_length;
    turn = turn - direction * dot(turn, direction);
    keep_off_skin(u.least_cosine, root.normal, direction, turn);
    swing_about(flow, e, direction, turn);
    keep_off_skin(u.least_cosine, root.normal, direction, turn);
    if (is_last) keep_out(u, root.p, root.normal, root.length, direction, turn);
    return {root.p + direction * root.length, turn * root.length};
}

// All steps of one call on the same lanes of a few blocks. Blocks come before steps: each step of a
// tip waits for the one before it, and other tips fill the wait.
template <class F>
RINGLET_KERNEL void move_tips(const TipUniforms& u, const TipBlocks& blocks) {
    for (int b = 0; b < blocks.count && !u.original; ++b) {
        // How strong the field is hardly changes within a call; its flow is worth keeping.
        const Root<F> root = root_of<F>(u.steps[0], blocks.rest_of(b));
        const Flow<F> flow = damped_flow(norm(field_of(u, u.steps[0], root)), u.rate, u.h);
        store(blocks.flow_of(b), flow.qq);
        store(blocks.flow_of(b) + kTipLanes, flow.qv);
        store(blocks.flow_of(b) + 2 * kTipLanes, flow.vq);
        store(blocks.flow_of(b) + 3 * kTipLanes, flow.vv);
    }
    for (int k = 0; k < u.step_count; ++k)
        for (int b = 0; b < blocks.count; ++b) {
            const TipStep& step = u.steps[k];
            const Root<F> root = root_of<F>(step, blocks.rest_of(b));
            float* state = blocks.state_of(b);
            Tip<F> tip = {load_vec3<F>(state, kTipLanes),
                          load_vec3<F>(state + 3 * kTipLanes, kTipLanes)};
            if (u.original) {
                tip = original_step(u, splat<F>(step.acceleration), tip, root.p, root.normal,
                                    root.length);
            } else {
                const float* kept = blocks.flow_of(b);
                const Flow<F> flow{load<F>(kept), load<F>(kept + kTipLanes),
                                   load<F>(kept + 2 * kTipLanes), load<F>(kept + 3 * kTipLanes)};
                tip = stable_step(u, step, flow, tip, root, k + 1 == u.step_count);
            }
            store_vec3(state, kTipLanes, tip.x);
            store_vec3(state + 3 * kTipLanes, kTipLanes, tip.v);
        }
}

}  // namespace ringlet
