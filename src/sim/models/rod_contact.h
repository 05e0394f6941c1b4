// Contact of the rod with bodies, as part of its solve: a vertex that would enter a body gets a 3x3
// inverse mass that is small along the surface normal, and small along the surface too if it
// sticks.
//
// Contacts are compliant: soft at first, and twice as stiff in each further substep. Contacts that
// are stiff from the start add energy against a stiff rod. Static friction pulls to an anchor that
// moves with the body, because friction that only opposes velocity creeps. docs/models/rod.md has
// measurements.
#pragma once

#include "sim/models/rod_segments.h"

namespace ringlet::rod {

// m/s; a vertex that starts inside a body leaves it no faster.
inline constexpr float kLeavingSpeed = 1;
inline constexpr int kMaxHits = 3, kTraceSteps = 4;
// m; planes beyond the first must be penetrated by more than this, because rounding must not count
// a plane twice. So must the first plane in a stage of a second-order step: strands that only just
// touch a body would creep (docs/models/rod.md).
inline constexpr float kMinDepth = 1e-6f;
// Planes at an angle with a smaller sine count as one.
inline constexpr float kParallel = 0.05f;

inline constexpr float kUnboundedSpeed = 1e9f;

// A contact plane on the path of a vertex; `depth` is how far the end of the path lies behind it.
template <class F>
struct Hit {
    F depth, body;
    Vec3<F> normal, plane;  // plane: a point on it
    F start_height;         // of the start of the path above the gap; negative inside
};

template <class M, class F>
RINGLET_KERNEL Hit<F> select_hit(M mask, const Hit<F>& yes, const Hit<F>& no) {
    return {select(mask, yes.depth, no.depth), select(mask, yes.body, no.body),
            select(mask, yes.normal, no.normal), select(mask, yes.plane, no.plane),
            select(mask, yes.start_height, no.start_height)};
}

// The start of a path, moved with the body, and the nearest surface.
template <class F>
struct Start {
    Vec3<F> x;
    SurfacePoint<F> surface;
};

template <class F>
RINGLET_KERNEL Start<F> start_at(const PlacedCollider& body, Vec3<F> x) {
    const Vec3<F> moved = moved_with(body, x);
    return {moved, nearest_surface(body, moved)};
}

// Sphere traces from the start to `end` up to the first contact. The plane is taken there, because
// at the end of the path the nearest surface may be the other side of the body. Depth is 0 in lanes
// that are not wanted.
template <class F, class M>
RINGLET_KERNEL Hit<F> first_hit(const PlacedCollider& body, const Start<F>& start, Vec3<F> end,
                                F gap, F max_rise, M wanted) {
    const Vec3<F> path = end - start.x;
    const F length = norm(path);
    const Vec3<F> along = path * (F(1) / max(length, F(kTiny)));
    SurfacePoint<F> surface = start.surface;
    F height = surface.distance - gap, gone = F(0);
    const F start_height = height;
    const auto is_near = wanted && (start_height < length);
    for (int k = 0; k < kTraceSteps; ++k) {
        const F next = select(is_near, min(gone + max(height, F(0)), length), gone);
        if (!any(next > gone)) break;  // no lane advances
        gone = next;
        surface = nearest_surface(body, start.x + along * gone);
        height = surface.distance - gap;
    }
    // A vertex that starts inside is moved out slowly.
    const F lowered = min(start_height + max_rise, F(0));
    const Vec3<F> plane = start.x + along * gone + surface.normal * (lowered - height);
    const F depth = -dot(surface.normal, end - plane);
    return {select(is_near, depth, F(0)), F(-1), surface.normal, plane, start_height};
}

// The gap to keep; reduced if the vertex is pinched between two bodies.
template <class F>
struct Pinch {
    decltype(F(0) < F(1)) pinched;
    F gap;
};

template <class F>
RINGLET_KERNEL Pinch<F> find_pinch(const RodUniforms& p, Vec3<F> x, F gap) {
    if (p.collider_count == 1) return {F(1) < F(0), gap};
    F first = F(1e9f), second = F(1e9f);
    Vec3<F> first_normal = zero_vec3<F>(), second_normal = first_normal;
    for (int k = 0; k < p.collider_count; ++k) {
        const SurfacePoint<F> surface =
            nearest_surface(p.colliders[k], moved_with(p.colliders[k], x));
        const auto is_first = surface.distance < first, is_second = surface.distance < second;
        second = select(is_first, first, select(is_second, surface.distance, second));
        second_normal =
            select(is_first, first_normal, select(is_second, surface.normal, second_normal));
        first = select(is_first, surface.distance, first);
        first_normal = select(is_first, surface.normal, first_normal);
    }
    const F room = first + second;
    const auto pinched = (dot(first_normal, second_normal) < F(-0.7f)) && (room < F(4) * gap);
    return {pinched, select(pinched, min(gap, F(0.45f) * room), gap)};
}

// The deepest of the first hits of all bodies on the path to `end`. `first` is the start with
// respect to the first body, which is often the only one.
template <class F, class M>
RINGLET_KERNEL Hit<F> deepest_hit(const RodUniforms& p, const Start<F>& first, Vec3<F> x,
                                  Vec3<F> end, F gap, M wanted) {
    Hit<F> out = {F(0), F(-1), zero_vec3<F>(), zero_vec3<F>(), F(0)};
    for (int k = 0; k < p.collider_count; ++k) {
        if (p.colliders[k].is_thin) continue;  // add_segment_planes()
        const Start<F> start = k == 0 ? first : start_at(p.colliders[k], x);
        const Hit<F> hit =
            first_hit(p.colliders[k], start, end, gap, F(kLeavingSpeed * p.span), wanted);
        const Hit<F> of_body = {hit.depth, F(static_cast<float>(k)), hit.normal, hit.plane,
                                hit.start_height};
        out = select_hit(hit.depth > out.depth, of_body, out);
    }
    return out;
}

// The body that a vertex penetrates most, for friction.
template <class F>
struct ContactBody {
    F static_friction, friction, restitution;
    Vec3<F> x, anchor;  // vertex and anchor, moved with the body
};

template <class F>
RINGLET_KERNEL ContactBody<F> contact_body(const RodUniforms& p, F index, Vec3<F> x,
                                           Vec3<F> anchor) {
    ContactBody<F> out = {F(0), F(0), F(0), x, anchor};
    for (int k = 0; k < p.collider_count; ++k) {
        const PlacedCollider& body = p.colliders[k];
        const auto mine = abs(index - F(static_cast<float>(k))) < F(0.5f);
        out.static_friction = select(mine, F(body.static_friction), out.static_friction);
        out.friction = select(mine, F(body.friction), out.friction);
        out.restitution = select(mine, F(body.restitution), out.restitution);
        out.x = select(mine, moved_with(body, x), out.x);
        out.anchor = select(mine, moved_with(body, anchor), out.anchor);
    }
    return out;
}

// The contact planes of a vertex.
template <class F>
struct Planes {
    Sym3<F> normals, tangents;  // sum of n n^T; projection onto the remaining directions
    Vec3<F> offsets;            // sum of n (n . p), with p relative to the vertex
    F depth, count;
    Vec3<F> end;  // end of the path, projected onto each plane in turn
    Hit<F> deepest;
    F stiffness;            // relative: 1 if the vertex touches a body itself
    F least_hardness;       // of contacts with thin bodies
    Mask<F> only_segments;  // touch a body, the vertex does not

    // Adds a plane with the normal n, which moves the end of the path by `push`.
    RINGLET_KERNEL void add(Vec3<F> n, F push) {
        depth = depth + push;
        end += n * push;
        const Vec3<F> across = tangents * n;
        const F size = norm(across);
        const F unit = select(size > F(kParallel), F(1) / max(size, F(kParallel)), F(0));
        tangents = tangents - outer(across * unit);
    }
};

// `start` and `end` are those of the path of the vertex at x.
template <class F, class M>
RINGLET_KERNEL Planes<F> gather_planes(const RodUniforms& p, Vec3<F> x, Vec3<F> start, Vec3<F> end,
                                       F gap, M wanted) {
    const Start<F> first = start_at(p.colliders[0], start);
    Planes<F> out = {
        isotropic(F(0)), isotropic(F(1)), zero_vec3<F>(), F(0), F(0), end, {}, F(1), F(0),
        F(1) < F(0)};
    for (int k = 0; k < kMaxHits; ++k) {
        const Hit<F> hit = deepest_hit(p, first, start, out.end, gap, wanted);
        if (k == 0) out.deepest = hit;
        const auto active = hit.depth > F(k == 0 && p.stage == StepStage::whole ? 0.0f : kMinDepth);
        if (!any(active)) break;
        wanted = active;  // the other lanes would find the same planes again
        const Vec3<F> n = select(active, hit.normal, zero_vec3<F>());
        out.normals = out.normals + outer(n);
        out.offsets += n * dot(n, hit.plane - x);
        out.count = out.count + select(active, F(1), F(0));
        out.add(n, select(active, hit.depth, F(0)));
    }
    return out;
}

// Adds the contacts of both segments of vertex i with thin bodies.
template <class F, class M>
RINGLET_KERNEL void add_segment_planes(const RodUniforms& p, const Strand<F>& s, int i, M wanted,
                                       Planes<F>& out) {
    const float max_rise = kLeavingSpeed * p.span;
    const auto touches_itself = out.count > F(0);
    F stiffness = F(0);
    for (int j = i - 1; j <= i + 1; j += 2) {
        if (j < 0 || j >= s.rows) continue;
        const SegmentPlane<F> plane = segment_plane(p, s, i, j, max_rise);
        const auto active = wanted && plane.active;
        if (!any(active)) continue;
        const Vec3<F> n = select(active, plane.hit.normal, zero_vec3<F>());
        const F push = select(active, plane.push, F(0));
        out.normals = out.normals + outer(n) * plane.stiffness;
        out.offsets += n * (plane.target * plane.stiffness);
        out.add(n, push);
        stiffness = max(stiffness, select(active, plane.stiffness, F(0)));
        const F depth = select(active, plane.hit.depth, F(0));
        out.least_hardness = max(out.least_hardness, F(kHardnessPerDepth) * depth / plane.hit.kept);
        const auto deeper = active && (push > out.deepest.depth);
        const Hit<F> hit = {push, plane.hit.body, n, out.end, plane.hit.start_height};
        out.deepest = select_hit(deeper, hit, out.deepest);
    }
    out.only_segments = !touches_itself && (stiffness > F(0));
    out.stiffness = select(touches_itself || !(stiffness > F(0)), F(1), stiffness);
}

// A row; the rest of it is read only if one of its vertices may touch a body.
template <class F>
struct ContactRow : RowView<Strand<F>> {
    enum { kInContact, kX, kV = 4, kW = 7, kGap, kFloats };

    template <class Visit>
    RINGLET_KERNEL static void visit(const Strand<F>& s, const Visit& visit) {
        visit(s.in_contact, kInContact);
    }
    RINGLET_KERNEL static bool has_more(const Strand<F>& s, int row) {
        return any(s.in_contact[row] > F(0));
    }
    template <class Visit>
    RINGLET_KERNEL static void visit_more(const Strand<F>& s, const Visit& visit) {
        visit(s.x, kX);
        visit(s.v, kV);
        visit(s.w, kW);
        visit(s.gap, kGap);
    }
    RINGLET_KERNEL F in_contact() const { return this->get(this->strand.in_contact, kInContact); }
    RINGLET_KERNEL Vec3<F> x() const { return this->get(this->strand.x, kX); }
    RINGLET_KERNEL Vec3<F> v() const { return this->get(this->strand.v, kV); }
    RINGLET_KERNEL F w() const { return this->get(this->strand.w, kW); }
    RINGLET_KERNEL F gap() const { return this->get(this->strand.gap, kGap); }
};

// With M = I + k (sum n n^T + [sticks] T), the inverse mass of the vertex becomes w M^-1 and its
// free displacement M^-1 (y + k sum n (n.p) + [sticks] k T A). Coulomb friction: it sticks while
// the compliant pull of the anchor, k/(1+k) |u|, is at most mu_s times the push k/(1+k) D;
// otherwise friction is mu_k times the push. Sets contact_mass and friction_state; a vertex without
// planes moves as if there were no bodies. Returns where a vertex meets a body faster than a
// resting one does.
template <class F>
RINGLET_KERNEL Mask<F> resolve(const RodUniforms& p, const Strand<F>& s, const ContactRow<F>& row,
                               const VertexStep<F>& step, Vec3<F> move, const Planes<F>& planes,
                               F hardness) {
    const int i = row.row;
    const Vec3<F> x = row.x(), zero = zero_vec3<F>();
    const auto active = planes.depth > F(0);
    const F k = select(active, hardness, F(0)), own_k = k * planes.stiffness;
    const F share = own_k / (F(1) + own_k);
    const ContactBody<F> ground = contact_body(p, planes.deepest.body, step.start, s.anchor[i]);
    const auto same_body =
        (s.anchor_body[i] >= F(0)) && (abs(s.anchor_body[i] - planes.deepest.body) < F(0.5f));
    const Vec3<F> anchor = select(same_body, ground.anchor, ground.x);
    const Vec3<F> slip = planes.tangents * (planes.end - anchor);
    const F push = share * planes.depth, slipped = norm(slip);
    const auto sticks = active && (share * slipped <= ground.static_friction * push);
    const Vec3<F> along = slip * (F(1) / max(slipped, F(kTiny)));
    const Vec3<F> drag = select(sticks, zero, along * (ground.friction * push));
    const F hold = select(sticks, own_k, F(0));
    const Sym3<F> soft = inverse(isotropic(F(1)) + planes.normals * k + planes.tangents * hold);
    const Vec3<F> pulled =
        move - drag + planes.offsets * k + (planes.tangents * (anchor - x)) * hold;
    const auto inside = active && (planes.deepest.start_height < F(0));
    // Only a new contact bounces.
    const Vec3<F> n = planes.deepest.normal, ground_v = (ground.x - step.start) * F(1 / p.span);
    const F approach = dot(n, ground_v - row.v());
    const F bounce = rebound_speed(ground.restitution, approach, p.span);
    const auto is_new = active && !inside && (s.anchor_body[i] < F(0));
    const auto bounces = is_new && (bounce > F(0));
    const F ground_speed = dot(n, ground_v);
    s.contact_mass.set(i, {soft * step.w, soft * pulled});
    s.friction_state.set(i, {select(active, planes.deepest.body, F(-1)),
                             select(sticks, anchor, drag * (F(1) / max(own_k, F(kTiny)))),
                             select(sticks, F(1), F(0)), select(inside || bounces, n, zero),
                             select(inside, ground_speed, F(kUnboundedSpeed)),
                             select(bounces, ground_speed + bounce, F(-kUnboundedSpeed))});
    s.in_contact.set(i, select(active, F(kTouching), min(row.in_contact(), F(kNear))));
    return is_new && (approach > F(kRestingFall * p.span));
}

// The stiffness of a contact in units of M/h^2, from that for half a step. New contacts of the
// second stage are not softer than contacts of the first that last.
template <class F>
RINGLET_KERNEL F contact_stiffness(const RodUniforms& p, const VertexStep<F>& step, F hardness) {
    if (p.stage == StepStage::whole) return hardness;
    constexpr float g = sdirk2::kGamma;
    const F scale = select(step.is_long, F(4 * (1 - g) * (1 - g)), F(4 * g * g));
    return max(hardness * scale, F(p.contact_start * (p.stage == StepStage::second ? 2.0f : 1.0f)));
}

// Resolves the contacts of these vertices. Returns the row after the last of them, 0 if there are
// none, and adds strands that fall onto a body to `impact`.
template <class F>
RINGLET_KERNEL int resolve_contacts(const RodUniforms& p, const Strand<F>& s, Mask<F>& impact) {
    int near_end = 0;
    RowStream<ContactRow<F>, Strand<F>> rows(s, 0, 1, s.rows);
    for (int i = 0; i < s.rows; ++i) {
        const ContactRow<F> row = rows.next();
        const auto may_touch = row.in_contact() > F(kFar);
        if (!any(may_touch)) continue;
        near_end = i + 1;
        const VertexStep<F> step = step_of(p, s, i);
        const Vec3<F> x = row.x(), move = free_move(p, s, i, x, row.v(), row.w(), step.h);
        const Pinch<F> pinch = find_pinch(p, step.start, row.gap());
        const Vec3<F> end = x + move - s.pull(i) * step.w;
        Planes<F> planes = gather_planes(p, x, step.start, end, pinch.gap, may_touch);
        if (p.has_thin_bodies) add_segment_planes(p, s, i, may_touch, planes);
        const auto is_soft = pinch.pinched || (planes.count > F(1.5f));
        F hardness = select(is_soft, F(p.contact_start), s.hardness[i]);
        hardness = select(planes.only_segments, F(kSegmentHardness), hardness);
        const auto falls = row.in_contact() > F(kTouching);
        const F stiffness = contact_stiffness(p, step, hardness);
        const auto hits =
            resolve(p, s, row, step, move, planes, max(stiffness, planes.least_hardness));
        impact = impact || falls || hits;
    }
    return near_end;
}

// Contacts of the n-th solve of the substep. Returns the row after the last vertex that may be in
// contact; 0, and sets nothing, if no vertex of the block comes near a body. A GPU runs
// detect_contacts() for the first solve in RodKernel::row_pass(), whose results the first attempt
// changes.
template <class F>
RINGLET_OUTLINED int find_contacts(const RodUniforms& p, const Strand<F>& s, int n,
                                   Mask<F>& impact) {
    if (p.collider_count == 0) return 0;
    const bool may_last = p.stage == StepStage::second && any(s.recent_contact[0] > F(0));
    if (!kOnGpu && n == 0 && find_clearances(p, s) && !may_last) return 0;
    if (!kOnGpu || n > 0 || s.attempt == Attempt::second) detect_contacts(p, s, n, 0, s.rows);
    return resolve_contacts(p, s, impact);
}

// m; a vertex may sink this deep into a body in a long step. Contacts at rest are less compliant.
inline constexpr float kMaxSinking = 5e-4f;

// Whether limit_depth() concerns vertex i.
template <class F>
RINGLET_KERNEL Mask<F> may_sink(const RodUniforms& p, const Strand<F>& s, int i) {
    const auto is_near = s.in_contact[i] > F(kFar);
    if (!any(is_near)) return is_near;
    const VertexStep<F> step = step_of(p, s, i);
    return is_near && step.is_long && (step.w > F(0));
}

// The move that takes vertex i, which the step takes to `end`, out of the bodies into which it
// sinks: to the depth at which it started, or to kMaxSinking.
template <class F>
RINGLET_KERNEL Vec3<F> push_out_of_bodies(const RodUniforms& p, const Strand<F>& s, int i,
                                          Vec3<F> end) {
    const F widest = s.gap[i];
    Vec3<F> push = zero_vec3<F>();
    for (int k = 0; k < p.collider_count; ++k) {
        const PlacedCollider& body = p.colliders[k];
        if (body.is_thin) continue;  // hold_segments()
        const SurfacePoint<F> surface = nearest_surface(body, end + push);
        if (!any(widest - surface.distance > F(kMaxSinking))) continue;
        const Vec3<F> start = step_of(p, s, i).start;
        const F gap = find_pinch(p, start, widest).gap;
        const F depth = gap - surface.distance;
        const F before = gap - start_at(body, start).surface.distance;
        push += surface.normal * max(depth - max(before, F(kMaxSinking)), F(0));
    }
    return push;
}

// After the substep: a lasting contact becomes stiffer, and the anchor follows a sliding vertex.
// `x` is the new position of the vertex.
template <class F>
RINGLET_KERNEL void age_contact(const RodUniforms& p, const Strand<F>& s, int i,
                                const FrictionState<F>& c, Vec3<F> x) {
    const F harder = min(s.hardness[i] * F(2), F(p.contact_limit));
    s.hardness.set(i, select(c.body >= F(0), harder, F(p.contact_start)));
    s.anchor_body.set(i, c.body);
    const Vec3<F> anchor = select(c.sticks > F(0), c.hold, x - c.hold);
    s.anchor.set(i, select(c.body >= F(0), anchor, s.anchor[i]));
}

// The same for a vertex without contact. A CPU does nothing if it had no contact before; on a GPU
// reading that takes longer than writing.
template <class F>
RINGLET_KERNEL void reset_contact(const RodUniforms& p, const Strand<F>& s, int i) {
    const F start = F(p.contact_start);
    if constexpr (!kOnGpu) {
        const F hardness = s.hardness[i];
        if (!any((s.anchor_body[i] >= F(0)) || (hardness < start) || (hardness > start))) return;
    }
    s.hardness.set(i, start);
    s.anchor_body.set(i, F(-1));
}

// Limits the exit speed of a vertex that started inside a body, or makes a vertex bounce.
template <class F>
RINGLET_KERNEL Vec3<F> bounded_exit(const FrictionState<F>& c, Vec3<F> v) {
    const F speed = dot(c.normal, v);
    v -= c.normal * max(speed - c.max_speed, F(0));
    return select(c.min_speed > speed, v + c.normal * (c.min_speed - speed), v);
}

// Updates all contacts after the substep. `near_end` is the result of find_contacts().
template <class F>
RINGLET_KERNEL void finish_contacts(const RodUniforms& p, const Strand<F>& s, int near_end) {
    const bool had_contact = any(s.recent_contact[0] > F(0));
    if (near_end == 0 && !had_contact) return;
    bool any_contact = false;
    for (int i = 0; i < (had_contact ? s.rows : near_end); ++i) {
        if (i >= near_end || !any(s.in_contact[i] > F(0))) {
            if (had_contact) reset_contact(p, s, i);
            continue;
        }
        any_contact = true;
        const FrictionState<F> state = s.friction_state[i];
        age_contact(p, s, i, state, s.x_out[i]);
        s.v_out.set(i, bounded_exit(state, s.v_out[i]));
    }
    s.recent_contact.set(0, F(any_contact ? 1.0f : 0.0f));
}

}  // namespace ringlet::rod
