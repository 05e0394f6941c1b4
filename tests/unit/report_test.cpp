// Warnings of a report: non-finite vertices and repaired strands.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "ringlet/ringlet.h"
#include "session/live/session_impl.h"

namespace ringlet {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class ReportWarnings : public testing::TestWithParam<const char*> {
protected:
    ReportWarnings()
        : session(Session::open("cantilever",
                                {.overrides = {std::string("sim.model=") + GetParam()}})) {}

    SimState& state() { return session->impl().actors.front().simulation().state(); }

    Result<Session> session;
};

TEST_P(ReportWarnings, a_sound_run_has_none) {
    ASSERT_TRUE(session) << session.error().text();
    session->step();
    EXPECT_TRUE(session->report().warnings.empty());
}

TEST_P(ReportWarnings, a_non_finite_vertex_is_counted_and_named) {
    ASSERT_TRUE(session) << session.error().text();
    session->step();
    state().x.set_vec3(0, 5, {0, kNan, 0});
    state().x.set_vec3(0, 6, {0, std::numeric_limits<float>::infinity(), 0});
    const Report report = session->report();
    EXPECT_EQ(report.nonfinite_vertices, 2);
    ASSERT_EQ(report.warnings.size(), 1u);
    EXPECT_EQ(report.warnings[0].place, "strand 0, vertex 5");
    EXPECT_EQ(report.warnings[0].text, "2 vertices are NaN or infinite");
    const auto json = nlohmann::json::parse(report.to_json());
    EXPECT_EQ(json["warnings"][0]["place"], "strand 0, vertex 5");
    EXPECT_EQ(json["warnings"][0]["text"], "2 vertices are NaN or infinite");
    EXPECT_FALSE(json["warnings"][0]["remedy"].get<std::string>().empty());
}

TEST_P(ReportWarnings, a_repaired_strand_is_named_and_the_result_is_finite) {
    ASSERT_TRUE(session) << session.error().text();
    session->step();
    state().v.set_vec3(0, 5, {0, kNan, 0});
    session->step();
    const Report report = session->report();
    EXPECT_EQ(report.nonfinite_vertices, 0);
    EXPECT_EQ(report.repaired_strand, 0);
    ASSERT_EQ(report.warnings.size(), 1u);
    EXPECT_TRUE(report.warnings[0].place.starts_with("strand 0, vertex "));
    for (const float coordinate : session->positions()) EXPECT_TRUE(std::isfinite(coordinate));
}

INSTANTIATE_TEST_SUITE_P(models, ReportWarnings, testing::Values("pbd", "ftl", "spring", "rod"),
                         [](const auto& model) { return std::string(model.param); });

}  // namespace
}  // namespace ringlet
