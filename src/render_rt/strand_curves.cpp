#include "render_rt/strand_curves.h"

#include <algorithm>
#include <cmath>

#include "strand/deferred_positions.h"

namespace ringlet {

namespace {

// Larger coordinates are errors of the simulation.
constexpr float kFarthest = 1e4f;  // m
// Segments that bend more are divided, into at most so many parts: rays meet the boxes of short
// parts less often.
constexpr float kMaxBend = 0.15f;  // rad
constexpr float kMostParts = 2;

bool is_usable(Vec3f p) {
    return std::abs(p.x) < kFarthest && std::abs(p.y) < kFarthest && std::abs(p.z) < kFarthest;
}

float usable(float c, float limit) { return c >= 0 && c < limit ? c : 0; }

CurveVertex mirrored(const CurveVertex& end, const CurveVertex& neighbour) {
    return {end.position + (end.position - neighbour.position),
            std::max(2 * end.radius - neighbour.radius, 0.0f)};
}

void include(Bounds& all, Vec3f p) {
    all.low = {min(all.low.x, p.x), min(all.low.y, p.y), min(all.low.z, p.z)};
    all.high = {max(all.high.x, p.x), max(all.high.y, p.y), max(all.high.z, p.z)};
}

// The point of the Catmull-Rom curve through p[1] and p[2].
Vec3f curve_at(const CurveVertex* p, float t) {
    const Vec3f a = (p[1].position - p[2].position) * 3.0f + p[3].position - p[0].position;
    const Vec3f b =
        p[0].position * 2.0f - p[1].position * 5.0f + p[2].position * 4.0f - p[3].position;
    const Vec3f c = p[2].position - p[0].position;
    return p[1].position + (c + (b + a * t) * t) * (0.5f * t);
}

// The vertices of a strand at the given positions, with one more at either end.
std::vector<CurveVertex> vertices_of(const StrandView& strands, const Channel<3>& positions,
                                     int strand, float width) {
    std::vector<CurveVertex> out;
    const int count = strands.layout->vertex_count(strand);
    Vec3f last = strands.position->vec3(strand, 0);
    out.push_back({});
    for (int i = 0; i < count; ++i) {
        const Vec3f p = positions.vec3(strand, i);
        if (is_usable(p)) last = p;
        out.push_back({last, usable(strands.radius->at(strand, i) * width, kFarthest)});
    }
    out[0] = mirrored(out[1], out[2]);
    out.push_back(mirrored(out.back(), out[out.size() - 2]));
    return out;
}

// Returns the number of parts into which the segments of a strand with these vertices are divided.
std::uint32_t parts_of_segments(const std::vector<CurveVertex>& vertices) {
    float bend = 0;
    for (std::size_t i = 2; i + 2 < vertices.size(); ++i) {
        const Vec3f before = vertices[i].position - vertices[i - 1].position;
        const Vec3f after = vertices[i + 1].position - vertices[i].position;
        bend += std::acos(
            std::clamp(dot(unit_or(before, {0, 1, 0}), unit_or(after, {0, 1, 0})), -1.0f, 1.0f));
    }
    const float mean = bend / std::max(static_cast<float>(vertices.size()) - 4, 1.0f);
    return static_cast<std::uint32_t>(std::clamp(std::ceil(mean / kMaxBend), 1.0f, kMostParts));
}

// Divides every segment of a curve into equal parts, and appends its vertices to `out`.
void add_parts(const std::vector<CurveVertex>& vertices, std::uint32_t parts,
               std::vector<CurveVertex>& out) {
    const std::size_t first = out.size();
    out.push_back({});
    for (std::size_t i = 0; i + 3 < vertices.size(); ++i) {
        for (std::uint32_t k = 0; k < parts; ++k) {
            const float t = static_cast<float>(k) / static_cast<float>(parts);
            const float radius = vertices[i + 1].radius * (1 - t) + vertices[i + 2].radius * t;
            out.push_back({k > 0 ? curve_at(&vertices[i], t) : vertices[i + 1].position, radius});
        }
    }
    out.push_back(vertices[vertices.size() - 2]);
    out[first] = mirrored(out[first + 1], out[first + 2]);
    out.push_back(mirrored(out.back(), out[out.size() - 2]));
}

// The colours of the vertices of add_parts().
void add_colours(const StrandView& strands, int strand, std::uint32_t parts,
                 std::vector<Vec3f>& out) {
    const int count = strands.layout->vertex_count(strand);
    const auto colour_at = [&](int i) {
        const Vec3f colour = strands.colour->vec3(strand, i);
        return Vec3f{usable(colour.x, 1e3f), usable(colour.y, 1e3f), usable(colour.z, 1e3f)};
    };
    out.push_back({});
    for (int i = 0; i + 1 < count; ++i) {
        const Vec3f here = colour_at(i), next = colour_at(i + 1);
        for (std::uint32_t k = 0; k < parts; ++k) {
            const float t = static_cast<float>(k) / static_cast<float>(parts);
            out.push_back(here * (1 - t) + next * t);
        }
    }
    out.push_back(colour_at(count - 1));
    out.push_back({});
}

using IsRound = std::function<bool(std::span<const CurveVertex>)>;

void add_strand(const StrandView& strands, const Channel<3>* open, int strand, float width,
                const IsRound& is_round, StrandCurves& out) {
    const int count = strands.layout->vertex_count(strand);
    if (count < 2 || !is_usable(strands.position->vec3(strand, 0))) return;
    const auto first = static_cast<std::uint32_t>(out.vertices.size());
    const std::vector<CurveVertex> own = vertices_of(strands, *strands.position, strand, width);
    const std::uint32_t parts = parts_of_segments(own);
    add_parts(own, parts, out.vertices);
    if (open) add_parts(vertices_of(strands, *open, strand, width), parts, out.open);
    add_colours(strands, strand, parts, out.colours);
    const std::uint32_t added = static_cast<std::uint32_t>(count - 1) * parts + 1;
    std::vector<std::uint32_t>& segments =
        is_round({&out.vertices[first + 1], added}) ? out.round_segments : out.flat_segments;
    for (std::uint32_t i = 0; i < added; ++i) {
        const std::uint32_t segment = first + i;
        include(out.bounds, out.vertices[segment + 1].position);
        if (i + 1 == added) break;
        const Vec3f run = out.vertices[segment + 2].position - out.vertices[segment + 1].position;
        if (norm(run) > kTiny) segments.push_back(segment);
    }
}

}  // namespace

CurvePoint StrandCurves::point(std::uint32_t segment, float along, float time) const {
    const CurveVertex* p = &vertices[segment];
    CurveVertex moved[4];
    Vec3f motion{0, 0, 0};
    if (!open.empty()) {
        motion = curve_at(p, along) - curve_at(&open[segment], along);
        for (std::size_t k = 0; k < 4; ++k)
            moved[k] = {open[segment + k].position * (1 - time) + p[k].position * time,
                        p[k].radius};
        p = moved;
    }
    const float t = along;
    // The derivative of the Catmull-Rom polynomial.
    const Vec3f d = p[2].position - p[0].position;
    const Vec3f b =
        p[0].position * 2.0f - p[1].position * 5.0f + p[2].position * 4.0f - p[3].position;
    const Vec3f a = (p[1].position - p[2].position) * 3.0f + p[3].position - p[0].position;
    const Vec3f slope = d + b * (2 * t) + a * (3 * t * t);
    const Vec3f chord = unit_or(p[2].position - p[1].position, Vec3f{0, 1, 0});
    const Vec3f colour = colours[segment + 1] * (1 - t) + colours[segment + 2] * t;
    return {unit_or(slope, chord), colour, p[1].radius * (1 - t) + p[2].radius * t, motion};
}

StrandCurves curves_of(const StrandView& strands, float width, const Channel<3>* open,
                       const IsRound& is_round) {
    StrandCurves out;
    out.bounds = {{kFarthest, kFarthest, kFarthest}, {-kFarthest, -kFarthest, -kFarthest}};
    if (!strands.layout || !strands.position || !strands.colour || !strands.radius) return out;
    if (strands.deferred) strands.deferred->fetch();
    const auto total = static_cast<std::size_t>(strands.layout->vertex_total());
    const auto count = static_cast<std::size_t>(strands.layout->strand_count());
    out.vertices.reserve(total + 2 * count);
    if (open) out.open.reserve(total + 2 * count);
    out.colours.reserve(total + 2 * count);
    for (int strand = 0; strand < strands.layout->strand_count(); ++strand)
        add_strand(strands, open, strand, std::max(width, 0.0f), is_round, out);
    return out;
}

}  // namespace ringlet
