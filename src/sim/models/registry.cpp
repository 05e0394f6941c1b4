#include "sim/models/registry.h"

namespace ringlet {

std::span<const ModelEntry> all_models() {
    static constexpr ModelEntry kModels[] = {
        {"pbd", make_model_pbd},
        {"rod", make_model_rod},
        {"spring", make_model_spring},
    };
    return kModels;
}

}  // namespace ringlet
