#include "sim/models/registry.h"

namespace ringlet {

std::span<const ModelEntry> all_models() {
    static const ModelEntry kModels[] = {
#define RINGLET_MODEL(NAME, TYPE) kModel##TYPE,
#include "sim/models/models.def"
#undef RINGLET_MODEL
    };
    return kModels;
}

}  // namespace ringlet
