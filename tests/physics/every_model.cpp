#include "physics/every_model.h"

namespace ringlet::lab {

INSTANTIATE_TEST_SUITE_P(every_model, EveryModel,
                         ::testing::Range(0, static_cast<int>(std::ssize(all_models()))),
                         model_name);

}  // namespace ringlet::lab
