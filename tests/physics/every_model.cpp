#include "physics/every_model.h"

namespace ringlet::lab {

INSTANTIATE_TEST_SUITE_P(every_model, EveryModel,
                         ::testing::Range(0, static_cast<int>(std::ssize(all_models()))),
                         [](const ::testing::TestParamInfo<int>& model) {
                             return std::string(
                                 all_models()[static_cast<std::size_t>(model.param)].name);
                         });

}  // namespace ringlet::lab
