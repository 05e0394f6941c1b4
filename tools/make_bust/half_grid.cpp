#include "half_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "bust_shape.h"

namespace {

// A ring of rays leaves the spine at (0, y, z). Elevation turns it into a cone about the vertical,
// pitch lowers its front so that rings follow the jaw from chin to nape, and side_lift raises its
// flanks so that rings follow the slope of the shoulders.
struct RayRing {
    double at;
    double y;
    double z;
    double elevation_degrees;
    double pitch;
    double side_lift;
};

constexpr std::array<RayRing, 14> kRayRings{{{0.00, 0.420, -0.012, 90.0, 0.00, 0.00},
                                             {0.14, 0.420, -0.012, 30.0, 0.00, 0.00},
                                             {0.20, 0.420, -0.005, 0.0, 0.00, 0.00},
                                             {0.40, 0.365, 0.000, 0.0, 0.00, 0.00},
                                             {0.58, 0.325, -0.005, 0.0, -0.42, 0.00},
                                             {0.65, 0.305, -0.012, 0.0, -0.75, 0.00},
                                             {0.72, 0.235, -0.030, 0.0, -0.45, 0.10},
                                             {0.76, 0.180, -0.035, 0.0, -0.30, 0.50},
                                             {0.82, 0.120, -0.035, 0.0, -0.10, 0.46},
                                             {0.86, 0.090, -0.032, 0.0, 0.00, 0.35},
                                             {0.90, 0.060, -0.030, 0.0, 0.00, 0.20},
                                             {0.95, 0.025, -0.030, 0.0, 0.00, 0.00},
                                             {0.98, 0.020, -0.030, -17.0, 0.00, 0.00},
                                             {1.00, 0.020, -0.030, -90.0, 0.00, 0.00}}};

RayRing ray_ring(double at) {
    std::size_t i = 1;
    while (i + 1 < kRayRings.size() && kRayRings[i].at < at) {
        ++i;
    }
    const RayRing& a = kRayRings[i - 1];
    const RayRing& b = kRayRings[i];
    const double t = (at - a.at) / (b.at - a.at);
    return {at,
            std::lerp(a.y, b.y, t),
            std::lerp(a.z, b.z, t),
            std::lerp(a.elevation_degrees, b.elevation_degrees, t),
            std::lerp(a.pitch, b.pitch, t),
            std::lerp(a.side_lift, b.side_lift, t)};
}

// Marches inwards, so that the outer surface is found in front of an overhang.
Vec3 outermost_crossing(Vec3 origin, Vec3 direction) {
    constexpr double kReach = 0.40;
    constexpr double kShortestStep = 0.0005;
    constexpr double kCaution = 0.6;  // Blends and ellipsoids only approximate the distance.
    double outside = kReach;
    double inside = kReach;
    while (inside > 0.0) {
        const double distance = bust_distance(origin + direction * inside);
        if (distance < 0.0) {
            break;
        }
        outside = inside;
        inside -= std::max(kCaution * distance, kShortestStep);
    }
    for (int i = 0; i < 20; ++i) {
        const double middle = 0.5 * (inside + outside);
        (bust_distance(origin + direction * middle) > 0.0 ? outside : inside) = middle;
    }
    return origin + direction * inside;
}

Vec3 cast(const RayRing& ring, double angle) {
    const double elevation = ring.elevation_degrees * std::numbers::pi / 180.0;
    const double flat = std::cos(elevation);
    const double rise = ring.pitch * std::cos(angle) + ring.side_lift * std::abs(std::sin(angle));
    const Vec3 direction{flat * std::sin(angle), std::sin(elevation) + flat * rise,
                         flat * std::cos(angle)};
    return outermost_crossing({0.0, ring.y, ring.z}, normalized(direction));
}

// Angles from front to back whose surface points are spaced according to target_spacing.
std::vector<double> spread_angles(const RayRing& ring, int columns) {
    constexpr std::size_t kSamples = 240;
    const auto sample_angle = [](double i) { return std::numbers::pi * i / kSamples; };
    std::array<double, kSamples + 1> travelled{};
    Vec3 previous = cast(ring, 0.0);
    for (std::size_t i = 1; i <= kSamples; ++i) {
        const Vec3 next = cast(ring, sample_angle(static_cast<double>(i)));
        const double wanted = target_spacing(lerp(previous, next, 0.5));
        travelled[i] = travelled[i - 1] + length(next - previous) / wanted;
        previous = next;
    }
    std::vector<double> angles;
    std::size_t i = 1;
    for (int column = 0; column <= columns; ++column) {
        const double goal = travelled.back() * column / columns;
        while (i < kSamples && travelled[i] < goal) {
            ++i;
        }
        const double t = (goal - travelled[i - 1]) / (travelled[i] - travelled[i - 1]);
        angles.push_back(sample_angle(static_cast<double>(i - 1) + t));
    }
    return angles;
}

// Direction along the surface in which a line's side function changes fastest.
Vec3 side_slope(SideFunction side, Vec3 p) {
    constexpr double kStep = 0.0002;
    const auto slope = [&](Vec3 step) { return (side(p + step) - side(p - step)) / (2.0 * kStep); };
    const Vec3 full{slope({kStep, 0.0, 0.0}), slope({0.0, kStep, 0.0}), slope({0.0, 0.0, kStep})};
    const Vec3 normal = bust_normal(p);
    return full - normal * dot(full, normal);
}

Vec3 move_to_line(SideFunction side, Vec3 p, bool on_midline) {
    for (int i = 0; i < 5; ++i) {
        Vec3 slope = side_slope(side, p);
        if (on_midline) {
            slope.x = 0.0;
        }
        p = project_to_bust(p - slope * (side(p) / std::max(dot(slope, slope), 1e-3)), 2);
    }
    return p;
}

// Displacement of p along the grid line through its two neighbours. Springs are stiffer where edges
// should be shorter, so at rest each edge has its target length up to a common factor.
Vec3 slide_between(Vec3 p, Vec3 before, Vec3 after) {
    const double pull_before = 1.0 / target_spacing(lerp(p, before, 0.5));
    const double pull_after = 1.0 / target_spacing(lerp(p, after, 0.5));
    const Vec3 rest = (before * pull_before + after * pull_after) / (pull_before + pull_after);
    const Vec3 tangent = after - before;
    return tangent * (dot(rest - p, tangent) / dot(tangent, tangent));
}

// Each family of grid lines moves points only along itself: a plain sum of springs would pull lines
// off the shoulders onto the thinner neck. A small fraction of the plain sum is added because it
// straightens the lines.
Vec3 relaxing_step(const HalfGrid& grid, int row, int column) {
    constexpr double kStraightening = 0.15;
    const Vec3 p = grid.at(row, column);
    const Vec3 above = grid.at(row - 1, column);
    const Vec3 below = grid.at(row + 1, column);
    const Vec3 left = grid.at(row, column - 1);
    const Vec3 right = grid.at(row, column + 1);
    const Vec3 slide = slide_between(p, above, below) + slide_between(p, left, right);
    const Vec3 straighten = (above + below + left + right) * 0.25 - p;
    return slide * 0.5 + straighten * kStraightening;
}

}  // namespace

HalfGrid cast_grid(int rows, int columns) {
    HalfGrid grid(rows, columns);
    grid.crown = cast(ray_ring(0.0), 0.0);
    grid.foot = cast(ray_ring(1.0), 0.0);
    for (int row = 0; row < grid.rows; ++row) {
        const RayRing ring = ray_ring((row + 1.0) / (grid.rows + 1.0));
        const std::vector<double> angles = spread_angles(ring, grid.columns);
        for (int column = 0; column <= grid.columns; ++column) {
            Vec3& p = grid.points[grid.index(row, column)];
            p = cast(ring, angles[static_cast<std::size_t>(column)]);
            if (grid.on_midline(column)) {
                p.x = 0.0;
            }
        }
    }
    return grid;
}

void relax(HalfGrid& grid, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        for (int row = 1; row + 1 < grid.rows; ++row) {
            for (int column = 0; column <= grid.columns; ++column) {
                const std::size_t i = grid.index(row, column);
                if (grid.line[i] == scalp_side) {
                    continue;
                }
                Vec3& p = grid.points[i];
                const Vec3 step = relaxing_step(grid, row, column);
                const Vec3 normal = bust_normal(p);
                p = project_to_bust(p + step - normal * dot(step, normal), 1);
                if (grid.on_midline(column)) {
                    p.x = 0.0;
                }
                if (grid.line[i] != nullptr) {
                    p = move_to_line(grid.line[i], p, grid.on_midline(column));
                }
            }
        }
    }
}

void snap_to_line(HalfGrid& grid, const std::vector<Loop>& loops, SideFunction line) {
    const auto side = [&](std::size_t i) {
        return grid.line[i] == line ? 0.0 : line(grid.points[i]);
    };
    const auto distance = [&](std::size_t i) {
        return std::abs(side(i)) / std::max(length(side_slope(line, grid.points[i])), 1e-3);
    };
    std::vector<std::size_t> nearest;
    for (const Loop& loop : loops) {
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const std::size_t a = loop[k];
            const std::size_t b = loop[(k + 1) % loop.size()];
            if (side(a) * side(b) < 0.0) {
                nearest.push_back(distance(a) < distance(b) ? a : b);
            }
        }
    }
    for (const std::size_t i : nearest) {
        grid.points[i] = move_to_line(line, grid.points[i], grid.on_midline(grid.column_of(i)));
        grid.line[i] = line;
    }
}

HalfGrid doubled(const HalfGrid& coarse) {
    HalfGrid fine(2 * coarse.rows - 1, 2 * coarse.columns);
    fine.crown = coarse.crown;
    fine.foot = coarse.foot;
    for (int row = 0; row < fine.rows; ++row) {
        for (int column = 0; column <= fine.columns; ++column) {
            const int next_row = (row + 1) / 2;
            const int next_column = (column + 1) / 2;
            const std::size_t a = coarse.index(row / 2, column / 2);
            const std::size_t b = coarse.index(next_row, next_column);
            const Vec3 others = coarse.at(row / 2, next_column) + coarse.at(next_row, column / 2);
            const Vec3 middle = (coarse.points[a] + coarse.points[b] + others) / 4.0;
            const std::size_t i = fine.index(row, column);
            fine.points[i] = a == b ? coarse.points[a] : project_to_bust(middle, 3);
            const bool between_two = row % 2 == 0 || column % 2 == 0;
            if (between_two && coarse.line[a] != nullptr && coarse.line[a] == coarse.line[b]) {
                fine.line[i] = coarse.line[a];
                fine.points[i] =
                    move_to_line(fine.line[i], fine.points[i], fine.on_midline(column));
            }
        }
    }
    return fine;
}
