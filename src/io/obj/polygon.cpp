#include "io/obj/polygon.h"

#include <cmath>

namespace ringlet {

namespace {

// In double, so that products of floats and of their differences stay finite and nearly exact.
struct Point {
    double x, y;
    bool operator==(const Point&) const = default;
};

// Twice the signed area of a triangle; positive when it turns left.
double turn(Point a, Point b, Point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Projects the polygon along the coordinate axis closest to its normal (Newell's method), so that
// it is counter-clockwise.
std::vector<Point> flattened(std::span<const Vec3f> corners) {
    const Vec3f origin = corners[0];
    Vec3<double> normal{0, 0, 0};
    std::vector<Vec3<double>> local;
    for (const Vec3f& p : corners)
        local.push_back({double{p.x} - origin.x, double{p.y} - origin.y, double{p.z} - origin.z});
    for (std::size_t i = 0; i < local.size(); ++i)
        normal += cross(local[i], local[(i + 1) % local.size()]);
    const double ax = std::abs(normal.x), ay = std::abs(normal.y), az = std::abs(normal.z);
    std::vector<Point> out;
    for (const Vec3<double>& p : local) {
        if (ax >= ay && ax >= az)
            out.push_back(normal.x >= 0 ? Point{p.y, p.z} : Point{p.z, p.y});
        else if (ay >= az)
            out.push_back(normal.y >= 0 ? Point{p.z, p.x} : Point{p.x, p.z});
        else
            out.push_back(normal.z >= 0 ? Point{p.x, p.y} : Point{p.y, p.x});
    }
    return out;
}

bool is_convex(const std::vector<Point>& points) {
    const std::size_t n = points.size();
    for (std::size_t i = 0; i < n; ++i)
        if (!(turn(points[i], points[(i + 1) % n], points[(i + 2) % n]) > 0)) return false;
    return true;
}

void fan(int count, int start, std::vector<std::array<int, 3>>& triangles) {
    for (int i = 1; i + 1 < count; ++i)
        triangles.push_back({start, (start + i) % count, (start + i + 1) % count});
}

// Whether the triangle of ring[i] and its neighbours is an ear: it turns left, and no other corner
// lies inside it or on its edges. Corners at the positions of the three are ignored, because
// bridges to holes visit a position twice.
bool is_ear(const std::vector<Point>& points, const std::vector<int>& ring, std::size_t i) {
    const std::size_t n = ring.size();
    const auto at = [&](std::size_t k) { return points[static_cast<std::size_t>(ring[k])]; };
    const Point a = at((i + n - 1) % n), b = at(i), c = at((i + 1) % n);
    if (!(turn(a, b, c) > 0)) return false;
    for (std::size_t k = 0; k < n; ++k) {
        const Point p = at(k);
        if (p == a || p == b || p == c) continue;
        if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
    }
    return true;
}

void cut_ears(const std::vector<Point>& points, std::vector<std::array<int, 3>>& triangles) {
    std::vector<int> ring;
    for (std::size_t i = 0; i < points.size(); ++i) ring.push_back(static_cast<int>(i));
    std::size_t i = 0, refused = 0;
    while (ring.size() > 3) {
        const std::size_t n = ring.size();
        i %= n;
        // If no corner is an ear (the outline intersects itself or has no area), any corner is cut,
        // so that every edge of the polygon has a triangle.
        if (refused < n && !is_ear(points, ring, i)) {
            ++i;
            ++refused;
            continue;
        }
        triangles.push_back({ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]});
        ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(i));
        refused = 0;
    }
    triangles.push_back({ring[0], ring[1], ring[2]});
}

}  // namespace

void triangulate(std::span<const Vec3f> corners, std::vector<std::array<int, 3>>& triangles) {
    const int count = static_cast<int>(corners.size());
    if (count == 3 || count > kMaxConcaveCorners) return fan(count, 0, triangles);
    const std::vector<Point> points = flattened(corners);
    if (!is_convex(points)) return cut_ears(points, triangles);
    // A quad that is not planar is split along its shorter diagonal.
    const bool second = count == 4 && norm(corners[3] - corners[1]) < norm(corners[2] - corners[0]);
    fan(count, second ? 1 : 0, triangles);
}

}  // namespace ringlet
