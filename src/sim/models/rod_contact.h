// Contact of the rod with bodies, inside its solve: a vertex that would enter a body gets a 3x3
// inverse mass, small across the surface, and small along it too where friction holds.
//
// A contact is compliant: soft when new, twice as hard each substep it lasts. Hard planes from the
// start make energy against a stiff rod. Friction holds on to an anchor that rides on the body: a
// friction that only opposes velocity creeps. docs/models/rod.md tells what was measured.
#pragma once

#include "sim/kernels/rebound.h"
#include "sim/models/rod_block.h"

namespace ringlet::rod {

// m/s; what starts inside a body leaves it no faster.
inline constexpr float kLeavingSpeed = 1;
inline constexpr int kMostHits = 3, kWalkSteps = 4;
// m; a further plane counts only if it is crossed by more than that.
inline constexpr float kRepeatDepth = 1e-6f;
// Sine of the angle below which two planes are one.
inline constexpr float kParallel = 0.05f;

inline constexpr float kAnySpeed = 1e9f;

// A plane met on the way of a vertex; depth is how far the end of the way is behind it.
template <class F>
struct Hit {
    F depth, body;
    Vec3<F> normal, plane;  // plane: a point of it
    F start_height;         // of the start of the way over the gap; negative inside
};

// Where the body took a vertex, and its surface nearest to that.
template <class F>
struct Start {
    Vec3<F> x;
    SurfacePoint<F> surface;
};

template <class F>
RINGLET_KERNEL Start<F> start_at(const PlacedCollider& body, Vec3<F> x) {
    const Vec3<F> taken = moved_with(body, x);
    return {taken, nearest_surface(body, taken)};
}

// Walks from the start to `end` by distances to the body, which never step over its surface, to
// where it is first met. The plane is taken there: at the end of the way the nearest surface may
// well be the body's other side. Depth is 0 where no hit is asked for.
template <class F, class M>
RINGLET_KERNEL Hit<F> first_hit(const PlacedCollider& body, const Start<F>& start, Vec3<F> end,
                                F gap, F most_rise, M wanted) {
    const Vec3<F> way = end - start.x;
    const F length = norm(way);
    const Vec3<F> along = way * (F(1) / max(length, F(kTiny)));
    SurfacePoint<F> surface = start.surface;
    F height = surface.distance - gap, gone = F(0);
    const F start_height = height;
    const auto is_near = wanted && (start_height < length);
    for (int k = 0; k < kWalkSteps; ++k) {
        const F next = select(is_near, min(gone + max(height, F(0)), length), gone);
        if (!any(next > gone)) break;  // all have arrived
        gone = next;
        surface = nearest_surface(body, start.x + along * gone);
        height = surface.distance - gap;
    }
    // What starts inside is let out gently.
    const F lowered = min(start_height + most_rise, F(0));
    const Vec3<F> plane = start.x + along * gone + surface.normal * (lowered - height);
    const F depth = -dot(surface.normal, end - plane);
    return {select(is_near, depth, F(0)), F(-1), surface.normal, plane, start_height};
}

// How far a vertex at x may go before it is within `gap` of any body; the body's own way counts
// too: |end - start| <= |end - x| + |x - start|. The last factors are rounding.
template <class F>
RINGLET_KERNEL F free_way(F clearance, F moved) {
    return (clearance - moved) * F(0.9999f) - F(1e-6f);
}

// Whether any body is within reach of the way. No way shorter than `free` reaches any.
template <class F>
struct Nearness {
    decltype(F(0) < F(1)) reached;
    F free;
};

template <class F>
RINGLET_KERNEL Nearness<F> look_around(const RodUniforms& p, Vec3<F> x, Vec3<F> end, F gap) {
    Nearness<F> out = {F(1) < F(0), F(1e9f)};
    for (int k = 0; k < p.collider_count; ++k) {
        const Vec3<F> start = moved_with(p.colliders[k], x);
        const F clearance = nearest_surface(p.colliders[k], start).distance - gap;
        out.reached = out.reached || (clearance < norm(end - start));
        out.free = min(out.free, free_way(clearance, norm(start - x)));
    }
    return out;
}

// The gap to keep: less than asked for where a vertex is squeezed between two bodies.
template <class F>
struct Squeeze {
    decltype(F(0) < F(1)) squeezed;
    F gap;
};

template <class F>
RINGLET_KERNEL Squeeze<F> look_for_squeeze(const RodUniforms& p, Vec3<F> x, F gap) {
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
    const auto squeezed = (dot(first_normal, second_normal) < F(-0.7f)) && (room < F(4) * gap);
    return {squeezed, select(squeezed, min(gap, F(0.45f) * room), gap)};
}

// No more than nearest_surface gives for any point within `radius` of `centre`.
template <class F>
RINGLET_KERNEL F least_distance(const PlacedCollider& body, Vec3<F> centre, F radius) {
    if (body.shape == ColliderShape::ellipsoid) return F(-1);
    if (body.shape != ColliderShape::mesh) return nearest_surface(body, centre).distance - radius;
    // What is outside the grid is that far from it, and the surface is further inside.
    const Rigid<F> pose = splat_rigid<F>(body.pose);
    const Vec3<F> own = rotate(conjugate(pose.rotation), centre - pose.translation);
    const DistanceGrid& grid = body.grid;
    const Vec3<F> q = (own - splat<F>(grid.low)) * F(grid.per_cell);
    const F out = norm(q - cell_of(grid, q).closest) * F(grid.cell) - radius;
    return select(out > F(0), out + F(grid.inset), F(-1));
}

// How far any vertex of the strand may go before it meets a body, from a ball around the strand:
// nearly nothing to compute where bodies are far.
template <class F>
RINGLET_KERNEL F free_way_of_strand(const RodUniforms& p, const Strand<F>& s) {
    Vec3<F> low = s.x[0], high = low;
    F gap = s.gap[0];
    for (int i = 1; i < s.rows; ++i) {
        const Vec3<F> x = s.x[i];
        low = {min(low.x, x.x), min(low.y, x.y), min(low.z, x.z)};
        high = {max(high.x, x.x), max(high.y, x.y), max(high.z, x.z)};
        gap = max(gap, s.gap[i]);
    }
    const Vec3<F> centre = (low + high) * F(0.5f);
    const F radius = norm(high - low) * F(0.50005f) + F(1e-6f);
    F free = F(1e9f);
    for (int k = 0; k < p.collider_count; ++k) {
        const PlacedCollider& body = p.colliders[k];
        if (body.grid.moves) return F(-1);
        const F distance = least_distance(body, moved_with(body, centre), radius);
        const F away = norm(centre - splat<F>(body.motion_bound.origin)) + radius;
        free = min(free, free_way(distance - gap, body.motion_bound.max_displacement(away)));
    }
    return free;
}

// How far a vertex at x may go at least before it meets a body, from a single sample of a mesh's
// grid; 0 or less where that is not known.
template <class F>
RINGLET_KERNEL F coarse_free_way(const RodUniforms& p, Vec3<F> x, F gap) {
    F free = F(1e9f);
    for (int k = 0; k < p.collider_count; ++k) {
        const PlacedCollider& body = p.colliders[k];
        if (body.grid.moves) return F(-1);
        const Vec3<F> d = x - splat<F>(body.motion_bound.origin);
        const F distance = body.shape == ColliderShape::mesh
                               ? sample_coarsely(body.grid, body.motion_bound.to_body(d))
                               : nearest_surface(body, moved_with(body, x)).distance;
        free = min(free, free_way(distance - gap, body.motion_bound.max_displacement(norm(d))));
    }
    return free;
}

// Where the forces known so far take a vertex, from its place; a held one goes nowhere by itself.
template <class F>
RINGLET_KERNEL Vec3<F> way_of(const RodUniforms& p, const Strand<F>& s, int i) {
    const F w = s.w[i];
    const Vec3<F> move = free_move(p, s, i, s.x[i], s.v[i], w);
    return select(w > F(0), move - s.pull(i) * w, zero_vec3<F>());
}

template <class F>
RINGLET_KERNEL decltype(F(0) < F(1)) is_shorter(Vec3<F> way, F free) {
    const F most = max(free, F(0));
    return dot(way, way) < most * most;
}

RINGLET_KERNEL bool has_mesh(const RodUniforms& p) {
    bool out = false;
    for (int k = 0; k < p.collider_count; ++k)
        out = out || p.colliders[k].shape == ColliderShape::mesh;
    return out;
}

// Sets how far every vertex may go at least before it meets a body; 0 or less where that is not
// known. Returns whether none of the block gets there.
template <class F>
RINGLET_KERNEL bool find_free_ways(const RodUniforms& p, const Strand<F>& s) {
    const F strand_free = free_way_of_strand(p, s);
    auto is_far = strand_free > F(0);
    for (int i = 0; i < s.rows; ++i) is_far = is_far && is_shorter(way_of(p, s, i), strand_free);
    const bool all_far = !any(!is_far), looks = !all_far && has_mesh(p);
    for (int i = 0; i < s.rows; ++i) {
        const F free = looks ? coarse_free_way(p, s.x[i], s.gap[i]) : F(-1);
        s.free.set(i, select(is_far, strand_free, free));
    }
    return all_far;
}

// The deepest of the first hits of all bodies on the way to `end`. `first` is the start for the
// first body, which often is the only one.
template <class F, class M>
RINGLET_KERNEL Hit<F> deepest_hit(const RodUniforms& p, const Start<F>& first, Vec3<F> x,
                                  Vec3<F> end, F gap, M wanted) {
    Hit<F> out = {F(0), F(-1), zero_vec3<F>(), zero_vec3<F>(), F(0)};
    for (int k = 0; k < p.collider_count; ++k) {
        const Start<F> start = k == 0 ? first : start_at(p.colliders[k], x);
        const Hit<F> hit =
            first_hit(p.colliders[k], start, end, gap, F(kLeavingSpeed * p.h), wanted);
        const auto deeper = hit.depth > out.depth;
        out.depth = select(deeper, hit.depth, out.depth);
        out.body = select(deeper, F(static_cast<float>(k)), out.body);
        out.normal = select(deeper, hit.normal, out.normal);
        out.plane = select(deeper, hit.plane, out.plane);
        out.start_height = select(deeper, hit.start_height, out.start_height);
    }
    return out;
}

// What friction needs to know of the body a vertex is deepest in.
template <class F>
struct Ground {
    F static_friction, friction, restitution;
    Vec3<F> x, anchor;  // where the body took the vertex and its anchor
};

template <class F>
RINGLET_KERNEL Ground<F> ground_of(const RodUniforms& p, F touched, Vec3<F> x, Vec3<F> anchor) {
    Ground<F> out = {F(0), F(0), F(0), x, anchor};
    for (int k = 0; k < p.collider_count; ++k) {
        const PlacedCollider& body = p.colliders[k];
        const auto mine = abs(touched - F(static_cast<float>(k))) < F(0.5f);
        out.static_friction = select(mine, F(body.static_friction), out.static_friction);
        out.friction = select(mine, F(body.friction), out.friction);
        out.restitution = select(mine, F(body.restitution), out.restitution);
        out.x = select(mine, moved_with(body, x), out.x);
        out.anchor = select(mine, moved_with(body, anchor), out.anchor);
    }
    return out;
}

// Planes met by one vertex, gathered.
template <class F>
struct Planes {
    Sym3<F> normals, tangents;  // sum of n n^T; projector on what is left
    Vec3<F> places;             // sum of n (n . p), p from x
    F depth, count;
    Vec3<F> end;  // the way's end, moved onto each plane in turn
    Hit<F> deepest;
};

template <class F, class M>
RINGLET_KERNEL Planes<F> gather_planes(const RodUniforms& p, Vec3<F> x, Vec3<F> end, F gap,
                                       M wanted) {
    const Start<F> first = start_at(p.colliders[0], x);
    Planes<F> out = {isotropic(F(0)), isotropic(F(1)), zero_vec3<F>(), F(0), F(0), end, {}};
    for (int k = 0; k < kMostHits; ++k) {
        const Hit<F> hit = deepest_hit(p, first, x, out.end, gap, wanted);
        if (k == 0) out.deepest = hit;
        // Once on a plane, rounding must not count it again.
        const auto active = hit.depth > F(k == 0 ? 0.0f : kRepeatDepth);
        if (!any(active)) break;
        wanted = active;  // the others would find again what they found
        const Vec3<F> n = select(active, hit.normal, zero_vec3<F>());
        const F depth = select(active, hit.depth, F(0));
        out.normals = out.normals + outer(n);
        out.places += n * dot(n, hit.plane - x);
        out.depth = out.depth + depth;
        out.count = out.count + select(active, F(1), F(0));
        out.end += n * depth;
        const Vec3<F> across = out.tangents * n;
        const F size = norm(across);
        const F unit = select(size > F(kParallel), F(1) / max(size, F(kParallel)), F(0));
        out.tangents = out.tangents - outer(across * unit);
    }
    return out;
}

// A row, of which more is read if a vertex in it may meet a body.
template <class F>
struct MetRow : RowView<Strand<F>> {
    enum { kMet, kX, kV = 4, kW = 7, kGap, kFloats };

    template <class Visit>
    RINGLET_KERNEL static void visit(const Strand<F>& s, const Visit& visit) {
        visit(s.met, kMet);
    }
    RINGLET_KERNEL static bool has_more(const Strand<F>& s, int row) {
        return any(s.met[row] > F(0));
    }
    template <class Visit>
    RINGLET_KERNEL static void visit_more(const Strand<F>& s, const Visit& visit) {
        visit(s.x, kX);
        visit(s.v, kV);
        visit(s.w, kW);
        visit(s.gap, kGap);
    }
    RINGLET_KERNEL F met() const { return this->get(this->strand.met, kMet); }
    RINGLET_KERNEL Vec3<F> x() const { return this->get(this->strand.x, kX); }
    RINGLET_KERNEL Vec3<F> v() const { return this->get(this->strand.v, kV); }
    RINGLET_KERNEL F w() const { return this->get(this->strand.w, kW); }
    RINGLET_KERNEL F gap() const { return this->get(this->strand.gap, kGap); }
};

// M = I + k (sum n n^T + [sticks] T): the vertex's inverse mass becomes w M^-1, and its free move
// M^-1 (y + k sum n (n.p) + [sticks] k T A). Coulomb: it sticks while the compliant pull of the
// anchor, k/(1+k) |u|, is within mu_s of the push, k/(1+k) D; else it is held back by mu_k of it.
// Sets press and grip; a vertex without planes moves as if there were no bodies.
template <class F>
RINGLET_KERNEL void resolve(const RodUniforms& p, const Strand<F>& s, const MetRow<F>& row,
                            Vec3<F> move, const Planes<F>& planes, F hardness) {
    const int i = row.row;
    const Vec3<F> x = row.x(), zero = zero_vec3<F>();
    const auto active = planes.depth > F(0);
    const F k = select(active, hardness, F(0)), share = k / (F(1) + k);
    const Ground<F> ground = ground_of(p, planes.deepest.body, x, s.anchor[i]);
    const auto same_body =
        (s.touched[i] >= F(0)) && (abs(s.touched[i] - planes.deepest.body) < F(0.5f));
    const Vec3<F> anchor = select(same_body, ground.anchor, ground.x);
    const Vec3<F> slip = planes.tangents * (planes.end - anchor);
    const F push = share * planes.depth, slipped = norm(slip);
    const auto sticks = active && (share * slipped <= ground.static_friction * push);
    const Vec3<F> along = slip * (F(1) / max(slipped, F(kTiny)));
    const Vec3<F> held_back = select(sticks, zero, along * (ground.friction * push));
    const F grip = select(sticks, k, F(0));
    const Sym3<F> soft = inverse(isotropic(F(1)) + planes.normals * k + planes.tangents * grip);
    const Vec3<F> pulled =
        move - held_back + planes.places * k + (planes.tangents * (anchor - x)) * grip;
    const auto inside = active && (planes.deepest.start_height < F(0));
    // It bounces where it meets a body anew.
    const Vec3<F> n = planes.deepest.normal, ground_v = (ground.x - x) * F(1 / p.h);
    const F bounce = rebound_speed(ground.restitution, dot(n, ground_v - row.v()), p.h);
    const auto bounces = active && !inside && (s.touched[i] < F(0)) && (bounce > F(0));
    const F ground_speed = dot(n, ground_v);
    s.press.set(i, {soft * row.w(), soft * pulled});
    s.grip.set(i, {select(active, planes.deepest.body, F(-1)),
                   select(sticks, anchor, held_back * (F(1) / max(k, F(kTiny)))),
                   select(sticks, F(1), F(0)), select(inside || bounces, n, zero),
                   select(inside, ground_speed, F(kAnySpeed)),
                   select(bounces, ground_speed + bounce, F(-kAnySpeed))});
}

// Which of the vertices from `first` to before `end` may meet a body on their way to where the
// forces known so far take them, at the n-th solve of the substep. None waits for another.
template <class F>
RINGLET_KERNEL void look_for_bodies(const RodUniforms& p, const Strand<F>& s, int n, int first,
                                    int end) {
    const bool keeps_free_ways = !kOnGpu && n + 1 < p.solves;
    for (int i = first; i < end; ++i) {
        const F w = s.w[i];
        const Vec3<F> x = s.x[i], move = free_move(p, s, i, x, s.v[i], w), back = s.pull(i) * w;
        F free = kOnGpu ? F(-1) : s.free[i];
        auto may_touch = (w > F(0)) && !is_shorter(move - back, free);
        if (any(may_touch)) {
            const Nearness<F> near = look_around(p, x, x + move - back, s.gap[i]);
            free = select(may_touch, near.free, free);
            may_touch = may_touch && near.reached;
        }
        if (keeps_free_ways) s.free.set(i, free);
        s.met.set(i, select(may_touch, F(1), F(0)));
    }
}

// Contact of those vertices. Whether there are any.
template <class F>
RINGLET_KERNEL bool meet_bodies(const RodUniforms& p, const Strand<F>& s) {
    bool touches = false;
    RowStream<MetRow<F>, Strand<F>> rows(s, 0, 1, s.rows);
    for (int i = 0; i < s.rows; ++i) {
        const MetRow<F> row = rows.next();
        const auto may_touch = row.met() > F(0);
        if (!any(may_touch)) continue;
        touches = true;
        const Vec3<F> x = row.x(), move = free_move(p, s, i, x, row.v(), row.w());
        const Squeeze<F> room = look_for_squeeze(p, x, row.gap());
        const Vec3<F> end = x + move - s.pull(i) * row.w();
        const Planes<F> planes = gather_planes(p, x, end, room.gap, may_touch);
        const auto is_soft = room.squeezed || (planes.count > F(1.5f));
        resolve(p, s, row, move, planes, select(is_soft, F(p.contact_start), s.hardness[i]));
    }
    // The strands of a warp are solved together, as if all of them touched something.
    return any_in_warp(touches);
}

// At the n-th solve of the substep. False where none of the block comes near a body: then nothing
// is kept. Where bodies are from the start of the way is the same in every solve; a GPU has looked
// for them before the first (rod_rows).
template <class F>
RINGLET_OUTLINED bool find_contacts(const RodUniforms& p, const Strand<F>& s, int n) {
    if (p.collider_count == 0) return false;
    if (!kOnGpu && n == 0 && find_free_ways(p, s)) return false;
    if (!kOnGpu || n > 0) look_for_bodies(p, s, n, 0, s.rows);
    return meet_bodies(p, s);
}

// After the substep: a contact that lasts hardens, and friction's anchor follows what slides. `x`
// is where the vertex is now.
template <class F>
RINGLET_KERNEL void age_contact(const RodUniforms& p, const Strand<F>& s, int i, const Grip<F>& c,
                                Vec3<F> x) {
    const F harder = min(s.hardness[i] * F(2), F(p.contact_limit));
    s.hardness.set(i, select(c.touched >= F(0), harder, F(p.contact_start)));
    s.touched.set(i, c.touched);
    s.anchor.set(i, select(c.sticks > F(0), c.hold, x - c.hold));
}

// The same where nothing was touched; what touched nothing before has nothing to forget, for its
// anchor holds on to no body.
template <class F>
RINGLET_KERNEL void forget_contact(const RodUniforms& p, const Strand<F>& s, int i) {
    const F start = F(p.contact_start);
    if (!any((s.touched[i] >= F(0)) || (s.hardness[i] < start) || (s.hardness[i] > start))) return;
    s.hardness.set(i, start);
    s.touched.set(i, F(-1));
    s.anchor.set(i, s.x_out[i]);
}

// A vertex that started inside a body keeps no speed from having been pushed out of it; one that
// met it is thrown back.
template <class F>
RINGLET_KERNEL Vec3<F> bounded_exit(const Grip<F>& c, Vec3<F> v) {
    const F speed = dot(c.exit, v);
    v -= c.exit * max(speed - c.most, F(0));
    return select(c.least > speed, v + c.exit * (c.least - speed), v);
}

// After the substep, once per strand.
template <class F>
RINGLET_KERNEL void end_contacts(const RodUniforms& p, const Strand<F>& s, bool touches) {
    const bool forgets = any(s.lately[0] > F(0));
    if (!touches && !forgets) return;
    bool any_met = false;
    for (int i = 0; i < s.rows; ++i) {
        if (!touches || !any(s.met[i] > F(0))) {
            if (forgets) forget_contact(p, s, i);
            continue;
        }
        any_met = true;
        const Grip<F> grip = s.grip[i];
        age_contact(p, s, i, grip, s.x_out[i]);
        s.v_out.set(i, bounded_exit(grip, s.v_out[i]));
    }
    s.lately.set(0, F(any_met ? 1.0f : 0.0f));
}

}  // namespace ringlet::rod
