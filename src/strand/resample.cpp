#include "strand/resample.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace ringlet {

namespace {

// A point on a polyline, at the fraction `t` between vertex `from` and the next.
struct CurvePoint {
    int from;
    double t;
};

float lerp(float a, float b, double t) {
    return static_cast<float>(double{a} + (double{b} - double{a}) * t);
}

Vec3f lerp(Vec3f a, Vec3f b, double t) {
    return {lerp(a.x, b.x, t), lerp(a.y, b.y, t), lerp(a.z, b.z, t)};
}

// Computes the arc length from the root to every vertex, in double so that no square overflows.
void measure(const StrandSet& strands, int strand, std::vector<double>& distance) {
    const int count = strands.layout->vertex_count(strand);
    distance.assign(1, 0.0);
    for (int i = 1; i < count; ++i) {
        const Vec3f a = strands.position.vec3(strand, i - 1), b = strands.position.vec3(strand, i);
        const double x = double{b.x} - a.x, y = double{b.y} - a.y, z = double{b.z} - a.z;
        distance.push_back(distance.back() + std::sqrt(x * x + y * y + z * z));
    }
}

// Precondition: 0 < share < 1, and the strand has two vertices or more.
CurvePoint point_at(const std::vector<double>& distance, double share) {
    const double length = distance.back();
    if (!(length > 0)) {
        const double along = share * static_cast<double>(distance.size() - 1);
        const int from = std::min(static_cast<int>(along), static_cast<int>(distance.size()) - 2);
        return {from, along - from};
    }
    // The segment ends at the first vertex at or beyond the target, so its length is not 0.
    const double target = share * length;
    const auto end = std::lower_bound(distance.begin() + 1, distance.end() - 1, target);
    const double before = *(end - 1);
    return {static_cast<int>(end - distance.begin()) - 1,
            std::min((target - before) / (*end - before), 1.0)};
}

StrandLayout layout_of(const StrandSet& strands, int vertex_count) {
    std::vector<int> counts;
    std::vector<Vec3f> roots;
    for (int s = 0; s < strands.strand_count(); ++s) {
        counts.push_back(strands.layout->vertex_count(s) == 1 ? 1 : vertex_count);
        roots.push_back(strands.position.vec3(s, 0));
    }
    return StrandLayout(counts, roots);
}

}  // namespace

StrandSet resample(const StrandSet& strands, int vertex_count) {
    RINGLET_ASSERT(vertex_count >= 2, "a strand has a root and a tip");
    StrandSet out(layout_of(strands, vertex_count));
    out.root_uv = strands.root_uv;
    std::vector<double> distance;
    for (int s = 0; s < out.strand_count(); ++s) {
        const auto set = [&](int i, int from, int to, double t) {
            const Vec3f a = strands.position.vec3(s, from), b = strands.position.vec3(s, to);
            const Vec3f ca = strands.colour.vec3(s, from), cb = strands.colour.vec3(s, to);
            out.position.set_vec3(s, i, lerp(a, b, t));
            out.colour.set_vec3(s, i, lerp(ca, cb, t));
            out.radius.at(s, i) = lerp(strands.radius.at(s, from), strands.radius.at(s, to), t);
        };
        const int last = out.layout->vertex_count(s) - 1;
        const int old_last = strands.layout->vertex_count(s) - 1;
        measure(strands, s, distance);
        set(0, 0, 0, 0);
        for (int i = 1; i < last; ++i) {
            const CurvePoint at = point_at(distance, static_cast<double>(i) / last);
            set(i, at.from, at.from + 1, at.t);
        }
        if (last > 0) set(last, old_last, old_last, 0);
    }
    return out;
}

}  // namespace ringlet
