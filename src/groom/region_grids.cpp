#include "groom/region_grids.h"

namespace ringlet {

RegionGrids::RegionGrids(std::span<const Vec3f> points, std::span<const int> regions) {
    std::map<int, std::vector<int>> ids;
    for (std::size_t k = 0; k < points.size(); ++k) ids[regions[k]].push_back(static_cast<int>(k));
    for (auto& [region, members] : ids) {
        std::vector<Vec3f> positions;
        for (const int id : members) positions.push_back(points[static_cast<std::size_t>(id)]);
        regions_.emplace(region, Region{std::move(members), PointGrid(positions)});
    }
}

int RegionGrids::nearest(Vec3f p, int region, std::span<int> out) const {
    const auto found = regions_.find(region);
    if (found == regions_.end()) return 0;
    const int count = found->second.grid.nearest(p, out);
    for (int k = 0; k < count; ++k) {
        int& id = out[static_cast<std::size_t>(k)];
        id = found->second.ids[static_cast<std::size_t>(id)];
    }
    return count;
}

}  // namespace ringlet
