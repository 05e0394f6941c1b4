#include "sim/models/registry.h"

namespace ringlet {

std::span<const ModelEntry> all_models() {
    static constexpr ModelEntry kModels[] = {
        {"pbd", make_model_pbd},
        {"rod", make_model_rod},
        {"ftl", make_model_ftl},
    };
    return kModels;
}

}  // namespace ringlet
