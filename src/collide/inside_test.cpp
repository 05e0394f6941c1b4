#include "collide/inside_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ringlet {

namespace {

struct Point {
    double at[3];  // in cells from the grid's first sample
};

// Twice the signed area of (a, b, p) in the plane of the axes u and v, never zero: p is perturbed
// by an infinitesimal step along u and a smaller one along v, the same for all triangles, so that a
// ray through an edge or a corner crosses exactly one of the triangles that share it.
double side_of(const Point& a, const Point& b, double pu, double pv, int u, int v) {
    const bool reversed = std::lexicographical_compare(b.at, b.at + 3, a.at, a.at + 3);
    const Point& from = reversed ? b : a;
    const Point& to = reversed ? a : b;
    const double du = to.at[u] - from.at[u], dv = to.at[v] - from.at[v];
    double area = du * (pv - from.at[v]) - dv * (pu - from.at[u]);
    constexpr double kLeast = std::numeric_limits<double>::min();
    if (area == 0) area = dv != 0 ? (dv < 0 ? kLeast : -kLeast) : (du < 0 ? -kLeast : kLeast);
    return reversed ? -area : area;
}

// Calls found(pu, pv, height, sign) for every grid line along the axis w that the triangle crosses.
// The sign is +1 if the triangle faces along w.
template <class Found>
void cross_lines(const Point (&corner)[3], int w, const int (&size)[3], Found found) {
    const int u = (w + 1) % 3, v = (w + 2) % 3;
    const auto range = [&](int axis) {
        const auto [low, high] =
            std::minmax({corner[0].at[axis], corner[1].at[axis], corner[2].at[axis]});
        const double last = size[axis] - 1;
        return std::pair{static_cast<int>(std::clamp(std::ceil(low), 0.0, last)),
                         static_cast<int>(std::clamp(std::floor(high), 0.0, last))};
    };
    const auto [first_u, last_u] = range(u);
    const auto [first_v, last_v] = range(v);
    const double lowest = std::min({corner[0].at[w], corner[1].at[w], corner[2].at[w]}) - 0.01;
    const double highest = std::max({corner[0].at[w], corner[1].at[w], corner[2].at[w]}) + 0.01;
    for (int pv = first_v; pv <= last_v; ++pv)
        for (int pu = first_u; pu <= last_u; ++pu) {
            double side[3];
            for (int k = 0; k < 3; ++k)
                side[k] = side_of(corner[(k + 1) % 3], corner[(k + 2) % 3], pu, pv, u, v);
            const bool left = side[0] > 0 && side[1] > 0 && side[2] > 0;
            const bool right = side[0] < 0 && side[1] < 0 && side[2] < 0;
            if (!left && !right) continue;
            double height = 0;
            for (int k = 0; k < 3; ++k) height += corner[k].at[w] * side[k];
            height /= side[0] + side[1] + side[2];
            // The height is meaningless if the triangle is seen edge-on.
            if (height >= lowest && height <= highest) found(pu, pv, height, left ? 1 : -1);
        }
}

double signed_volume(const std::vector<Point>& corners) {
    double sum = 0;
    for (std::size_t t = 0; t + 2 < corners.size(); t += 3) {
        const double *a = corners[t].at, *b = corners[t + 1].at, *c = corners[t + 2].at;
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum;
}

std::vector<Point> corners_in_cells(const Mesh& mesh, const GridShape& grid) {
    std::vector<Point> out;
    out.reserve(mesh.indices.size());
    const auto cells = [&](float a, float low) {
        return (static_cast<double>(a) - static_cast<double>(low)) / static_cast<double>(grid.cell);
    };
    for (int t = 0; t < mesh.triangle_count(); ++t)
        for (int k = 0; k < 3; ++k) {
            const Vec3f p = mesh.corner(t, k);
            out.push_back(
                {{cells(p.x, grid.low.x), cells(p.y, grid.low.y), cells(p.z, grid.low.z)}});
        }
    return out;
}

// Counts, for each sample of a line, which of its two rays along the axis w are inside.
void count_along(const std::int16_t* crossings, std::size_t step, int count, std::int8_t* counts) {
    int below = 0, all = 0;
    for (int k = 0; k < count; ++k) all += crossings[static_cast<std::size_t>(k) * step];
    for (int k = 0; k < count; ++k) {
        const std::size_t at = static_cast<std::size_t>(k) * step;
        below += crossings[at];
        counts[at] = static_cast<std::int8_t>(counts[at] + (below < 0) + (all - below > 0));
    }
}

}  // namespace

std::vector<std::int8_t> count_inside_rays(const Mesh& mesh, const GridShape& grid) {
    const std::vector<Point> corners = corners_in_cells(mesh, grid);
    const int outward = signed_volume(corners) < 0 ? -1 : 1;
    const std::size_t stride[3] = {
        1, static_cast<std::size_t>(grid.size[0]),
        static_cast<std::size_t>(grid.size[0]) * static_cast<std::size_t>(grid.size[1])};
    std::vector<std::int8_t> counts(grid.count(), 0);
    std::vector<std::int16_t> crossings(grid.count());
    for (int w = 0; w < 3; ++w) {
        const int u = (w + 1) % 3, v = (w + 2) % 3;
        const auto line = [&](int pu, int pv) {
            return static_cast<std::size_t>(pu) * stride[u] +
                   static_cast<std::size_t>(pv) * stride[v];
        };
        std::fill(crossings.begin(), crossings.end(), std::int16_t{0});
        for (std::size_t t = 0; t + 2 < corners.size(); t += 3) {
            const Point corner[3] = {corners[t], corners[t + 1], corners[t + 2]};
            cross_lines(corner, w, grid.size, [&](int pu, int pv, double height, int sign) {
                // The first sample beyond the crossing; the mesh is within the grid.
                const int k = std::clamp(static_cast<int>(std::ceil(height)), 0, grid.size[w] - 1);
                std::int16_t& here =
                    crossings[line(pu, pv) + static_cast<std::size_t>(k) * stride[w]];
                here = static_cast<std::int16_t>(here + sign * outward);
            });
        }
        for (int pv = 0; pv < grid.size[v]; ++pv)
            for (int pu = 0; pu < grid.size[u]; ++pu)
                count_along(crossings.data() + line(pu, pv), stride[w], grid.size[w],
                            counts.data() + line(pu, pv));
    }
    return counts;
}

}  // namespace ringlet
