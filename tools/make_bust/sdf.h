#pragma once

// Signed distance building blocks: negative inside, positive outside, metres.

#include <algorithm>
#include <cmath>
#include <span>

#include "vec3.h"

// Cubic blend: its second derivative is continuous, so a blended seam leaves no visible highlight
// edge, unlike the cheaper quadratic blend.
inline double smooth_union(double a, double b, double radius) {
    const double overlap = std::max(radius - std::abs(a - b), 0.0) / radius;
    return std::min(a, b) - overlap * overlap * overlap * radius / 6.0;
}

inline double smooth_intersection(double a, double b, double radius) {
    return -smooth_union(-a, -b, radius);
}

inline double smooth_subtraction(double from, double cutter, double radius) {
    return smooth_intersection(from, -cutter, radius);
}

inline double smooth_step(double low, double high, double value) {
    const double t = std::clamp((value - low) / (high - low), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

inline double bell(double value, double width) {
    const double t = value / width;
    return std::exp(-t * t);
}

// First-order distance to an ellipsoid: exact on the surface, which is all the mesher needs.
inline double ellipsoid(Vec3 p, Vec3 center, Vec3 radii) {
    const Vec3 q = p - center;
    const Vec3 unit{q.x / radii.x, q.y / radii.y, q.z / radii.z};
    const Vec3 slope{unit.x / radii.x, unit.y / radii.y, unit.z / radii.z};
    const double unit_length = length(unit);
    const double slope_length = length(slope);
    if (slope_length < 1e-9) {
        return -std::min({radii.x, radii.y, radii.z});
    }
    return unit_length * (unit_length - 1.0) / slope_length;
}

struct Knot {
    Vec3 center;
    double radius = 0.0;
};

// A capsule whose radius changes linearly along its axis.
inline double tapered_capsule(Vec3 p, Knot a, Knot b) {
    const Vec3 axis = b.center - a.center;
    const double t = std::clamp(dot(p - a.center, axis) / dot(axis, axis), 0.0, 1.0);
    return length(p - lerp(a.center, b.center, t)) - std::lerp(a.radius, b.radius, t);
}

// A quadratic Bezier of knots, swept as short tapered capsules.
inline double tapered_arc(Vec3 p, std::span<const Knot, 3> knots) {
    constexpr int kSegments = 8;
    const auto at = [&](int i) {
        const double t = static_cast<double>(i) / kSegments;
        const double u = 1.0 - t;
        return Knot{
            knots[0].center * (u * u) + knots[1].center * (2.0 * u * t) + knots[2].center * (t * t),
            knots[0].radius * u * u + knots[1].radius * 2.0 * u * t + knots[2].radius * t * t};
    };
    double distance = 1e9;
    Knot previous = at(0);
    for (int i = 1; i <= kSegments; ++i) {
        const Knot next = at(i);
        distance = std::min(distance, tapered_capsule(p, previous, next));
        previous = next;
    }
    return distance;
}
