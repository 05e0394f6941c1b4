#include "sim/models/registry.h"

namespace ringlet {

std::span<const ModelEntry> all_models() {
    static constexpr ModelEntry kModels[] = {
        {"pbd", make_model_pbd},
        {"ftl", make_model_ftl},
        {"spring", make_model_spring},
        {"rod", make_model_rod},
    };
    return kModels;
}

}  // namespace ringlet
