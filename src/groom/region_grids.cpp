#include "groom/region_grids.h"

namespace ringlet {

RegionGrids::RegionGrids(std::span<const Vec3f> points, std::span<const int> regions) {
    std::map<int, std::vector<int>> ids;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const int region = regions[k];
        const auto place = static_cast<HeadPlace>(region % kHeadPlaces);
        const auto add_to = [&](int other) { ids[other].push_back(static_cast<int>(k)); };
        add_to(region);
        if (place == HeadPlace::away || place == HeadPlace::right_side)
            add_to(place == HeadPlace::away ? region - 1 : region + 1);
        if (place == HeadPlace::away || place == HeadPlace::left_side)
            add_to(place == HeadPlace::away ? region + 1 : region - 1);
    }
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
