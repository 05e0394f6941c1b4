// Measures a strand (stretch, penetration, non-finite vertices) and sums the measurements of all
// strands. CPU and GPU share this source and the order of summation, so they compute the same
// values. sim/measure.cpp prepares the channels.
#pragma once

#include "collide/collider.h"
#include "sim/kernel_protocol.h"
#include "strand/rows.h"

namespace ringlet {

// The rest lengths of segments, as one component of a model's channel. `channel` points at the
// first block, or at the current block and lane.
struct RestLengths {
    const float* channel;
    int components = 1, component = 0;
    int first_row = 0;  // row of a strand's first segment

    template <class F>
    RINGLET_KERNEL F of(int segment) const {
        const int row = (segment + first_row) * components + component;
        return load<F>(channel + row * kRowWidth);
    }
};

// The measurements of a strand, one row each.
enum MeasuredRow {
    kMaxStretch,  // |length - rest| / rest over segments of non-zero rest length
    kSumStretch,
    kMeasuredSegments,
    kNonfiniteVertices,  // with a NaN or infinity in position or velocity
    kMaxDepth,           // m below a collider's surface
    kPenetratingVertices,
    kMeasuredRows
};

struct MeasureUniforms {
    const PlacedCollider* bodies;
    int body_count;
    int held;  // vertices at the root that do not count as penetrating
};

struct MeasureBlock {
    int rows;
    const float *x, *v;  // m, m/s
    RestLengths lengths;
    const float* count;  // one row: vertex count of a strand, 0 for padding
    float* measured;     // kMeasuredRows

    template <class Visit>
    RINGLET_KERNEL void visit(const Visit& visit) {
        visit(x, 3, Per::row);
        visit(v, 3, Per::row);
        visit(lengths.channel, lengths.components, Per::row);
        visit(count, 1, Per::block);
        visit(measured, kMeasuredRows, Per::block);
    }
};

template <class F>
RINGLET_KERNEL F depth_in_bodies(const MeasureUniforms& p, Vec3<F> x) {
    F depth = F(0);
    for (int k = 0; k < p.body_count; ++k)  // this order of arguments treats NaN as outside
        depth = max(-nearest_surface(p.bodies[k], x).distance, depth);
    return depth;
}

template <class F>
RINGLET_KERNEL void measure_strand(const MeasureUniforms& p, const MeasureBlock& block) {
    constexpr float kLargest = 3.4e38f;
    const ConstRows3<F> place{block.x}, velocity{block.v};
    const F count = load<F>(block.count);
    F most = F(0), sum = F(0), segments = F(0), nonfinite = F(0), max_depth = F(0),
      penetrating = F(0);
    Vec3<F> before = zero_vec3<F>();
    for (int i = 0; i < block.rows; ++i) {
        const auto exists = F(static_cast<float>(i)) < count;
        const Vec3<F> x = place[i], v = velocity[i];
        const F all = abs(x.x + x.y + x.z + v.x + v.y + v.z);
        nonfinite = nonfinite + select(exists && !(all <= F(kLargest)), F(1), F(0));
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
        max_depth = max(depth, max_depth);
        penetrating = penetrating + select(depth > F(0), F(1), F(0));
    }
    const F measured[kMeasuredRows] = {most, sum, segments, nonfinite, max_depth, penetrating};
    for (int row = 0; row < kMeasuredRows; ++row)
        store(block.measured + row * kRowWidth, measured[row]);
}

struct MeasureKernel : KernelDefaults {
    using Uniforms = MeasureUniforms;
    using Block = MeasureBlock;

    template <class F>
    RINGLET_KERNEL static void substep(const MeasureUniforms& uniforms, const MeasureBlock& block) {
        measure_strand<F>(uniforms, block);
    }
};

// The sum over some strands.
struct MeasuredSum {
    double stretch = 0;
    std::int64_t segments = 0, nonfinite = 0, penetrating = 0;
    float max_stretch = 0, max_depth = 0;
};

RINGLET_KERNEL void add(MeasuredSum& sum, const MeasuredSum& more) {
    sum.stretch += more.stretch;
    sum.segments += more.segments;
    sum.nonfinite += more.nonfinite;
    sum.penetrating += more.penetrating;
    sum.max_stretch = max(sum.max_stretch, more.max_stretch);
    sum.max_depth = max(sum.max_depth, more.max_depth);
}

// The sum over all strands, and the 99th percentile of their largest stretch.
struct MeasuredTotals {
    MeasuredSum sum;
    float stretch_p99;
};
// The number of strands above the 99th percentile. Padding counts as strands without stretch, which
// does not change the result.
RINGLET_KERNEL int strands_above_p99(int strand_count) { return strand_count / 100; }

// Strands are summed in the order of blocks and lanes in chunks of this size; the sums are summed
// in the same way until one is left.
inline constexpr int kSumChunk = 64;
RINGLET_KERNEL int sums_of(int count) { return (count + kSumChunk - 1) / kSumChunk; }

// The measurements of one strand, by its index in that order.
RINGLET_KERNEL const float* measured_of(const float* first_block, int strand) {
    return slot_rows(first_block, strand, kMeasuredRows);
}

RINGLET_KERNEL MeasuredSum nth_sum(const float* first_block, int strands, int n) {
    MeasuredSum out;
    for (int s = n * kSumChunk; s < strands && s < (n + 1) * kSumChunk; ++s) {
        const float* measured = measured_of(first_block, s);
        const auto count = [&](MeasuredRow row) {
            return static_cast<std::int64_t>(measured[row * kRowWidth]);
        };
        add(out, {static_cast<double>(measured[kSumStretch * kRowWidth]), count(kMeasuredSegments),
                  count(kNonfiniteVertices), count(kPenetratingVertices),
                  measured[kMaxStretch * kRowWidth], measured[kMaxDepth * kRowWidth]});
    }
    return out;
}

RINGLET_KERNEL MeasuredSum nth_sum(const MeasuredSum* sums, int count, int n) {
    MeasuredSum out;
    for (int k = n * kSumChunk; k < count && k < (n + 1) * kSumChunk; ++k) add(out, sums[k]);
    return out;
}

}  // namespace ringlet
