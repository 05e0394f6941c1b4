// All models, in the order of models.def.
#pragma once

#include "sim/model_entry.h"

namespace ringlet {

#define RINGLET_MODEL(NAME, TYPE) extern const ModelEntry kModel##TYPE;
#include "sim/models/models.def"
#undef RINGLET_MODEL

// The index of an entry is SimSettings::model.
std::span<const ModelEntry> all_models();

// The settings of a scene that says nothing: those of the rod.
SimSettings default_sim_settings();

}  // namespace ringlet
