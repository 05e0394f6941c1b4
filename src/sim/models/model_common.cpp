#include "sim/models/model_common.h"

#include <algorithm>
#include <cmath>

namespace ringlet {

Channel<1> gaps_to_bodies(const ModelStart& start) {
    const SimSettings& settings = start.settings;
    const StrandLayout& layout = *start.rest.layout;
    const float most = max(settings.keep_gap, settings.collision_radius);
    Channel<1> gap(start.rest.layout, most);
    start.pool.for_each(layout.strand_count(), [&](int strand) {
        for (int i = 0; i < layout.vertex_count(strand); ++i) {
            float height = most;
            for (const PlacedCollider& body : start.bodies)
                height = min(height, nearest_surface(body, start.state.x.vec3(strand, i)).distance);
            gap.at(strand, i) =
                settings.keeps_style() ? height : max(height, -2 * settings.collision_radius);
        }
    });
    return gap;
}

float six_decades(float along) { return std::pow(10.0f, 6 * along - 3); }

std::pair<int, int> collect_first_repaired(StrandChannel<1>& repaired) {
    std::pair<int, int> first{-1, -1};
    if (repaired.count_above(-1) == 0) return first;
    repaired.read();
    for (int s = 0; s < repaired.layout().strand_count() && first.first < 0; ++s)
        if (repaired.at(s) >= 0) first = {s, static_cast<int>(repaired.at(s))};
    repaired.fill({-1});
    return first;
}

int collect_flag_count(StrandChannel<1>& flags) {
    const int count = flags.count_above(0);
    if (count > 0) flags.fill_with_zeros();
    return count;
}

}  // namespace ringlet
