// The models there are. To add one: a kernel header and a .cpp in this folder, the kernel's name in
// sim/CMakeLists.txt, and a line in registry.cpp; scenes, reports and tests find it from there.
#pragma once

#include "sim/model.h"

namespace ringlet {

// What a model is made from: the groom in the head's own frame, and everything placed as at time 0.
struct ModelStart {
    const StrandSet& rest;
    const SimSettings& settings;
    std::span<const PlacedCollider> bodies;
    std::uint32_t seed;
    LaneKind lanes;
    Rigidf head;      // pose at time 0
    SimState& state;  // positions are set; a model may disturb them
    const TaskPool& pool;
};

struct ModelEntry {
    const char* name;
    std::unique_ptr<Model> (*make)(const ModelStart& start);
};

std::span<const ModelEntry> all_models();

std::unique_ptr<Model> make_model_pbd(const ModelStart& start);
std::unique_ptr<Model> make_model_rod(const ModelStart& start);
std::unique_ptr<Model> make_model_ftl(const ModelStart& start);
std::unique_ptr<Model> make_model_spring(const ModelStart& start);

}  // namespace ringlet
