#include "groom/hairline.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "groom/smooth_step.h"
#include "groom/space_noise.h"
#include "math/elementary.h"

namespace ringlet {

namespace {

constexpr float kDegree = kPi / 180;

// The elevation of the hairline above the plane of the ears' tops, by the angle from the front to
// the side and to the back, in degrees. Between the hairlines of two heads with different
// proportions, so that it is within about a centimetre of both.
struct Knot {
    float azimuth, elevation;
};
constexpr Knot kKnots[] = {
    {0, 25},    {24, 24.5f}, {40, 21},   {50, 15},   {58, 6},    {65, -6},      {70, -14},
    {75, -16},  {79, -8},    {84, 2},    {89, 5},    {95, 4},    {101, -3},     {106, -13},
    {110, -24}, {116, -37},  {124, -46}, {132, -51}, {145, -56}, {165, -58.5f}, {180, -58.5f},
};

// The slope at a knot, limited so that the curve has no overshoot (Fritsch and Carlson 1980).
float slope_at(std::size_t k) {
    if (k == 0 || k + 1 == std::size(kKnots)) return 0;
    const Knot a = kKnots[k - 1], b = kKnots[k], c = kKnots[k + 1];
    const float before = (b.elevation - a.elevation) / (b.azimuth - a.azimuth);
    const float after = (c.elevation - b.elevation) / (c.azimuth - b.azimuth);
    if (before * after <= 0) return 0;
    return 2 * before * after / (before + after);
}

float elevation_at(float azimuth) {
    std::size_t k = 0;
    while (k + 2 < std::size(kKnots) && kKnots[k + 1].azimuth < azimuth) ++k;
    const Knot a = kKnots[k], b = kKnots[k + 1];
    const float h = b.azimuth - a.azimuth, t = (azimuth - a.azimuth) / h, u = 1 - t;
    return a.elevation * u * u * (1 + 2 * t) + b.elevation * t * t * (1 + 2 * u) +
           h * t * u * (slope_at(k) * u - slope_at(k + 1) * t);
}

// Calls visit(position) for the corners of all triangles on which hair may grow: eyes, hats and
// bodies may be other parts of the same mesh.
template <class Visit>
void for_each_corner(const Mesh& mesh, const Visit& visit) {
    for (int t = 0; t < mesh.triangle_count(); ++t)
        if (mesh.may_grow_hair(t))
            for (int k = 0; k < 3; ++k) visit(mesh.corner(t, k));
}

// The bounds of the corners between two heights.
Bounds bounds_between(const Mesh& mesh, float low, float high) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    Bounds out{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
    for_each_corner(mesh, [&](Vec3f p) {
        if (p.y < low || p.y > high) return;
        out.low = {min(out.low.x, p.x), min(out.low.y, p.y), min(out.low.z, p.z)};
        out.high = {max(out.high.x, p.x), max(out.high.y, p.y), max(out.high.z, p.z)};
    });
    return out;
}

}  // namespace

Skull find_skull(const Mesh& mesh) {
    Skull out;
    if (mesh.indices.empty()) return out;
    out.top = std::numeric_limits<float>::lowest();
    for_each_corner(mesh, [&](Vec3f p) { out.top = max(out.top, p.y); });
    // The skull is longest between brow and occiput, at heights that depend on its length. Starts
    // with the length of an adult's skull; any positive start converges.
    float length = 0.19f;
    Bounds band{};
    for (int round = 0; round < 12; ++round) {
        band = bounds_between(mesh, out.top - 0.45f * length, out.top - 0.2f * length);
        if (!(band.low.z < band.high.z))  // no corner in a thin band: a coarse mesh
            band = bounds_between(mesh, out.top - length, out.top);
        length = band.high.z - band.low.z;
        if (!(length > 0)) return out;
    }
    const float middle = 0.5f * (band.low.z + band.high.z);
    out.centre.x = 0.5f * (band.low.x + band.high.x);
    out.centre.y = out.top - 0.5f * length;
    out.centre.z = middle - 0.045f * length;
    out.length = length;
    return out;
}

Hairline::Hairline(const Skull& skull) : skull_(skull) {
    for (int k = 0; k <= kSteps; ++k) {
        const float azimuth = static_cast<float>(k) * (180.0f / kSteps);
        const SinCos<float> around = sin_cos(azimuth * kDegree);
        const SinCos<float> up = sin_cos(elevation_at(azimuth) * kDegree);
        line_[static_cast<std::size_t>(k)] = {around.sin * up.cos, up.sin, around.cos * up.cos};
    }
}

float Hairline::depth(Vec3f point) const {
    const Vec3f arm = point - skull_.centre;
    const float radius = norm(arm);
    if (!(radius > 0)) return -skull_.length;
    const Vec3f at = Vec3f{std::abs(arm.x), arm.y, arm.z} * (1 / radius);
    float nearest = 4;
    for (std::size_t k = 0; k < kSteps; ++k) {
        const Vec3f step = line_[k + 1] - line_[k], from = at - line_[k];
        const float t = min(max(dot(from, step) / max(dot(step, step), kTiny), 0.0f), 1.0f);
        const Vec3f gap = from - step * t;
        nearest = min(nearest, dot(gap, gap));
    }
    // The line crosses each azimuth once, so a point is behind it if it is higher.
    const float steps = min(atan2(at.x, at.z) * (kSteps / kPi), static_cast<float>(kSteps) - 1e-3f);
    const auto k = static_cast<std::size_t>(max(steps, 0.0f));
    const float t = steps - static_cast<float>(k);
    const float height = line_[k].y * (1 - t) + line_[k + 1].y * t;
    return std::sqrt(nearest) * radius * (at.y < height ? -1.0f : 1.0f);
}

float Hairline::weight(Vec3f point, Vec3f normal) const {
    const Vec3f arm = point - skull_.centre;
    // No part of the cap is farther from the centre than 0.65 skull lengths: raised hands are.
    const float near = 1 - smooth_step(0.72f, 0.8f, norm(arm) / skull_.length);
    if (near <= 0) return 0;
    // An irregular border: points of a few millimetres and finer ones.
    const float jitter =
        0.0035f * space_noise(point, 0.009f, 1) + 0.0015f * space_noise(point, 0.0025f, 2);
    const float edge = smooth_step(0, kSoftEdge, depth(point) + jitter);
    if (edge <= 0) return 0;
    // Independent of the winding: doubled faces may point inwards.
    const float outward = std::abs(dot(normal, unit_or(arm, normal)));
    return near * edge * smooth_step(0.1f, 0.4f, outward);
}

}  // namespace ringlet
