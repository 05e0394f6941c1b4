#include "sweep_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "bust_shape.h"
#include "half_grid.h"

namespace {

// Coarse grid: rings between the crown pole and the foot pole, and steps from the front midline to
// the back midline on each side. Every coarse cell in a detailed region becomes four.
constexpr int kCoarseRows = 48;
constexpr int kCoarseColumns = 26;
constexpr double kDetailSpacing = 0.0027;

constexpr int kRelaxRounds = 300;
constexpr int kSettleRounds = 30;

// Lines along which vertices are placed.
constexpr std::array<SideFunction, 3> kLines{scalp_side, crease_side, ear_rim_side};

std::vector<Loop> all_quads(const HalfGrid& grid) {
    std::vector<Loop> loops;
    for (int row = 0; row + 1 < grid.rows; ++row) {
        for (int column = 0; column < grid.columns; ++column) {
            loops.push_back({grid.index(row, column), grid.index(row + 1, column),
                             grid.index(row + 1, column + 1), grid.index(row, column + 1)});
        }
    }
    return loops;
}

// Chooses which cells of the doubled grid stay fine, and lists the resulting faces. A coarse face
// next to a fine one includes the midpoint of their common edge, so no crack opens.
class FaceLister {
public:
    explicit FaceLister(const HalfGrid& fine) : fine_(fine), detailed_(fine.points.size(), 0) {
        for (int row = 0; row + 2 < fine.rows; row += 2) {
            for (int column = 0; column < fine.columns; column += 2) {
                const bool wanted = target_spacing(fine.at(row + 1, column + 1)) < kDetailSpacing;
                detailed_[fine.index(row, column)] = wanted ? 1 : 0;
            }
        }
    }

    std::vector<Loop> faces() const {
        std::vector<Loop> loops;
        for (int row = 0; row + 2 < fine_.rows; row += 2) {
            for (int column = 0; column < fine_.columns; column += 2) {
                if (detailed(row, column)) {
                    for (const auto& [dr, dc] : {std::pair{0, 0}, {1, 0}, {0, 1}, {1, 1}}) {
                        loops.push_back(square(row + dr, column + dc, 1));
                    }
                } else {
                    loops.push_back(coarse_face(row, column));
                }
            }
        }
        return loops;
    }

private:
    // Takes the even row and column of a coarse cell; outside the grid there is no detail.
    bool detailed(int row, int column) const {
        return row >= 0 && row + 2 < fine_.rows && column >= 0 && column < fine_.columns &&
               detailed_[fine_.index(row, column)] != 0;
    }

    Loop square(int row, int column, int size) const {
        return {fine_.index(row, column), fine_.index(row + size, column),
                fine_.index(row + size, column + size), fine_.index(row, column + size)};
    }

    Loop coarse_face(int row, int column) const {
        const Loop corners = square(row, column, 2);
        const std::array<bool, 4> fine_beside{detailed(row, column - 2), detailed(row + 2, column),
                                              detailed(row, column + 2), detailed(row - 2, column)};
        Loop loop;
        for (std::size_t k = 0; k < 4; ++k) {
            loop.push_back(corners[k]);
            if (fine_beside[k]) {
                // The index is linear in row and column, so the mean is the midpoint's index.
                loop.push_back((corners[k] + corners[(k + 1) % 4]) / 2);
            }
        }
        return loop;
    }

    const HalfGrid& fine_;
    std::vector<std::uint8_t> detailed_;
};

// -1 skin, 0 on the hairline, 1 scalp.
int scalp_sign(const HalfGrid& grid, std::size_t i) {
    return grid.line[i] == scalp_side ? 0 : (scalp_side(grid.points[i]) > 0.0 ? 1 : -1);
}

// After snapping, a face can only straddle the hairline between two of its corners; cut it there.
std::vector<Loop> cut_at_hairline(const HalfGrid& grid, const std::vector<Loop>& loops) {
    const auto is_scalp = [&](std::size_t i) { return scalp_sign(grid, i) > 0; };
    const auto is_skin = [&](std::size_t i) { return scalp_sign(grid, i) < 0; };
    std::vector<Loop> result;
    for (Loop loop : loops) {
        const auto scalp = std::find_if(loop.begin(), loop.end(), is_scalp);
        if (scalp == loop.end() || std::none_of(loop.begin(), loop.end(), is_skin)) {
            result.push_back(loop);
            continue;
        }
        std::rotate(loop.begin(), scalp, loop.end());
        const auto first_cut = std::find_if(loop.begin(), loop.end(), is_skin) - 1;
        const auto last_cut = std::find_if(loop.rbegin(), loop.rend(), is_skin).base();
        result.emplace_back(first_cut, last_cut + 1);
        loop.erase(first_cut + 1, last_cut);
        result.push_back(loop);
    }
    return result;
}

// Area over squared longest side of the thinnest triangle that a fan from the given corner cuts a
// face into; negative if one faces inwards.
double worst_fan_shape(const HalfGrid& grid, const Loop& loop, std::size_t start) {
    const auto point = [&](std::size_t k) { return grid.points[loop[(start + k) % loop.size()]]; };
    const Vec3 outward = bust_normal(point(0));
    double worst = 1.0;
    for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
        const Vec3 a = point(k) - point(0);
        const Vec3 b = point(k + 1) - point(0);
        const double longest = std::max({dot(a, a), dot(b, b), dot(b - a, b - a)});
        worst = std::min(worst, 0.5 * dot(cross(a, b), outward) / longest);
    }
    return worst;
}

// Splits faces with midpoints in their sides into triangle fans about the corner with the best
// shape.
std::vector<Loop> without_midpoints(const HalfGrid& grid, const std::vector<Loop>& loops) {
    std::vector<Loop> result;
    for (const Loop& loop : loops) {
        if (loop.size() <= 4) {
            result.push_back(loop);
            continue;
        }
        std::size_t best = 0;
        for (std::size_t start = 1; start < loop.size(); ++start) {
            if (worst_fan_shape(grid, loop, start) > worst_fan_shape(grid, loop, best)) {
                best = start;
            }
        }
        for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
            result.push_back(
                {loop[best], loop[(best + k) % loop.size()], loop[(best + k + 1) % loop.size()]});
        }
    }
    return result;
}

// Returns whether to split a quad between corners 1 and 3 instead of 0 and 2. A diagonal that flips
// a triangle is rejected. A diagonal between two corners on a line is preferred. Otherwise a short
// diagonal close to the surface is chosen, which avoids jagged creases from sheared quads.
bool prefers_odd_diagonal(const HalfGrid& grid, const Loop& quad) {
    const bool even_fits = worst_fan_shape(grid, quad, 0) > 0.0;
    const bool odd_fits = worst_fan_shape(grid, quad, 1) > 0.0;
    if (even_fits != odd_fits) {
        return odd_fits;
    }
    const auto on_line = [&](std::size_t k) { return grid.line[quad[k]] != nullptr; };
    const bool even_joins = on_line(0) && on_line(2);
    const bool odd_joins = on_line(1) && on_line(3);
    if (even_joins != odd_joins) {
        return odd_joins;
    }
    const auto cost = [&](std::size_t a, std::size_t b) {
        constexpr double kLengthWeight = 0.05;
        const Vec3 from = grid.points[quad[a]];
        const Vec3 to = grid.points[quad[b]];
        return std::abs(bust_distance(lerp(from, to, 0.5))) + kLengthWeight * length(to - from);
    };
    return cost(1, 3) < cost(0, 2);
}

// Renderers split a quad from its first corner, so the first corner determines the diagonal.
void start_at_better_diagonal(const HalfGrid& grid, std::vector<Loop>& loops) {
    for (Loop& loop : loops) {
        if (loop.size() == 4 && prefers_odd_diagonal(grid, loop)) {
            std::rotate(loop.begin(), loop.begin() + 1, loop.end());
        }
    }
}

// Mirrors the half faces into one closed mesh. Texture u runs once around from the seam down the
// back, v from the foot to the crown. Right is the side of positive x, as seen from the front.
class MeshBuilder {
public:
    explicit MeshBuilder(const HalfGrid& grid)
        : grid_(grid),
          right_(grid.points.size(), Corner{kUnused, kUnused}),
          left_(grid.points.size(), Corner{kUnused, kUnused}) {}

    BustMesh build(const std::vector<Loop>& loops) {
        for (const Loop& loop : loops) {
            add_mirrored(loop);
        }
        close_pole(grid_.crown, 0, 1.0);
        close_pole(grid_.foot, grid_.rows - 1, 0.0);
        return std::move(mesh_);
    }

private:
    static constexpr int kUnused = -1;

    int add_position(Vec3 p) {
        mesh_.positions.push_back(p);
        mesh_.normals.push_back(shading_normal(p));
        return static_cast<int>(mesh_.positions.size()) - 1;
    }

    int add_texcoord(double u, double v) {
        mesh_.texcoords.push_back({u, v});
        return static_cast<int>(mesh_.texcoords.size()) - 1;
    }

    double turn(std::size_t i) const { return 0.5 * grid_.column_of(i) / grid_.columns; }
    double rise(std::size_t i) const { return 1.0 - (grid_.row_of(i) + 1.0) / (grid_.rows + 1.0); }

    Corner right_corner(std::size_t i) {
        Corner& corner = right_[i];
        if (corner.position == kUnused) {
            corner = {add_position(grid_.points[i]), add_texcoord(0.5 + turn(i), rise(i))};
        }
        return corner;
    }

    Corner left_corner(std::size_t i) {
        const int column = grid_.column_of(i);
        if (column == 0) {
            return right_corner(i);
        }
        Corner& corner = left_[i];
        if (corner.position == kUnused) {
            const Vec3 p = grid_.points[i];
            corner.position = grid_.on_midline(column) ? right_corner(i).position
                                                       : add_position({-p.x, p.y, p.z});
            corner.texcoord = add_texcoord(0.5 - turn(i), rise(i));
        }
        return corner;
    }

    void add_mirrored(const Loop& loop) {
        Face right;
        Face left;
        int balance = 0;
        for (const std::size_t i : loop) {
            right.push_back(right_corner(i));
            left.push_back(left_corner(i));
            balance += scalp_sign(grid_, i);
        }
        // Keeps the first corner first, so both sides are split along the same diagonal.
        std::reverse(left.begin() + 1, left.end());
        std::vector<Face>& material = balance > 0 ? mesh_.scalp : mesh_.skin;
        material.push_back(std::move(right));
        material.push_back(std::move(left));
    }

    void close_pole(Vec3 pole, int row, double v) {
        const int position = add_position(pole);
        const bool top = row == 0;
        std::vector<Face>& material = top ? mesh_.scalp : mesh_.skin;
        for (int column = 0; column < grid_.columns; column += 2) {
            const std::size_t a = grid_.index(row, top ? column : column + 2);
            const std::size_t b = grid_.index(row, top ? column + 2 : column);
            const double middle = 0.5 * (turn(a) + turn(b));
            material.push_back(
                {{position, add_texcoord(0.5 + middle, v)}, right_corner(a), right_corner(b)});
            material.push_back(
                {{position, add_texcoord(0.5 - middle, v)}, left_corner(b), left_corner(a)});
        }
    }

    const HalfGrid& grid_;
    std::vector<Corner> right_;
    std::vector<Corner> left_;
    BustMesh mesh_;
};

}  // namespace

BustMesh make_bust_mesh() {
    HalfGrid coarse = cast_grid(kCoarseRows, kCoarseColumns);
    relax(coarse, kRelaxRounds);
    for (const SideFunction line : kLines) {
        snap_to_line(coarse, all_quads(coarse), line);
    }
    relax(coarse, kSettleRounds);

    HalfGrid fine = doubled(coarse);
    relax(fine, kSettleRounds);
    const std::vector<Loop> faces = FaceLister(fine).faces();
    for (const SideFunction line : kLines) {
        snap_to_line(fine, faces, line);
    }
    relax(fine, kSettleRounds);
    // Relaxation may have moved a free point across the hairline.
    snap_to_line(fine, faces, scalp_side);

    std::vector<Loop> loops = without_midpoints(fine, cut_at_hairline(fine, faces));
    start_at_better_diagonal(fine, loops);
    return MeshBuilder(fine).build(loops);
}
