// GuidedStrands finds the bounds of all children without computing all of them.
#include "strand/guided_strands.h"

#include <gtest/gtest.h>

#include <limits>

#include "session/draw.h"
#include "session/live/session_impl.h"
#include "strand/deferred_positions.h"

namespace ringlet {
namespace {

constexpr float kReach = 1e4f;

Session opened(std::vector<std::string> overrides) {
    for (const char* text : {"record.settle=0", "sim.substeps=1", "sim.model=ftl",
                             "head.motion=shake", "head.amplitude=0.3", "head.frequency=3"})
        overrides.emplace_back(text);
    Result<Session> session = Session::open("curls", {.overrides = std::move(overrides)});
    EXPECT_TRUE(session) << session.error().text();
    return std::move(*session);
}

// The survey of strands that the host has.
StrandSurvey survey_of(const Channel<3>& x, int stride) {
    StrandSurvey out{{kReach, kReach, kReach}, {-kReach, -kReach, -kReach}, {}};
    const auto is_usable = [](Vec3f p) {
        return std::abs(p.x) < kReach && std::abs(p.y) < kReach && std::abs(p.z) < kReach;
    };
    for (int s = 0; s < x.layout().strand_count(); ++s)
        for (int i = 0; i < x.layout().vertex_count(s); ++i) {
            const Vec3f p = x.vec3(s, i);
            if (s % stride == 0) out.sample.push_back(p);
            if (!is_usable(x.vec3(s, 0)) || !is_usable(p)) continue;
            out.low = {min(out.low.x, p.x), min(out.low.y, p.y), min(out.low.z, p.z)};
            out.high = {max(out.high.x, p.x), max(out.high.y, p.y), max(out.high.z, p.z)};
        }
    return out;
}

void expect_same_survey(const Session& session, int stride, float tolerance) {
    const Picture picture = picture_of(session);
    ASSERT_TRUE(picture.strands.deferred);
    StrandSurvey found;
    picture.strands.deferred->guided()->survey(kReach, stride, found, session.impl().pool);
    picture.strands.deferred->fetch();
    const StrandSurvey wanted = survey_of(*picture.strands.position, stride);
    EXPECT_LE(norm(found.low - wanted.low), tolerance);
    EXPECT_LE(norm(found.high - wanted.high), tolerance);
    ASSERT_EQ(found.sample.size(), wanted.sample.size());
    for (std::size_t k = 0; k < found.sample.size(); ++k) {
        const float distance = norm(found.sample[k] - wanted.sample[k]);
        ASSERT_FALSE(distance > tolerance) << k;  // true of NaN
    }
}

TEST(guided_strands, survey_finds_the_bounds_of_all_children) {
    Session session = opened({"groom.strands=3000", "groom.guides=60"});
    for (int frame = 0; frame < 8; ++frame) {
        session.impl().advance_to(0.05 * frame);
        for (const int stride : {1000, 17}) expect_same_survey(session, stride, 2e-7f);
    }
}

TEST(guided_strands, a_guide_that_is_not_finite_does_not_spoil_the_bounds) {
    Session session = opened({"groom.strands=900", "groom.guides=40"});
    session.impl().advance_to(0.05);
    Channel<3>& guides = session.impl().actors.front().displayed.strands;
    guides.at(7, 9, 1) = std::numeric_limits<float>::quiet_NaN();
    guides.at(11, 0, 0) = 1e6f;
    expect_same_survey(session, 50, 2e-7f);
}

}  // namespace
}  // namespace ringlet
