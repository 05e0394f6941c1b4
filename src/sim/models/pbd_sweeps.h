// The distance constraints of pbd_kernel.h, and the schedule of sweeps over the constraints of a
// strand.
#pragma once

#include "sim/kernels/constraints.h"
#include "strand/rows.h"

namespace ringlet {

inline constexpr int kMaxPbdPairs = 8;

namespace pbd {

// Inverse masses: one value for free vertices, 0 for held vertices and padding.
template <class F>
struct InverseMass {
    F free, end;
    int first_free, all_free_end;  // in [first_free, all_free_end) vertices are free in all lanes

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
    Rows3<F> x, u;  // position at the start of the substep; displacement since then
    InverseMass<F> w;

    RINGLET_KERNEL Moving<F> vertex(int i) const { return {x[i], u[i], w[i]}; }
};

// A distance constraint between two vertices, either of which may be held; l < 0 disables it.
template <class F>
RINGLET_KERNEL void project_any_distance(Moving<F>& a, Moving<F>& b, F l, float stiffness) {
    const auto a_moves = a.w > F(0), b_moves = b.w > F(0);
    const F share = select(a_moves && b_moves, F(0.5f * stiffness), F(stiffness));
    const Vec3<F> move = distance_error_vector(b.x - a.x, a.u, b.u, l, share);
    a.u = select((l >= F(0)) && a_moves, a.u + move, a.u);
    b.u = select((l >= F(0)) && b_moves, b.u - move, b.u);
}

// A distance constraint with vertices that may be held. Not inlined: it is rare, and keeps the code
// of the others short.
template <class F>
RINGLET_OUTLINED void project_held_span(const Vertices<F>& s, int i, int j, ConstRows1<F> rest,
                                        float stiffness) {
    Moving<F> a = s.vertex(i), b = s.vertex(j);
    project_any_distance(a, b, rest[i], stiffness);
    s.u.set(i, a.u);
    s.u.set(j, b.u);
}

// Distance constraints between each vertex i and the vertex i + span.
struct Spans {
    int span;
    const float* rest;  // m
    float stiffness;
    float* offsets;  // m, from i to i + span at the start of the substep; unused on a GPU
};

template <class F>
RINGLET_KERNEL void store_offsets(const Vertices<F>& s, const Spans& spans) {
    for (int i = 0; i + spans.span < s.rows; ++i)
        Rows3<F>{spans.offsets}.set(i, s.x[i + spans.span] - s.x[i]);
}

template <class F>
RINGLET_KERNEL void project_span(const Vertices<F>& s, const Spans& spans, int i) {
    const int j = i + spans.span;
    const ConstRows1<F> rest{spans.rest};
    if (i < s.w.first_free || j >= s.w.all_free_end)
        return project_held_span(s, i, j, rest, spans.stiffness);
    const Vec3<F> u_a = s.u[i], u_b = s.u[j];
    const Vec3<F> offset = kOnGpu ? s.x[j] - s.x[i] : ConstRows3<F>{spans.offsets}[i];
    const Vec3<F> move =
        distance_error_vector(offset, u_a, u_b, rest[i], F(0.5f * spans.stiffness));
    s.u.set(i, u_a + move);
    s.u.set(j, u_b - move);
}

// A pass over one kind of constraint from root to tip. Step i moves vertices i to i + ahead.
struct Sweep {
    enum Kind { goals, distances, bends, contacts, segment_contacts } kind;
    int ahead;
    Spans spans{};  // for distances
    int lag = 0;    // steps behind the first sweep of the iteration
};

// The sweeps of an iteration, in order. A constraint between the first and the last vertex
// separates the sweeps before it from those after it.
struct Sweeps {
    Sweep at[kMaxPbdPairs + 5];
    int count = 0;
    int period = 0;  // steps between iterations

    RINGLET_KERNEL void add(Sweep sweep) {
        if (count > 0) sweep.lag = at[count - 1].lag + sweep.ahead + 1;
        at[count++] = sweep;
        period = sweep.lag + at[0].ahead + 1;
    }
};

// Runs all sweeps of all iterations interleaved: each sweep starts as soon as the one before it has
// left the vertices it needs. The result equals that of one sweep after the other. Within a sweep
// each step depends on the square root and division of the step before, so steps of several
// independent sweeps hide their latency. Calls on_step(t) for every step.
template <class OnStep, class Project>
RINGLET_KERNEL void run_sweeps(int rows, const Sweeps& sweeps, int iterations, OnStep& on_step,
                               const Project& project) {
    if (sweeps.count == 0) return;
    const Sweep& last = sweeps.at[sweeps.count - 1];
    int first = 0, end = 0;  // active iterations
    for (int t = 0; first < iterations; ++t) {
        on_step(t);
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

// A sweep over distances of one iteration.
struct ActiveSweep {
    const float *offsets, *rest;
    std::ptrdiff_t span;       // floats from a vertex to the other one
    float share;               // fraction of the error that each of them corrects
    int start, end;            // it is active in steps [start, end)
    int free_start, free_end;  // steps in which all vertices are free in all lanes
    const Spans* spans;
};

// Step t of the sweeps whose vertices are free.
template <class F>
RINGLET_KERNEL void project_free(const Vertices<F>& s, const ActiveSweep* sweep,
                                 const ActiveSweep* end, int t) {
    constexpr int kWidth = kRowWidthOf<F>;
    float* const u = s.u.at;
    for (; sweep != end; ++sweep) {
        const std::ptrdiff_t row = row_offset(t - sweep->start, 1, kWidth);
        float* const a = u + 3 * row;
        float* const b = a + sweep->span;
        const Vec3<F> u_a = load_vec3<F>(a, kWidth), u_b = load_vec3<F>(b, kWidth);
        const Vec3<F> offset = load_vec3<F>(sweep->offsets + 3 * row, kWidth);
        const Vec3<F> move =
            distance_error_vector(offset, u_a, u_b, load<F>(sweep->rest + row), F(sweep->share));
        store_vec3(a, kWidth, u_a + move);
        store_vec3(b, kWidth, u_b - move);
    }
}

inline constexpr int kMaxActiveSweeps = 96;

// Their memory in floats, and their address in it. It is part of the scratch memory: on the stack,
// one run in three took up to 40 % longer, depending on the alignment of the stack.
inline constexpr int kActiveSweepFloats =
    kMaxActiveSweeps * sizeof(ActiveSweep) / sizeof(float) + 16;
RINGLET_KERNEL ActiveSweep* active_sweeps_in(float* memory) {
    const auto to_line = -reinterpret_cast<std::uintptr_t>(memory) % 64;
    return reinterpret_cast<ActiveSweep*>(memory + to_line / sizeof(float));
}

// run_sweeps() for distances only, with at most kMaxActiveSweeps sweeps. Sweeps start, reach free
// vertices, leave them and end in the same order.
template <class F, class OnStep>
RINGLET_KERNEL void run_interleaved(const Vertices<F>& s, const Sweeps& sweeps, int iterations,
                                    float* memory, OnStep& on_step) {
    ActiveSweep* const all = active_sweeps_in(memory);
    int count = 0;
    for (int n = 0; n < iterations; ++n)
        for (int k = 0; k < sweeps.count; ++k) {
            const Spans& spans = sweeps.at[k].spans;
            const int start = n * sweeps.period + sweeps.at[k].lag;
            all[count++] = {spans.offsets,
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
        on_step(t);
        while (started < count && t >= all[started].start) ++started;
        while (arrived < started && t >= all[arrived].free_start) ++arrived;
        while (left < arrived && t >= all[left].free_end) ++left;
        while (ended < left && t >= all[ended].end) ++ended;
        project_held(ended, left, t);
        project_free(s, all + left, all + arrived, t);
        project_held(arrived, started, t);
    }
}

template <class F, class OnStep>
RINGLET_OUTLINED void run_distances(const Vertices<F>& s, const Sweeps& sweeps, int iterations,
                                    float* memory, OnStep& on_step) {
#ifdef __CUDA_ARCH__
    run_sweeps(s.rows, sweeps, iterations, on_step,
               [&s](const Sweep& sweep, int i) { project_span(s, sweep.spans, i); });
#else
    const int per_run = kMaxActiveSweeps / sweeps.count;
    for (int n = 0; n < iterations; n += per_run)
        run_interleaved(s, sweeps, iterations - n < per_run ? iterations - n : per_run, memory,
                        on_step);
#endif
}

}  // namespace pbd

}  // namespace ringlet
