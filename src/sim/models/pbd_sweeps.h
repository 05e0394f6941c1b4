// The distances of pbd_kernel.h, and how sweeps over the constraints of a strand follow one
// another.
#pragma once

#include "sim/kernels/constraints.h"
#include "strand/rows.h"

namespace ringlet {

inline constexpr int kMaxPbdPairs = 8;

namespace pbd {

// Inverse masses: one number for the free vertices, 0 for what the head holds and for padding.
template <class F>
struct InverseMass {
    F free, end;
    int first_free, all_free_end;  // between these the vertices of all strands at hand are free

    RINGLET_KERNEL InverseMass(F free_w, F end_row, int first, int rows)
        : free(free_w), end(end_row), first_free(first), all_free_end(rows) {
        while (all_free_end > 0 && any(F(static_cast<float>(all_free_end - 1)) >= end))
            --all_free_end;
    }
    RINGLET_KERNEL F operator[](int i) const {
        return i < first_free ? F(0) : select(F(static_cast<float>(i)) < end, free, F(0));
    }
};

// The vertices of a strand.
template <class F>
struct Vertices {
    int rows;
    Rows3<F> x, u;  // at the start of the substep; moved so far
    InverseMass<F> w;

    RINGLET_KERNEL Moving<F> vertex(int i) const { return {x[i], u[i], w[i]}; }
};

// The distance between two vertices, either of which may be held; l < 0 switches it off.
template <class F>
RINGLET_KERNEL void project_any_distance(Moving<F>& a, Moving<F>& b, F l, float stiffness) {
    const auto a_moves = a.w > F(0), b_moves = b.w > F(0);
    const F share = select(a_moves && b_moves, F(0.5f * stiffness), F(stiffness));
    const Vec3<F> move = distance_error_vector(b.x - a.x, a.u, b.u, l, share);
    a.u = select((l >= F(0)) && a_moves, a.u + move, a.u);
    b.u = select((l >= F(0)) && b_moves, b.u - move, b.u);
}

// A distance one of whose ends may be held. Out of line, for few are, and the code for the others
// is short.
template <class F>
RINGLET_OUTLINED void project_held_span(const Vertices<F>& s, int i, int j, ConstRows1<F> rest,
                                        float stiffness) {
    Moving<F> a = s.vertex(i), b = s.vertex(j);
    project_any_distance(a, b, rest[i], stiffness);
    s.u.set(i, a.u);
    s.u.set(j, b.u);
}

// Distances from each vertex to the one `span` on.
struct Spans {
    int span;
    const float* rest;  // m
    float stiffness;
    float* apart;  // m, the way between them at the start of the substep; unused on a GPU
};

template <class F>
RINGLET_KERNEL void keep_apart(const Vertices<F>& s, const Spans& spans) {
    for (int i = 0; i + spans.span < s.rows; ++i)
        Rows3<F>{spans.apart}.set(i, s.x[i + spans.span] - s.x[i]);
}

template <class F>
RINGLET_KERNEL void project_span(const Vertices<F>& s, const Spans& spans, int i) {
    const int j = i + spans.span;
    const ConstRows1<F> rest{spans.rest};
    if (i < s.w.first_free || j >= s.w.all_free_end)
        return project_held_span(s, i, j, rest, spans.stiffness);
    const Vec3<F> u_a = s.u[i], u_b = s.u[j];
    const Vec3<F> apart = kOnGpu ? s.x[j] - s.x[i] : ConstRows3<F>{spans.apart}[i];
    const Vec3<F> move = distance_error_vector(apart, u_a, u_b, rest[i], F(0.5f * spans.stiffness));
    s.u.set(i, u_a + move);
    s.u.set(j, u_b - move);
}

// One kind of constraint, projected from root to tip. Its step i moves vertices i to i + ahead.
struct Sweep {
    enum Kind { goals, distances, bends, contacts } kind;
    int ahead;
    Spans spans{};  // of distances
    int lag = 0;    // steps after the first sweep of the iteration
};

// What an iteration does, in order. A constraint from the first vertex to the last lets nothing
// pass: it parts the sweeps before it from those after it.
struct Sweeps {
    Sweep at[kMaxPbdPairs + 4];
    int count = 0;
    int period = 0;  // steps from an iteration to the next

    RINGLET_KERNEL void add(Sweep sweep) {
        if (count > 0) sweep.lag = at[count - 1].lag + sweep.ahead + 1;
        at[count++] = sweep;
        period = sweep.lag + at[0].ahead + 1;
    }
};

// All sweeps of all iterations, each following the one before at a distance: as soon as that has
// left the vertices a step needs. The outcome is that of one sweep after the other, but steps of
// several sweeps, which do not wait for one another, are under way at any time; within a sweep each
// step waits for the root and the division of the one before. `beside` is told of every step.
template <class Beside, class Project>
RINGLET_KERNEL void run_sweeps(int rows, const Sweeps& sweeps, int iterations, Beside& beside,
                               const Project& project) {
    if (sweeps.count == 0) return;
    const Sweep& last = sweeps.at[sweeps.count - 1];
    int first = 0, end = 0;  // iterations under way
    for (int t = 0; first < iterations; ++t) {
        beside(t);
        if (end < iterations && t >= end * sweeps.period) ++end;
        for (int n = first; n < end; ++n)
            for (int k = 0; k < sweeps.count; ++k) {
                const Sweep& sweep = sweeps.at[k];
                const int i = t - n * sweeps.period - sweep.lag;
                if (i < 0) break;
                if (i + sweep.ahead < rows) project(sweep, i);
            }
        if (t - first * sweeps.period - last.lag + last.ahead >= rows) ++first;
    }
}

// A sweep over distances in one of the iterations.
struct Runner {
    const float *apart, *rest;
    std::ptrdiff_t span;       // floats from a vertex to the one it is held to
    float share;               // of the error, that each of them closes
    int start, end;            // steps; it works in those from start to before end
    int free_start, free_end;  // ... and in these on vertices that are free in all lanes
    const Spans* spans;
};

// Step t of sweeps on free vertices.
template <class F>
RINGLET_KERNEL void project_free(const Vertices<F>& s, const Runner* runner, const Runner* end,
                                 int t) {
    constexpr int kWidth = kRowWidthOf<F>;
    float* const u = s.u.at;
    for (; runner != end; ++runner) {
        const std::ptrdiff_t row = row_offset(t - runner->start, 1, kWidth);
        float* const a = u + 3 * row;
        float* const b = a + runner->span;
        const Vec3<F> u_a = load_vec3<F>(a, kWidth), u_b = load_vec3<F>(b, kWidth);
        const Vec3<F> apart = load_vec3<F>(runner->apart + 3 * row, kWidth);
        const Vec3<F> move =
            distance_error_vector(apart, u_a, u_b, load<F>(runner->rest + row), F(runner->share));
        store_vec3(a, kWidth, u_a + move);
        store_vec3(b, kWidth, u_b - move);
    }
}

inline constexpr int kMaxRunners = 96;

// Room for them, in floats, and where in it they are. It is part of the scratch, beside the rows:
// on the stack, one run in three took up to 40 % longer, by where the stack happened to lie.
inline constexpr int kRunnerRoom = kMaxRunners * sizeof(Runner) / sizeof(float) + 16;
RINGLET_KERNEL Runner* runners_in(float* room) {
    const auto to_line = -reinterpret_cast<std::uintptr_t>(room) % 64;
    return reinterpret_cast<Runner*>(room + to_line / sizeof(float));
}

// run_sweeps() of distances, of so few iterations that there are at most kMaxRunners. Sweeps start,
// come to free vertices, leave them and end in the same order.
template <class F, class Beside>
RINGLET_KERNEL void run_together(const Vertices<F>& s, const Sweeps& sweeps, int iterations,
                                 float* room, Beside& beside) {
    Runner* const all = runners_in(room);
    int count = 0;
    for (int n = 0; n < iterations; ++n)
        for (int k = 0; k < sweeps.count; ++k) {
            const Spans& spans = sweeps.at[k].spans;
            const int start = n * sweeps.period + sweeps.at[k].lag;
            all[count++] = {spans.apart,
                            spans.rest,
                            row_offset(spans.span, 3, kRowWidthOf<F>),
                            0.5f * spans.stiffness,
                            start,
                            start + s.rows - spans.span,
                            start + s.w.first_free,
                            start + s.w.all_free_end - spans.span,
                            &spans};
        }
    const auto project_held = [&](int from, int to, int t) {
        for (int k = from; k < to; ++k) {
            const Spans& spans = *all[k].spans;
            const int i = t - all[k].start;
            if (t < all[k].end)
                project_held_span(s, i, i + spans.span, ConstRows1<F>{spans.rest}, spans.stiffness);
        }
    };
    int ended = 0, left = 0, arrived = 0, started = 0;
    for (int t = 0; ended < count; ++t) {
        beside(t);
        while (started < count && t >= all[started].start) ++started;
        while (arrived < started && t >= all[arrived].free_start) ++arrived;
        while (left < arrived && t >= all[left].free_end) ++left;
        while (ended < left && t >= all[ended].end) ++ended;
        project_held(ended, left, t);
        project_free(s, all + left, all + arrived, t);
        project_held(arrived, started, t);
    }
}

template <class F, class Beside>
RINGLET_OUTLINED void run_distances(const Vertices<F>& s, const Sweeps& sweeps, int iterations,
                                    float* room, Beside& beside) {
#ifdef __CUDA_ARCH__
    run_sweeps(s.rows, sweeps, iterations, beside,
               [&s](const Sweep& sweep, int i) { project_span(s, sweep.spans, i); });
#else
    const int together = kMaxRunners / sweeps.count;
    for (int n = 0; n < iterations; n += together)
        run_together(s, sweeps, iterations - n < together ? iterations - n : together, room,
                     beside);
#endif
}

}  // namespace pbd

}  // namespace ringlet
