// Nearest-point queries restricted to one region: a mesh group and a place in it.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "geom/point_grid.h"

namespace ringlet {

// A place on the head. Strands of the two sides of the parting never share a clump or a guide, and
// those of the fringe share them with no others. Strands away from the parting share them with both
// sides, so that no seam shows where the parting ends.
enum class HeadPlace { right_side, away, left_side, fringe };
inline constexpr int kHeadPlaces = 4;

constexpr int region_of(int group, HeadPlace place) {
    return kHeadPlaces * (group + 1) + static_cast<int>(place);
}

class RegionGrids {
public:
    RegionGrids() = default;
    // `regions` are values of region_of().
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
