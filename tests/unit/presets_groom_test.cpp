// Every preset grows whole strands: none is torn by a clump, or pushed out of the head on both
// sides.
#include <gtest/gtest.h>

#include <cstdio>

#include "ringlet/ringlet.h"
#include "session/live/session_impl.h"
#include "test_level.h"

namespace ringlet {
namespace {

class GrownPresets : public testing::TestWithParam<std::string> {};

// A segment of a torn strand is longer than 1 cm and than three mean segments.
int count_torn(const Channel<3>& rest) {
    const StrandLayout& layout = rest.layout();
    int torn = 0;
    for (int s = 0; s < layout.strand_count(); ++s) {
        float longest = 0, length = 0;
        const int last = layout.vertex_count(s) - 1;
        for (int i = 1; i <= last; ++i) {
            const float step = norm(rest.vec3(s, i) - rest.vec3(s, i - 1));
            longest = max(longest, step);
            length += step;
        }
        torn += longest > 0.01f && static_cast<float>(last) * longest > 3 * length;
    }
    return torn;
}

TEST_P(GrownPresets, have_no_torn_strands) {
    RINGLET_TEST_FROM(all);
    constexpr int kStrands = 20'000;
    Result<Session> session =
        Session::open(GetParam(), {.overrides = {"groom.strands=20000", "groom.guides=64",
                                                 "record.settle=0", "groom.grow_patches=false"}});
    ASSERT_TRUE(session) << session.error().text();
    Session::Impl& impl = session->impl();
    const int torn = count_torn(impl.actors.front().groom.rest(impl.pool));
    std::printf("%s: %d torn strands\n", GetParam().c_str(), torn);
    EXPECT_LE(torn, kStrands / 2000);
}

INSTANTIATE_TEST_SUITE_P(every_preset, GrownPresets, testing::ValuesIn(preset_names()),
                         [](const auto& preset) { return preset.param; });

}  // namespace
}  // namespace ringlet
