#include "groom/guides.h"

#include "geom/point_grid.h"
#include "groom/grow.h"

namespace ringlet {

namespace {

GuideWeights weights_by_distance(Vec3f root, std::span<const int> found,
                                 const std::vector<int>& ids, const StrandSet& strands) {
    GuideWeights out;
    out.weight = {0, 0, 0};
    float total = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
        out.guide[k] = ids[static_cast<std::size_t>(found[k])];
        // Falls as the square of the distance; a root on its guide follows it alone.
        const Vec3f d = strands.position.vec3(out.guide[k], 0) - root;
        out.weight[k] = 1 / (dot(d, d) + 1e-10f);
        total += out.weight[k];
    }
    for (float& weight : out.weight) weight /= total;
    return out;
}

}  // namespace

std::vector<GuideWeights> choose_guides(const StrandSet& strands, int guide_count,
                                        const CombSettings& comb, const TaskPool& pool) {
    std::vector<int> ids[3];
    std::vector<Vec3f> places[3];
    for (int g = 0; g < guide_count; ++g) {
        const Vec3f root = strands.position.vec3(g, 0);
        const auto side = static_cast<std::size_t>(side_of_parting(comb, root) + 1);
        ids[side].push_back(g);
        places[side].push_back(root);
    }
    const PointGrid grids[3] = {PointGrid(places[0]), PointGrid(places[1]), PointGrid(places[2])};
    std::vector<GuideWeights> out(static_cast<std::size_t>(strands.strand_count() - guide_count));
    pool.for_each(static_cast<int>(out.size()), [&](int child) {
        const Vec3f root = strands.position.vec3(guide_count + child, 0);
        const auto side = static_cast<std::size_t>(side_of_parting(comb, root) + 1);
        int nearest[3];
        const int found = grids[side].nearest(root, nearest);
        if (found == 0) return;  // no guide on this side: the first leads
        out[static_cast<std::size_t>(child)] = weights_by_distance(
            root, std::span<const int>(nearest, static_cast<std::size_t>(found)), ids[side],
            strands);
    });
    return out;
}

StrandSet part_of(const StrandSet& strands, int first, int end) {
    std::vector<int> counts;
    std::vector<Vec3f> roots;
    for (int s = first; s < end; ++s) {
        counts.push_back(strands.layout->vertex_count(s));
        roots.push_back(strands.position.vec3(s, 0));
    }
    StrandSet out{StrandLayout(counts, roots)};
    for (int s = first; s < end; ++s) {
        if (!strands.root_uv.empty())
            out.root_uv.push_back(strands.root_uv[static_cast<std::size_t>(s)]);
        for (int i = 0; i < strands.layout->vertex_count(s); ++i) {
            out.position.set_vec3(s - first, i, strands.position.vec3(s, i));
            out.colour.set_vec3(s - first, i, strands.colour.vec3(s, i));
            out.radius.at(s - first, i) = strands.radius.at(s, i);
        }
    }
    return out;
}

}  // namespace ringlet
