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
            gap.at(strand, i) = max(height, -2 * settings.collision_radius);
        }
    });
    return gap;
}

float six_decades(float along) { return std::pow(10.0f, 6 * along - 3); }

std::pair<int, int> take_first_repaired(std::vector<float>& repaired, const StrandLayout& layout) {
    std::pair<int, int> first{-1, -1};
    for (std::size_t slot = 0; slot < repaired.size(); ++slot) {
        if (repaired[slot] < 0) continue;
        const int strand =
            layout.strand_at(static_cast<int>(slot / kLanes), static_cast<int>(slot % kLanes));
        if (strand >= 0 && (first.first < 0 || strand < first.first))
            first = {strand, static_cast<int>(repaired[slot])};
        repaired[slot] = -1;
    }
    return first;
}

int take_marked(std::vector<float>& marks) {
    const auto count = std::count(marks.begin(), marks.end(), 1.0f);
    if (count > 0) std::fill(marks.begin(), marks.end(), 0.0f);
    return static_cast<int>(count);
}

}  // namespace ringlet
