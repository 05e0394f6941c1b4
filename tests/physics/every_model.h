// The fixture of a test that runs once for each model: TEST_P(EveryModel, ...).
#pragma once

#include <gtest/gtest.h>

#include "sim/models/registry.h"
#include "validate/lab.h"

namespace ringlet::lab {

class EveryModel : public ::testing::TestWithParam<int> {
protected:
    // Free strands without gravity, drag and random variation.
    static SimSettings settings() {
        SimSettings out = bare_settings();
        out.model = GetParam();
        return out;
    }
    static std::string_view name() {
        return all_models()[static_cast<std::size_t>(GetParam())].name;
    }
};

inline std::string model_name(const ::testing::TestParamInfo<int>& model) {
    return std::string(all_models()[static_cast<std::size_t>(model.param)].name);
}

}  // namespace ringlet::lab
