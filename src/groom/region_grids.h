// Nearest points among those of the same region: group of the mesh and side of the parting.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "geom/point_grid.h"

namespace ringlet {

class RegionGrids {
public:
    RegionGrids() = default;
    RegionGrids(std::span<const Vec3f> points, std::span<const int> regions);

    // Indices of the nearest points of a region, nearest first; returns how many there are.
    int nearest(Vec3f p, int region, std::span<int> out) const;

private:
    struct Region {
        std::vector<int> ids;
        PointGrid grid;
    };
    std::map<int, Region> regions_;
};

}  // namespace ringlet
