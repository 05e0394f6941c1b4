// Nearest-point queries restricted to one region (mesh group and side of the parting).
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

    // Writes the indices of the nearest points of a region, nearest first, and returns their
    // number: at most out.size().
    int nearest(Vec3f p, int region, std::span<int> out) const;

private:
    struct Region {
        std::vector<int> ids;
        PointGrid grid;
    };
    std::map<int, Region> regions_;
};

}  // namespace ringlet
