// How good a strand is (stretch, penetration, broken numbers), and how strands are added up: the
// same text for one lane or eight, CPU or GPU, and one order of adding, so the same figures.
// sim/measure.cpp prepares what it works on.
#pragma once

#include "collide/collider.h"
#include "strand/block_channels.h"
#include "strand/rows.h"

namespace ringlet {

// Where a model keeps the lengths of segments at rest, one of several components of a channel. From
// the first block on, or from wherever a block and a lane begin.
struct RestLengths {
    const float* channel;
    int components = 1, component = 0;
    int first_row = 0;  // of a strand's first segment

    template <class F>
    RINGLET_KERNEL F of(int segment) const {
        const int row = (segment + first_row) * components + component;
        return load<F>(channel + row * kRowWidth);
    }
};

// What is found of a strand, a row each.
enum MeasuredRow {
    kMostStretch,  // |length - rest| / rest; segments of no length left out
    kSumOfStretch,
    kMeasuredSegments,
    kBrokenVertices,  // with a number that is none
    kDepth,           // m below a body's surface, at most
    kVerticesInside,
    kMeasuredRows
};

struct MeasureUniforms {
    const PlacedCollider* bodies;
    int body_count;
    int held;  // vertices at the root that do not count as inside a body
};

struct MeasureBlock {
    int rows;
    const float *x, *v;  // m, m/s
    RestLengths lengths;
    const float* count;  // one row: vertices of a strand, 0 for padding
    float* found;        // kMeasuredRows

    static constexpr int kScratch = 0;

    template <class Visit>
    RINGLET_KERNEL void visit(const Visit& visit) {
        visit(x, 3, Per::row);
        visit(v, 3, Per::row);
        visit(lengths.channel, lengths.components, Per::row);
        visit(count, 1, Per::block);
        visit(found, kMeasuredRows, Per::block);
    }
};

template <class F>
RINGLET_KERNEL F depth_in_bodies(const MeasureUniforms& p, Vec3<F> x) {
    F depth = F(0);
    for (int k = 0; k < p.body_count; ++k)  // in this order NaN counts as outside
        depth = max(-nearest_surface(p.bodies[k], x).distance, depth);
    return depth;
}

template <class F>
RINGLET_KERNEL void measure_substep(const MeasureUniforms& p, const MeasureBlock& block) {
    constexpr float kLargest = 3.4e38f;
    const ConstRows3<F> place{block.x}, velocity{block.v};
    const F count = load<F>(block.count);
    F most = F(0), sum = F(0), segments = F(0), broken = F(0), deepest = F(0), inside = F(0);
    Vec3<F> before = zero_vec3<F>();
    for (int i = 0; i < block.rows; ++i) {
        const auto exists = F(static_cast<float>(i)) < count;
        const Vec3<F> x = place[i], v = velocity[i];
        const F all = abs(x.x + x.y + x.z + v.x + v.y + v.z);
        broken = broken + select(exists && !(all <= F(kLargest)), F(1), F(0));
        if (i > 0) {
            const F rest = block.lengths.of<F>(i - 1);
            const F stretch = abs(norm(x - before) - rest) / rest;
            const auto counts = exists && rest > F(0) && stretch <= F(kLargest);
            most = max(select(counts, stretch, F(0)), most);
            sum = sum + select(counts, stretch, F(0));
            segments = segments + select(counts, F(1), F(0));
        }
        before = x;
        if (i < p.held || p.body_count == 0) continue;
        const F depth = select(exists, depth_in_bodies(p, x), F(0));
        deepest = max(depth, deepest);
        inside = inside + select(depth > F(0), F(1), F(0));
    }
    const F found[kMeasuredRows] = {most, sum, segments, broken, deepest, inside};
    for (int row = 0; row < kMeasuredRows; ++row) store(block.found + row * kRowWidth, found[row]);
}

// Strands added up.
struct MeasuredSum {
    double stretch = 0;
    std::int64_t segments = 0, broken = 0, inside = 0;
    float most_stretch = 0, deepest = 0;
};

RINGLET_KERNEL void add(MeasuredSum& sum, const MeasuredSum& more) {
    sum.stretch += more.stretch;
    sum.segments += more.segments;
    sum.broken += more.broken;
    sum.inside += more.inside;
    sum.most_stretch = max(sum.most_stretch, more.most_stretch);
    sum.deepest = max(sum.deepest, more.deepest);
}

// All strands: their sum, and the stretch that 99 of 100 stay below.
struct MeasuredFigures {
    MeasuredSum sum;
    float stretch_p99;
};
// Of 200 strands two may be above it. Padding counts as a strand without stretch: that changes
// nothing.
RINGLET_KERNEL int strands_above_p99(int strand_count) { return strand_count / 100; }

// Strands are added in the order of blocks and lanes, this many at a time; their sums likewise, and
// so on until there is one.
inline constexpr int kAddedTogether = 64;
RINGLET_KERNEL int sums_of(int count) { return (count + kAddedTogether - 1) / kAddedTogether; }

// Of one strand, by its number in that order.
RINGLET_KERNEL const float* found_of(const float* first_block, int strand) {
    return first_block + static_cast<std::size_t>(strand / kRowWidth) * kMeasuredRows * kRowWidth +
           strand % kRowWidth;
}

RINGLET_KERNEL MeasuredSum nth_sum(const float* first_block, int strands, int n) {
    MeasuredSum out;
    for (int s = n * kAddedTogether; s < strands && s < (n + 1) * kAddedTogether; ++s) {
        const float* found = found_of(first_block, s);
        const auto count = [&](MeasuredRow row) {
            return static_cast<std::int64_t>(found[row * kRowWidth]);
        };
        add(out, {static_cast<double>(found[kSumOfStretch * kRowWidth]), count(kMeasuredSegments),
                  count(kBrokenVertices), count(kVerticesInside), found[kMostStretch * kRowWidth],
                  found[kDepth * kRowWidth]});
    }
    return out;
}

RINGLET_KERNEL MeasuredSum nth_sum(const MeasuredSum* sums, int count, int n) {
    MeasuredSum out;
    for (int k = n * kAddedTogether; k < count && k < (n + 1) * kAddedTogether; ++k)
        add(out, sums[k]);
    return out;
}

}  // namespace ringlet
