#include "sim/models/registry.h"

#include <algorithm>

namespace ringlet {

std::span<const ModelEntry> all_models() {
    static const ModelEntry kModels[] = {
#define RINGLET_MODEL(NAME, TYPE) kModel##TYPE,
#include "sim/models/models.def"
#undef RINGLET_MODEL
    };
    return kModels;
}

SimSettings default_sim_settings() {
    SimSettings out;
    const auto is_rod = [](const ModelEntry& model) { return model.name == kModelRod.name; };
    const std::span<const ModelEntry> models = all_models();
    out.model = static_cast<int>(std::ranges::find_if(models, is_rod) - models.begin());
    out.substeps = kModelRod.substeps;
    return out;
}

}  // namespace ringlet
