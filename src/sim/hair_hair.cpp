#include "sim/hair_hair.h"

#include <algorithm>

namespace ringlet {

namespace {

// A hair groomed to stand alone does not claim all the room around it: none claims more than hair
// at this share of the mean density does.
constexpr float kThinnest = 0.5f;

// Most that pressure may move a vertex until the next mixing, in cells: it is explicit, and pushing
// hair past the neighbours that push back would make it shake.
constexpr float kMostPush = 0.25f;

MixUniforms uniforms_for(const SimSettings& settings, const Wind& wind, int mixes) {
    const HairHair& hair = settings.hair_hair;
    const float h = settings.dt / static_cast<float>(mixes);
    const double kept = 1 - static_cast<double>(hair.plain_friction);
    return {.friction = h * hair.friction,
            .kept = static_cast<float>(nth_root(kept, mixes)),
            .repulsion = h * hair.repulsion,
            .plain_repulsion = hair.plain_repulsion / settings.dt / static_cast<float>(mixes),
            .pressure = h * hair.volume / hair.cell,
            .most_push = kMostPush * hair.cell / h,
            .wind = {0, 0, 0},
            .shelter = h * settings.damping * wind.shelter,
            .first_free = settings.hold_roots ? (settings.clamp_root ? 2 : 1) : 0,
            .held_tips = settings.hold_tips ? 1 : 0};
}

}  // namespace

bool mixes_hair(const SimSettings& settings, const Wind& wind) {
    const HairHair& hair = settings.hair_hair;
    return hair.friction > 0 || hair.plain_friction > 0 || hair.repulsion > 0 ||
           hair.plain_repulsion > 0 || hair.volume > 0 || wind.shelter > 0;
}

HairMixer::HairMixer(const SimState& groomed, const SimSettings& settings, const Wind& wind)
    : settings_(settings.hair_hair),
      substeps_(settings.substeps),
      mixes_(std::min(settings.hair_hair.mixes, settings.substeps)),
      uniforms_(uniforms_for(settings, wind, mixes_)),
      grid_(groomed.x, settings.hair_hair.cell, TaskPool(1)),
      volume_(groomed.x.layout_ref()),
      density_(groomed.x.layout_ref()) {
    measure_volumes(groomed, TaskPool(1));
}

// A vertex fills one cell over the largest number of vertices per cell around it. With that choice
// no node of the groomed hair holds more than its cell: pressure begins where hair is denser than
// it was anywhere nearby, and the groomed pose is at rest. Where guides stand for many strands the
// volume of each is larger by itself.
void HairMixer::measure_volumes(const SimState& groomed, const TaskPool& pool) {
    grid_.place(groomed.x, pool);
    grid_.splat(groomed.x, groomed.v, volume_, pool);
    grid_.crowding(groomed.x, volume_, pool);
    const StrandLayout& layout = volume_.layout();
    double sum = 0;
    for (int s = 0; s < layout.strand_count(); ++s)
        for (int i = 0; i < layout.vertex_count(s); ++i)
            sum += static_cast<double>(volume_.at(s, i));
    const double count = static_cast<double>(std::max<std::int64_t>(layout.vertex_total(), 1));
    // No vertex is alone in less than an eighth of itself.
    const float thinnest = max(kThinnest * static_cast<float>(sum / count), 0.125f);
    for (int s = 0; s < layout.strand_count(); ++s)
        for (int i = 0; i < layout.vertex_count(s); ++i)
            volume_.at(s, i) = 1 / max(volume_.at(s, i), thinnest);
}

void HairMixer::mix(SimState& state, Vec3f wind, const TaskPool& pool) {
    uniforms_.wind = wind;
    grid_.place(state.x, pool);
    grid_.splat(state.x, state.v, volume_, pool);
    grid_.mix(uniforms_, state.x, state.v, density_, pool);
}

std::size_t HairMixer::byte_count() const {
    return grid_.byte_count() + volume_.byte_count() + density_.byte_count();
}

}  // namespace ringlet
