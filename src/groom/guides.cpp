#include "groom/guides.h"

#include <numeric>

#include "groom/region_grids.h"

namespace ringlet {

namespace {

GuideWeights weights_by_distance(Vec3f root, std::span<const int> guides,
                                 const StrandSet& strands) {
    GuideWeights out;
    out.weight[0] = 0;
    float total = 0;
    for (std::size_t k = 0; k < guides.size(); ++k) {
        out.guide[k] = guides[k];
        // Inverse square of the distance. A root at a guide's root follows only that guide.
        const Vec3f d = strands.position.vec3(guides[k], 0) - root;
        out.weight[k] = 1 / (dot(d, d) + 1e-10f);
        total += out.weight[k];
    }
    for (float& weight : out.weight) weight /= total;
    return out;
}

int region_of(const StrandSet& strands, int strand) {
    return strands.region.empty() ? 0 : strands.region[static_cast<std::size_t>(strand)];
}

}  // namespace

std::vector<GuideWeights> choose_guides(const StrandSet& strands, int guide_count,
                                        const TaskPool& pool) {
    std::vector<Vec3f> roots;
    std::vector<int> regions;
    for (int g = 0; g < guide_count; ++g) {
        roots.push_back(strands.position.vec3(g, 0));
        regions.push_back(region_of(strands, g));
    }
    const RegionGrids grids(roots, regions);
    std::vector<GuideWeights> out(static_cast<std::size_t>(strands.strand_count() - guide_count));
    pool.for_each(static_cast<int>(out.size()), [&](int child) {
        const int strand = guide_count + child;
        const Vec3f root = strands.position.vec3(strand, 0);
        int nearest[3];
        const int found = grids.nearest(root, region_of(strands, strand), nearest);
        if (found == 0) return;  // no guide in this region: the strand follows guide 0
        out[static_cast<std::size_t>(child)] = weights_by_distance(
            root, std::span<const int>(nearest, static_cast<std::size_t>(found)), strands);
    });
    return out;
}

StrandSet part_of(const StrandSet& strands, int first, int end) {
    std::vector<int> ids(static_cast<std::size_t>(end - first));
    std::iota(ids.begin(), ids.end(), first);
    return pick_strands(strands, ids);
}

}  // namespace ringlet
