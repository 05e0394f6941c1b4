#include "sim/measure.h"

#include <algorithm>
#include <cmath>

namespace ringlet {

namespace {

// Returns the largest stretch of its segments.
double measure_strand(const SimState& state, const Model& model, int held, int strand,
                      std::span<const PlacedCollider> colliders, Measurement& out) {
    const int count = state.x.layout().vertex_count(strand);
    double most = 0;
    Vec3f before{0, 0, 0};
    for (int i = 0; i < count; ++i) {
        const Vec3f x = state.x.vec3(strand, i), v = state.v.vec3(strand, i);
        const float sum = x.x + x.y + x.z + v.x + v.y + v.z;
        if (!std::isfinite(sum)) ++out.nonfinite_vertices;
        if (i > 0) {
            const double rest = model.rest_length(strand, i - 1);
            const double stretch = std::abs(static_cast<double>(norm(x - before)) / rest - 1);
            if (rest > 0 && std::isfinite(stretch)) {
                most = std::max(most, stretch);
                out.sum_stretch += stretch;
                ++out.segment_count;
            }
        }
        before = x;
        if (i < held) continue;
        double depth = 0;
        for (const PlacedCollider& body : colliders)
            depth = std::max(depth, -static_cast<double>(nearest_surface(body, x).distance));
        if (depth > 0) ++out.penetrating_vertices;
        out.max_penetration = std::max(out.max_penetration, depth);
    }
    out.max_stretch = std::max(out.max_stretch, most);
    return most;
}

// Of 200 strands two may be above it; 0 where there are none.
double percentile_99(std::vector<double>& of_strands) {
    if (of_strands.empty()) return 0;
    const auto above = static_cast<std::ptrdiff_t>(of_strands.size() / 100);
    const auto at = of_strands.end() - 1 - above;
    std::nth_element(of_strands.begin(), at, of_strands.end());
    return *at;
}

}  // namespace

Measurement measure(const SimState& state, const Model& model, const SimSettings& settings,
                    std::span<const PlacedCollider> colliders, const TaskPool& pool) {
    constexpr int kChunk = 64;  // strands measured together; sums are added in chunk order
    const int strand_count = state.x.layout().strand_count();
    const int held = settings.hold_roots ? (settings.clamp_root ? 2 : 1) : 0;
    std::vector<Measurement> parts(static_cast<std::size_t>((strand_count + kChunk - 1) / kChunk));
    std::vector<double> of_strands(static_cast<std::size_t>(strand_count));
    pool.for_each(static_cast<int>(parts.size()), [&](int c) {
        for (int s = c * kChunk; s < std::min(strand_count, (c + 1) * kChunk); ++s)
            of_strands[static_cast<std::size_t>(s)] = measure_strand(
                state, model, held, s, colliders, parts[static_cast<std::size_t>(c)]);
    });
    Measurement out;
    out.stretch_p99 = percentile_99(of_strands);
    for (const Measurement& part : parts) {
        out.max_stretch = std::max(out.max_stretch, part.max_stretch);
        out.sum_stretch += part.sum_stretch;
        out.segment_count += part.segment_count;
        out.max_penetration = std::max(out.max_penetration, part.max_penetration);
        out.penetrating_vertices += part.penetrating_vertices;
        out.nonfinite_vertices += part.nonfinite_vertices;
    }
    return out;
}

}  // namespace ringlet
