// A groom is the rod's equilibrium: the strands of every preset stay as groomed.
#include <gtest/gtest.h>

#include "ringlet/ringlet.h"
#include "session/live/session_impl.h"
#include "test_level.h"

namespace ringlet {
namespace {

class Presets : public testing::TestWithParam<std::string> {};

TEST_P(Presets, rest_as_groomed) {
    Result<Session> opened = Session::open(
        GetParam(), {.overrides = {"sim.model=rod", "groom.strands=16", "groom.guides=0",
                                   "record.settle=0", "head.motion=none"}});
    ASSERT_TRUE(opened);
    Simulation& simulation = opened->impl().actors.front().simulation();
    const Channel<3> start = simulation.state().x;
    const StrandLayout& layout = start.layout();
    const TaskPool pool(1);
    for (int k = 0; k < (kSanitized ? 30 : 600); ++k) simulation.step(pool);
    for (int s = 0; s < layout.strand_count(); ++s) {
        float length = 0, moved = 0;
        for (int i = 0; i < layout.vertex_count(s); ++i) {
            if (i > 0) length += norm(start.vec3(s, i) - start.vec3(s, i - 1));
            moved = max(moved, norm(simulation.state().x.vec3(s, i) - start.vec3(s, i)));
        }
        EXPECT_LT(moved / length, 3e-5f) << "strand " << s;
    }
}

// The head of curls moves by keys, and wind blows.
std::vector<std::string> still_presets() {
    std::vector<std::string> out = preset_names();
    std::erase(out, "curls");
    return out;
}

INSTANTIATE_TEST_SUITE_P(every_preset, Presets, testing::ValuesIn(still_presets()),
                         [](const auto& preset) { return preset.param; });

}  // namespace
}  // namespace ringlet
