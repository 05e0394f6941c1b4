// The motion of fur tips, one lane = one vertex of the skin. A tip keeps the length of the fur from
// its root and its position in world space: when the mesh moves, the root moves and the tip lags.
#pragma once

#include "collide/collider.h"
#include "fur/shell_curve.h"
#include "math/air_waves.h"

namespace ringlet {

inline constexpr int kTipLanes = 16;
// A block of kTipLanes vertices stores rows of kTipLanes floats.
// Root, normal and rest direction in the mesh's frame (3 rows each); length of the fur, m; inverse
// length.
inline constexpr int kRestRows = 11;
// World space. Style original: the tip and its velocity. Style shells: the direction from root to
// tip and its time derivative, both independent of the fur's length.
inline constexpr int kStateRows = 6;
// struct Flow (4 rows), the result of free_cosine(), and the wind acceleration over length (3).
inline constexpr int kFlowRows = 8;

// The axes and the origin of the mesh's frame in world space.
struct TipFrame {
    Vec3f x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin{0, 0, 0};

    TipFrame() = default;
    TipFrame(Vec3f a, Vec3f b, Vec3f c, Vec3f at) : x(a), y(b), z(c), origin(at) {}
    explicit TipFrame(const Rigidf& body)
        : TipFrame(rotate(body.rotation, Vec3f{1, 0, 0}), rotate(body.rotation, Vec3f{0, 1, 0}),
                   rotate(body.rotation, Vec3f{0, 0, 1}), body.translation) {}
};

template <class F>
RINGLET_KERNEL Vec3<F> turned(const TipFrame& frame, Vec3<F> a) {
    return splat<F>(frame.x) * a.x + splat<F>(frame.y) * a.y + splat<F>(frame.z) * a.z;
}

template <class F>
RINGLET_KERNEL Vec3<F> placed(const TipFrame& frame, Vec3<F> a) {
    return turned(frame, a) + splat<F>(frame.origin);
}

// Data of one step that is the same for all vertices.
struct TipStep {
    TipFrame body;  // pose at the end of the step
    // Pose at the start minus pose at the end.
    TipFrame back{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    bool moves = false;  // back is not zero
    TipFrame pull;       // axes times stiffness, 1/s^2; origin: common acceleration, m/s^2

    TipStep(const TipFrame& before, const TipFrame& now, float stiffness, Vec3f acceleration)
        : body(now),
          back(before.x - now.x, before.y - now.y, before.z - now.z, before.origin - now.origin),
          pull(now.x * stiffness, now.y * stiffness, now.z * stiffness, acceleration) {
        for (const Vec3f a : {back.x, back.y, back.z, back.origin})
            moves = moves || a.x != 0 || a.y != 0 || a.z != 0;
    }
};

struct TipUniforms {
    bool original = false;
    float h = 0.02f;          // s
    float stiffness = 4;      // 1/s^2
    float damping = 0.96f;    // original: fraction of the speed kept in a step
    float rate = 0;           // shells: damping rate, 1/s
    float least_cosine = -1;  // shells: smallest cosine between tip and normal
    const TipStep* steps = nullptr;
    int step_count = 0;
    const PlacedCollider* colliders = nullptr;  // posed as at the end of the last step
    int collider_count = 0;

    // Air that differs from tip to tip, at the end of the last step. TipStep has no wind then.
    bool has_air = false;
    Vec3f wind{0, 0, 0};  // m/s
    float coupling = 0;   // 1/s, acceleration per air speed
    float shelter = 0;    // fraction by which the wind on a flat-lying tip is reduced
    const AirWave* waves = nullptr;
    int wave_count = 0;
};

// Consecutive blocks; pointers may start at any lane.
struct TipBlocks {
    const float* rest;
    float* state;
    float* flow;  // scratch of kFlowRows per block
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
    Vec3<F> x, v;  // the six state rows
};

// The assignment's four steps: f = (0, -g, 0) + stiffness (s - t) with s = p + H N; t += T v;
// t = p + H (t - p)/|t - p|; v = (v + T f) damping. Unstable where stiffness T^2 is large.
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
    const F z = (f - a * a) * F(h * h);  // squared phase; negative where overdamped
    const F fade = exp(a * F(-h));
    // cos(phase) and sin(phase)/phase times exp(-a h), by power series.
    F c = fade *
          (F(1) - z * (F(0.5f) - z * (F(1.0f / 24) - z * (F(1.0f / 720) - z * F(1.0f / 40320)))));
    F s = fade * (F(1) - z * (F(1.0f / 6) -
                              z * (F(1.0f / 120) - z * (F(1.0f / 5040) - z * F(1.0f / 362880)))));
    const auto large = abs(z) >= F(0.25f);
    if (any(large)) {  // closed forms: underdamped by sin and cos, overdamped by exponentials
        const F phase = sqrt(max(abs(z), F(1e-8f))), per = F(1) / phase;
        const SinCos<F> swing = sin_cos(min(phase, F(1000)));
        const F slow = exp(phase - a * F(h)), fast = exp(-phase - a * F(h));
        const auto creeps = z < F(0);
        c = select(large, select(creeps, (slow + fast) * F(0.5f), swing.cos * fade), c);
        s = select(large, select(creeps, (slow - fast) * F(0.5f), swing.sin * fade) * per, s);
    }
    s = s * F(h);
    return {c + a * s, s, -f * s, c - a * s};
}

// One step of a spherical pendulum that is stable for any step length. In the stereographic plane
// about the equilibrium direction e of spring and gravity, a tip is treated as a damped oscillator,
// whose flow over the step is exact. The map q = (y - e (e.y))/(|y| + e.y) is conformal, needs only
// divisions and does not depend on |y|: y, from root to tip, may have any length, and its rate w
// any component along y. Without a field e is zero and the tip moves straight on.
template <class F>
RINGLET_KERNEL void swing_about(const Flow<F>& flow, Vec3<F> e, F ey, Vec3<F>& y, Vec3<F>& w) {
    const F ew = dot(e, w), yy = dot(y, y), r = sqrt(yy);
    const Vec3<F> p = y - e * ey, pw = w - e * ew;
    // From differences, not from p and pw: shortens the dependency chain behind the square root.
    const F pp = yy - ey * ey, ppw = dot(y, w) - ey * ew;
    // Near the antipode of e the map is singular: clamp the denominator.
    const F per = F(1) / max(F(0.05f), r + ey);
    // q = per p and its rate per (r pw - slows p); after the step a p + b pw, ra p + rb pw.
    const F slows = ppw * per + ew, per_r = per * r;
    const F a = (flow.qq - flow.qv * slows) * per, b = flow.qv * per_r;
    const F ra = (flow.vq - flow.vv * slows) * per, rb = flow.vv * per_r;
    const F on_p = a * pp + b * ppw, on_pw = a * ppw + b * (dot(w, w) - ew * ew);
    // Inverse map, back to the sphere.
    const F twice = F(2) / (F(1) + a * on_p + b * on_pw);
    const F grows = (ra * on_p + rb * on_pw) * twice;
    y = p * (a * twice) + pw * (b * twice) + e * (twice - F(1));
    w = p * (ra * twice) + pw * (rb * twice) - (y + e) * grows;
}

// Keeps a tip within max_bend of the normal, so that fur does not enter its own skin.
template <class F>
RINGLET_KERNEL void keep_off_skin(float least_cosine, Vec3<F> normal, Vec3<F>& direction,
                                  Vec3<F>& turn) {
    const F cosine = dot(normal, direction);
    const auto low = cosine < F(least_cosine);
    if (!any(low)) return;
    const Vec3<F> aside = unit_or(direction - normal * cosine, perpendicular(normal));
    const F least = F(least_cosine), sine = sqrt(F(1) - least * least);
    const Vec3<F> up = normal * sine - aside * least;  // tangent of the sphere towards the normal
    direction = select(low, normal * least + aside * sine, direction);
    turn = select(low, turn - up * min(dot(turn, up), F(0)), turn);
}

// Moves a tip out of colliders by rotating it about its root.
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

// Acceleration by spring and gravity over the length of the fur, 1/s^2.
template <class F>
RINGLET_KERNEL Vec3<F> field_of(const TipStep& step, const float* rest) {
    return turned(step.pull, load_vec3<F>(rest + 6 * kTipLanes, kTipLanes)) +
           splat<F>(step.pull.origin) * load<F>(rest + 10 * kTipLanes);
}

template <class F>
RINGLET_KERNEL Vec3<F> normal_of(const TipStep& step, const float* rest) {
    return turned(step.body, load_vec3<F>(rest + 3 * kTipLanes, kTipLanes));
}

// cos(max_bend - angle between e and normal). A tip closer to e than that is certainly above the
// skin's limit. Returns 2, which no cosine reaches, where no such guarantee exists.
template <class F>
RINGLET_KERNEL F free_cosine(float least_cosine, Vec3<F> e, Vec3<F> normal) {
    const F least = F(least_cosine), cosine = dot(e, normal);
    const F sines = (F(1) - least * least) * max(F(1) - cosine * cosine, F(0));
    return select(cosine > least, least * cosine + sqrt(sines), F(2));
}

// Acceleration by the wind over the length of the fur, 1/s^2. An upright tip feels the full wind; a
// flat-lying one is sheltered by its neighbours.
template <class F>
RINGLET_KERNEL Vec3<F> air_pull(const TipUniforms& u, const TipStep& last, const float* rest,
                                Vec3<F> direction) {
    const Vec3<F> x = placed(last.body, load_vec3<F>(rest, kTipLanes)) +
                      direction * load<F>(rest + 9 * kTipLanes);
    const F upright = min(max(dot(normal_of<F>(last, rest), direction), F(0)), F(1));
    const F felt = F(1) - F(u.shelter) * (F(1) - upright);
    return wind::air_at(u.wind, u.waves, u.wave_count, x) *
           (felt * F(u.coupling) * load<F>(rest + 10 * kTipLanes));
}

template <class F>
RINGLET_KERNEL void stable_step(const TipUniforms& u, const TipStep& step, const float* kept,
                                Vec3<F> field, const float* rest, Tip<F>& tip) {
    if (step.moves)
        tip.x += placed(step.back, load_vec3<F>(rest, kTipLanes)) * load<F>(rest + 10 * kTipLanes);
    const F per_field = F(1) / max(F(kTiny), norm(field));
    const Vec3<F> e = field * per_field;
    F along = dot(field, tip.x) * per_field;  // not dot(e, x): shortens the dependency chain
    const auto far = along < load<F>(kept + 4 * kTipLanes);
    if (any(far)) {
        const Vec3<F> normal = normal_of<F>(step, rest);
        Tip<F> off{unit_or(tip.x, normal), tip.v};
        keep_off_skin(u.least_cosine, normal, off.x, off.v);
        tip = {select(far, off.x, tip.x), select(far, off.v, tip.v)};
        along = select(far, dot(e, tip.x), along);
    }
    const Flow<F> flow{load<F>(kept), load<F>(kept + kTipLanes), load<F>(kept + 2 * kTipLanes),
                       load<F>(kept + 3 * kTipLanes)};
    swing_about(flow, e, along, tip.x, tip.v);
}

// Normalizes a tip and moves it out of skin and colliders, once after all steps.
template <class F>
RINGLET_KERNEL void keep_apart(const TipUniforms& u, const TipStep& last, const float* rest,
                               Tip<F>& tip) {
    const Vec3<F> normal = normal_of<F>(last, rest);
    tip.x = unit_or(tip.x, normal);
    tip.v = tip.v - tip.x * dot(tip.x, tip.v);
    keep_off_skin(u.least_cosine, normal, tip.x, tip.v);
    if (u.collider_count > 0)
        keep_out(u, placed(last.body, load_vec3<F>(rest, kTipLanes)), normal,
                 load<F>(rest + 9 * kTipLanes), tip.x, tip.v);
}

template <class F>
RINGLET_KERNEL Tip<F> load_tip(const float* state) {
    return {load_vec3<F>(state, kTipLanes), load_vec3<F>(state + 3 * kTipLanes, kTipLanes)};
}

template <class F>
RINGLET_KERNEL void store_tip(float* state, const Tip<F>& tip) {
    store_vec3(state, kTipLanes, tip.x);
    store_vec3(state + 3 * kTipLanes, kTipLanes, tip.v);
}

// All steps of one call. The inner loop runs over blocks, because a step of a tip depends on the
// previous one and the other blocks hide that latency.
template <class F>
RINGLET_KERNEL void move_original_tips(const TipUniforms& u, const TipBlocks& blocks) {
    for (int k = 0; k < u.step_count; ++k)
        for (int b = 0; b < blocks.count; ++b) {
            const TipStep& step = u.steps[k];
            const float* rest = blocks.rest_of(b);
            store_tip(
                blocks.state_of(b),
                original_step(u, splat<F>(step.pull.origin), load_tip<F>(blocks.state_of(b)),
                              placed(step.body, load_vec3<F>(rest, kTipLanes)),
                              turned(step.body, load_vec3<F>(rest + 3 * kTipLanes, kTipLanes)),
                              load<F>(rest + 9 * kTipLanes)));
        }
}

// Computes the rows that are reused in all steps of a call: the field hardly changes within one.
template <class F>
RINGLET_KERNEL void prepare(const TipUniforms& u, const float* rest, const float* state,
                            float* kept) {
    Vec3<F> field = field_of<F>(u.steps[0], rest);
    if (u.has_air) {
        const Vec3<F> air =
            air_pull(u, u.steps[u.step_count - 1], rest, load_vec3<F>(state, kTipLanes));
        store_vec3(kept + 5 * kTipLanes, kTipLanes, air);
        field += air;
    }
    const F strength = norm(field);
    const Flow<F> flow = damped_flow(strength, u.rate, u.h);
    const Vec3<F> e = field * (F(1) / max(strength, F(kTiny)));
    const F rows[] = {flow.qq, flow.qv, flow.vq, flow.vv,
                      free_cosine(u.least_cosine, e, normal_of<F>(u.steps[0], rest))};
    for (const F row : rows) {
        store(kept, row);
        kept += kTipLanes;
    }
}

template <class F, bool kHasAir>
RINGLET_KERNEL void swing_tips(const TipUniforms& u, const TipStep& step, const TipBlocks& blocks) {
    for (int b = 0; b < blocks.count; ++b) {
        const float *kept = blocks.flow_of(b), *rest = blocks.rest_of(b);
        Vec3<F> field = field_of<F>(step, rest);
        if constexpr (kHasAir) field += load_vec3<F>(kept + 5 * kTipLanes, kTipLanes);
        Tip<F> tip = load_tip<F>(blocks.state_of(b));
        stable_step(u, step, kept, field, rest, tip);
        store_tip(blocks.state_of(b), tip);
    }
}

template <class F>
RINGLET_KERNEL void move_stable_tips(const TipUniforms& u, const TipBlocks& blocks) {
    for (int b = 0; b < blocks.count; ++b)
        prepare<F>(u, blocks.rest_of(b), blocks.state_of(b), blocks.flow_of(b));
    for (int k = 0; k < u.step_count; ++k) {
        if (u.has_air)
            swing_tips<F, true>(u, u.steps[k], blocks);
        else
            swing_tips<F, false>(u, u.steps[k], blocks);
    }
    for (int b = 0; b < blocks.count; ++b) {
        Tip<F> tip = load_tip<F>(blocks.state_of(b));
        keep_apart(u, u.steps[u.step_count - 1], blocks.rest_of(b), tip);
        store_tip(blocks.state_of(b), tip);
    }
}

template <class F>
RINGLET_KERNEL void move_tips(const TipUniforms& u, const TipBlocks& blocks) {
    if (u.original)
        move_original_tips<F>(u, blocks);
    else
        move_stable_tips<F>(u, blocks);
}

}  // namespace ringlet
