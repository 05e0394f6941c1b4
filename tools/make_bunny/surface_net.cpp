#include "surface_net.h"

#include <cmath>
#include <map>

namespace {

struct Grid {
    Vec3 low;
    double cell;
    int nx, ny, nz;  // samples
    std::vector<double> values;

    std::size_t index(int x, int y, int z) const {
        return (static_cast<std::size_t>(z) * static_cast<std::size_t>(ny) +
                static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(nx) +
               static_cast<std::size_t>(x);
    }
    Vec3 position(int x, int y, int z) const { return low + Vec3{x * cell, y * cell, z * cell}; }
};

// The plane x = 0 contains samples, so that the two sides are mirror images.
Grid sample(const Animal& animal) {
    Grid grid;
    const int half = static_cast<int>(std::ceil(animal.high.x / animal.cell));
    grid.cell = animal.cell;
    grid.low = {-half * animal.cell, animal.low.y, animal.low.z};
    grid.nx = 2 * half + 1;
    grid.ny = static_cast<int>((animal.high.y - animal.low.y) / animal.cell) + 2;
    grid.nz = static_cast<int>((animal.high.z - animal.low.z) / animal.cell) + 2;
    grid.values.resize(grid.index(0, 0, grid.nz));
    for (int z = 0; z < grid.nz; ++z)
        for (int y = 0; y < grid.ny; ++y)
            for (int x = 0; x < grid.nx; ++x)
                grid.values[grid.index(x, y, z)] = animal.distance(grid.position(x, y, z));
    return grid;
}

// Computes the mean of the points where the surface intersects the edges of a cell; returns false
// if there are none.
bool crossing(const Grid& grid, int x, int y, int z, Vec3& out) {
    Vec3 sum{};
    int count = 0;
    for (int corner = 0; corner < 8; ++corner)
        for (int axis = 0; axis < 3; ++axis) {
            if (corner & (1 << axis)) continue;
            const int ax = x + (corner & 1), ay = y + (corner >> 1 & 1), az = z + (corner >> 2);
            const int bx = ax + (axis == 0), by = ay + (axis == 1), bz = az + (axis == 2);
            const double a = grid.values[grid.index(ax, ay, az)];
            const double b = grid.values[grid.index(bx, by, bz)];
            if ((a < 0) == (b < 0)) continue;
            sum += lerp(grid.position(ax, ay, az), grid.position(bx, by, bz), a / (a - b));
            ++count;
        }
    if (count > 0) out = sum / count;
    return count > 0;
}

Vec3 onto_surface(const Animal& animal, Vec3 p) {
    for (int k = 0; k < 4; ++k) p = p - surface_normal(animal, p) * animal.distance(p);
    return p;
}

// Laplacian smoothing along the surface.
void smooth(const Animal& animal, QuadMesh& mesh, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        std::vector<Vec3> sums(mesh.positions.size());
        std::vector<int> counts(mesh.positions.size());
        for (const std::array<int, 4>& quad : mesh.quads)
            for (std::size_t k = 0; k < 4; ++k) {
                const auto at = static_cast<std::size_t>(quad[k]);
                sums[at] += mesh.positions[static_cast<std::size_t>(quad[(k + 1) % 4])];
                sums[at] += mesh.positions[static_cast<std::size_t>(quad[(k + 3) % 4])];
                counts[at] += 2;
            }
        for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
            if (counts[i] == 0) continue;
            const Vec3 moved = lerp(mesh.positions[i], sums[i] / counts[i], 0.5);
            mesh.positions[i] = onto_surface(animal, moved);
        }
    }
}

}  // namespace

Vec3 surface_normal(const Animal& animal, Vec3 p) {
    constexpr double kStep = 5e-4;
    const auto slope = [&](Vec3 step) {
        return animal.distance(p + step) - animal.distance(p - step);
    };
    const Vec3 gradient{slope({kStep, 0, 0}), slope({0, kStep, 0}), slope({0, 0, kStep})};
    return normalized(gradient);
}

QuadMesh surface_net(const Animal& animal) {
    const Grid grid = sample(animal);
    QuadMesh mesh;
    std::vector<int> vertex(grid.values.size(), -1);
    for (int z = 0; z + 1 < grid.nz; ++z)
        for (int y = 0; y + 1 < grid.ny; ++y)
            for (int x = 0; x + 1 < grid.nx; ++x) {
                Vec3 p;
                if (!crossing(grid, x, y, z, p)) continue;
                vertex[grid.index(x, y, z)] = static_cast<int>(mesh.positions.size());
                mesh.positions.push_back(p);
            }
    // Each edge that the surface intersects gives a quad of the four cells that share the edge.
    for (int z = 1; z + 1 < grid.nz; ++z)
        for (int y = 1; y + 1 < grid.ny; ++y)
            for (int x = 1; x + 1 < grid.nx; ++x)
                for (int axis = 0; axis < 3; ++axis) {
                    const double a = grid.values[grid.index(x, y, z)];
                    const double b =
                        grid.values[grid.index(x + (axis == 0), y + (axis == 1), z + (axis == 2))];
                    if ((a < 0) == (b < 0)) continue;
                    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
                    const auto cell = [&](int du, int dv) {
                        int at[3] = {x, y, z};
                        at[u] -= du;
                        at[v] -= dv;
                        return vertex[grid.index(at[0], at[1], at[2])];
                    };
                    std::array<int, 4> quad{cell(0, 0), cell(1, 0), cell(1, 1), cell(0, 1)};
                    if (!(a < 0)) std::swap(quad[1], quad[3]);
                    mesh.quads.push_back(quad);
                }
    smooth(animal, mesh, 6);
    return mesh;
}
