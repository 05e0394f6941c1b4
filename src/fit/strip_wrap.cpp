#include "fit/strip_wrap.h"

#include <algorithm>
#include <cmath>

#include "fit/similarity.h"
#include "geom/bvh.h"
#include "math/elementary.h"

namespace ringlet {

namespace {

constexpr float kSearchRadius = 1e6f;  // m
constexpr int kBins = 16;
// Roots are a strip if they are at most this wide, relative to their length.
constexpr float kSlender = 0.4f;

Midline with_lengths(float x, std::vector<Vec3f> points) {
    Midline out{x, std::move(points), {0}};
    for (std::size_t k = 1; k < out.points.size(); ++k)
        out.lengths.push_back(out.lengths.back() + norm(out.points[k] - out.points[k - 1]));
    return out;
}

// A share of the values lies below the result.
float quantile(std::vector<float> values, float share) {
    const auto at = static_cast<std::size_t>(share * static_cast<float>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at),
                     values.end());
    return values[at];
}

// The direction of the largest extent in the plane of y and z, towards the back or downwards.
Vec3f long_axis(std::span<const Vec3f> roots, Vec3f mean) {
    double yy = 0, yz = 0, zz = 0;
    for (const Vec3f& p : roots) {
        const double y = static_cast<double>(p.y - mean.y), z = static_cast<double>(p.z - mean.z);
        yy += y * y;
        yz += y * z;
        zz += z * z;
    }
    // Twice the angle of the axis, from z towards y, has this sine and cosine. Square roots, unlike
    // std::sin, have the same bits everywhere.
    const double size = std::sqrt(4 * yz * yz + (zz - yy) * (zz - yy));
    const double cos2 = size > 0 ? (zz - yy) / size : 1;
    const double cosine = std::sqrt(0.5 * std::max(1 + cos2, 0.0));
    const double sine = std::copysign(std::sqrt(0.5 * std::max(1 - cos2, 0.0)), yz);
    const Vec3f axis{0, static_cast<float>(sine), static_cast<float>(cosine)};
    return axis.z + 0.5f * axis.y > 0 ? -axis : axis;
}

struct PlaceOnLine {
    Vec3f point, tangent;
    float length;  // from the front
};

PlaceOnLine at_length(const Midline& line, float length) {
    const float within = std::clamp(length, 0.0f, line.length());
    const auto next = std::upper_bound(line.lengths.begin() + 1, line.lengths.end() - 1, within);
    const auto k = static_cast<std::size_t>(next - line.lengths.begin());
    const Vec3f a = line.points[k - 1], b = line.points[k];
    const float part = line.lengths[k] - line.lengths[k - 1];
    const float t = part > 0 ? (within - line.lengths[k - 1]) / part : 0;
    // The mean of the neighbours' directions: tangents must not jump between strands.
    const std::size_t first = k > 1 ? k - 2 : 0, last = std::min(k + 1, line.points.size() - 1);
    return {a + (b - a) * t, unit_or(line.points[last] - line.points[first], Vec3f{0, 0, -1}),
            within};
}

// The closest place of the line, by its segments.
PlaceOnLine closest_on(const Midline& line, Vec3f point) {
    float best = kSearchRadius * kSearchRadius, length = 0;
    for (std::size_t k = 1; k < line.points.size(); ++k) {
        const Vec3f a = line.points[k - 1], run = line.points[k] - a;
        Vec3f from = point - a;
        from.x = 0;
        const float squared = max(dot(run, run), 1e-20f);
        const float t = std::clamp(dot(from, run) / squared, 0.0f, 1.0f);
        const Vec3f off = from - run * t;
        if (dot(off, off) >= best) continue;
        best = dot(off, off);
        length = line.lengths[k - 1] + t * norm(run);
    }
    return at_length(line, length);
}

// Turns a vector about the x axis as `from` turns to `to`, two unit vectors without x.
Vec3f turned_about_x(Vec3f a, Vec3f from, Vec3f to) {
    const float c = from.y * to.y + from.z * to.z, s = from.y * to.z - from.z * to.y;
    return {a.x, c * a.y - s * a.z, s * a.y + c * a.z};
}

}  // namespace

std::optional<Midline> find_strip(std::span<const Vec3f> roots) {
    if (roots.size() < 4 * kBins) return std::nullopt;
    Vec3f mean{0, 0, 0};
    for (const Vec3f& p : roots) mean += p * (1 / static_cast<float>(roots.size()));
    const Vec3f axis = long_axis(roots, mean);
    std::vector<float> along, beside;
    for (const Vec3f& p : roots) {
        along.push_back(dot(p - mean, axis));
        beside.push_back(p.x);
    }
    const float first = quantile(along, 0.005f), last = quantile(along, 0.995f);
    const float wide = quantile(beside, 0.95f) - quantile(beside, 0.05f);
    if (!(wide < kSlender * (last - first))) return std::nullopt;
    const float middle = quantile(beside, 0.5f), bin = (last - first) / kBins;
    std::vector<Vec3f> points;
    for (int k = 0; k < kBins; ++k) {
        Vec3f sum{0, 0, 0};
        float count = 0;
        for (std::size_t i = 0; i < roots.size(); ++i) {
            const float at = (along[i] - first) / bin - static_cast<float>(k);
            if (at < -0.5f || at >= 1.5f) continue;  // bins overlap: the line is smooth
            sum += roots[i];
            count += 1;
        }
        if (count > 0) points.push_back({middle, sum.y / count, sum.z / count});
    }
    if (points.size() < kBins / 2) return std::nullopt;
    // Bins are averages: the line ends three quarters of a bin before the roots do.
    const Vec3f front = points[0] - points[1], back = points.back() - points[points.size() - 2];
    points.insert(points.begin(), points.front() + front * 0.75f);
    points.push_back(points.back() + back * 0.75f);
    return with_lengths(middle, std::move(points));
}

std::optional<Midline> find_midline(const Mesh& scalp) {
    const Bvh surface(scalp);
    const FittedSphere sphere = fit_sphere(sample_surface(scalp, 4000));
    if (surface.empty() || !(sphere.radius > 0)) return std::nullopt;
    std::vector<Vec3f> points;
    for (int degrees = -60; degrees <= 240; degrees += 3) {
        const auto [sine, cosine] = sin_cos(static_cast<float>(degrees) * (kPi / 180));
        const Vec3f out{0, sine, cosine};
        Vec3f point =
            surface.closest(sphere.centre + out * (1.3f * sphere.radius), kSearchRadius).point;
        // In front of the hairline the closest point may be a sideburn.
        if (std::abs(point.x - sphere.centre.x) > 0.2f * sphere.radius) continue;
        point.x = sphere.centre.x;
        // Before the hairline and behind the nape the closest point stays at the edge.
        if (points.empty() || norm(point - points.back()) > 0.015f * sphere.radius)
            points.push_back(point);
    }
    if (points.size() < 8) return std::nullopt;
    return with_lengths(sphere.centre.x, std::move(points));
}

void wrap_strip(const Midline& strip, const Midline& over, const Mesh& scalp, float scale,
                const Placement& upright, StrandSet& strands) {
    const Bvh surface(scalp);
    // A shorter strip lies in the middle of the line.
    const float start = 0.5f * max(over.length() - scale * strip.length(), 0.0f);
    for (int s = 0; s < strands.strand_count(); ++s) {
        const Vec3f root = turned(upright, strands.position.vec3(s, 0));
        const PlaceOnLine from = closest_on(strip, root);
        const PlaceOnLine to = at_length(over, start + scale * from.length);
        Vec3f target = to.point;
        target.x += scale * (root.x - strip.x);
        target = surface.closest(target, kSearchRadius).point;
        for (int i = 0; i < strands.layout->vertex_count(s); ++i) {
            const Vec3f p = turned(upright, strands.position.vec3(s, i)) - root;
            strands.position.set_vec3(s, i,
                                      target + turned_about_x(p, from.tangent, to.tangent) * scale);
            strands.radius.at(s, i) *= scale;
        }
    }
}

}  // namespace ringlet
