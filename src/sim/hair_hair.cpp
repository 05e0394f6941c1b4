#include "sim/hair_hair.h"

#include <algorithm>

namespace ringlet {

namespace {

// Limits the volume of isolated vertices: no vertex has more volume than at this fraction of the
// mean density.
constexpr float kThinnest = 0.5f;

// An isolated vertex scatters at least an eighth of its weight to one corner of its cell.
constexpr float kMinFullest = 0.125f;

// Iterations that fit volumes to the groomed hair. After these every vertex is within a few percent
// of its limit.
constexpr int kVolumeRounds = 6;

// Most that pressure may move a vertex until the next coupling, in cells: it is explicit, and
// pushing hair past the neighbours that push back would make it shake.
constexpr float kMaxPush = 0.25f;

CoupleUniforms uniforms_for(const SimSettings& settings, int couplings) {
    const HairHair& hair = settings.hair_hair;
    const float h = settings.dt / static_cast<float>(couplings);
    const double kept = 1 - static_cast<double>(hair.friction_per_step);
    return {
        .friction = h * hair.friction,
        .kept = static_cast<float>(nth_root(kept, couplings)),
        .repulsion = h * hair.repulsion,
        .plain_repulsion = hair.repulsion_per_step / settings.dt / static_cast<float>(couplings),
        .pressure = h * hair.volume / hair.cell,
        .most_push = kMaxPush * hair.cell / h,
        .first_free = settings.hold_roots ? (settings.clamp_root ? 2 : 1) : 0,
        .held_tips = settings.hold_tips ? 1 : 0};
}

}  // namespace

bool couples_hair(const SimSettings& settings, const Wind& wind) {
    const HairHair& hair = settings.hair_hair;
    return hair.friction > 0 || hair.friction_per_step > 0 || hair.repulsion > 0 ||
           hair.repulsion_per_step > 0 || hair.volume > 0 || wind.shelter > 0;
}

HairCoupling::HairCoupling(const SimState& groomed, const SimSettings& settings,
                           const TaskPool& pool)
    : settings_(settings.hair_hair),
      substeps_(settings.substeps),
      couplings_(std::min(settings.hair_hair.couplings, settings.substeps)),
      uniforms_(uniforms_for(settings, couplings_)),
      grid_(groomed.x, settings.hair_hair.cell, pool),
      volume_(groomed.x.layout_ref(), 1),
      density_(groomed.x.layout_ref()) {
    measure_volumes(groomed, pool);
}

// Makes volumes as large as possible with no cell of the groomed hair above density 1: pressure
// starts where hair is denser than groomed, and the groomed pose is at rest. Dividing the volume of
// each vertex by the largest density of the nodes it reaches leaves at most 1 everywhere; further
// iterations only enlarge it. Where guides represent many strands, their volumes become larger.
void HairCoupling::measure_volumes(const SimState& groomed, const TaskPool& pool) {
    const StrandLayout& layout = volume_.layout();
    const auto for_each_vertex = [&](const auto& action) {
        for (int s = 0; s < layout.strand_count(); ++s)
            for (int i = 0; i < layout.vertex_count(s); ++i) action(s, i);
    };
    float most = 0;
    for (int round = 0; round < kVolumeRounds; ++round) {
        grid_.scatter(groomed.x, groomed.v, volume_, largest_volume_, density_, pool);
        grid_.max_density_around(density_, pool);
        if (round == 0) {
            double sum = 0;
            for_each_vertex([&](int s, int i) { sum += static_cast<double>(density_.at(s, i)); });
            const double count =
                static_cast<double>(std::max<std::int64_t>(layout.vertex_total(), 1));
            most = 1 / max(kThinnest * static_cast<float>(sum / count), kMinFullest);
        }
        largest_volume_ = 0;
        for_each_vertex([&](int s, int i) {
            float& volume = volume_.at(s, i);
            volume = min(volume / max(density_.at(s, i), kMinFullest * volume), most);
            largest_volume_ = max(largest_volume_, volume);
        });
    }
}

void HairCoupling::couple(SimState& state, const TaskPool& pool) {
    volume_.read();
    density_.edit();
    grid_.scatter(state.x, state.v, volume_, largest_volume_, density_, pool);
    grid_.couple(uniforms_, state.x, state.v, density_, pool);
}

DeviceCoupling HairCoupling::on_device(SimState& state) {
    return {uniforms_,
            grid_.cells_per_metre(),
            grid_.tile_limit(),
            largest_volume_,
            &state.x,
            &state.v,
            &density_,
            &volume_,
            grid_.is_shared() ? &grid_ : nullptr};
}

std::size_t HairCoupling::byte_count() const {
    return grid_.byte_count() + volume_.byte_count() + density_.byte_count();
}

}  // namespace ringlet
