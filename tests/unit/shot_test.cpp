// Shots of a session, read back by Ringlet's own reader.
#include <gtest/gtest.h>

#include "base/files.h"
#include "io/usd/usda_scene.h"
#include "ringlet/jobs.h"
#include "unit/groom_checks.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

// A few strands on the shaken bust, with children; a frame is a step.
Session shaken(const std::vector<std::string>& more = {}) {
    SessionOptions options;
    options.overrides = {"groom.strands=24", "groom.guides=8", "groom.vertices=10",
                         "record.fps=60"};
    options.overrides.insert(options.overrides.end(), more.begin(), more.end());
    Result<Session> session = Session::open("shake", options);
    EXPECT_TRUE(session) << session.error().text();
    return std::move(*session);
}

UsdaLayer simulated(const std::string& path, const SimulateOptions& options) {
    Session session = shaken();
    const Result<Report> report = simulate(session, options, {});
    EXPECT_TRUE(report) << report.error().text();
    const Result<std::string> text = read_file(path);
    EXPECT_TRUE(text) << text.error().text();
    Result<UsdaLayer> layer = parse_usda(*text, path);
    EXPECT_TRUE(layer) << layer.error().text();
    return std::move(*layer);
}

const UsdaAttribute& points_of(const UsdaLayer& layer) {
    return *prims_of_type(layer, "BasisCurves").at(0).prim->find("points");
}

TEST(shot, has_the_positions_of_the_session_and_their_frames) {
    const TempFolder folder;
    const std::string path = (folder / "a.usda").string();
    const UsdaLayer layer = simulated(path, {.output = path, .frames = 5});
    const UsdaAttribute& points = points_of(layer);
    EXPECT_EQ(points.samples.size(), 5u);
    Session session = shaken();
    for (int frame = 0; frame < 5; ++frame) {
        if (frame > 0) session.step();
        const std::vector<float> expected = session.positions();
        const std::vector<float> written = value_at(points, frame).numbers;
        ASSERT_EQ(written.size(), expected.size());
        for (std::size_t k = 0; k < written.size(); ++k)
            ASSERT_NEAR(written[k], expected[k], 1e-6f) << "frame " << frame;
    }
}

TEST(shot, of_a_range_is_a_part_of_the_whole) {
    const TempFolder folder;
    const std::string path = (folder / "a.usda").string();
    const UsdaLayer whole = simulated(path, {.output = path, .frames = 6});
    const UsdaLayer part = simulated(path, {.output = path, .frames = 2, .first_frame = 3});
    const UsdaAttribute& points = points_of(part);
    ASSERT_EQ(points.samples.size(), 2u);
    for (const int frame : {3, 4})
        EXPECT_EQ(points.samples.at(frame).numbers, points_of(whole).samples.at(frame).numbers);
}

// One step of a moving head, which moves children too.
TEST(shot, keeps_the_roots_of_children_on_the_moving_head) {
    const TempFolder folder;
    const std::string path = (folder / "a.usda").string();
    const UsdaLayer layer = simulated(path, {.output = path, .frames = 8});
    const UsdaAttribute& points = points_of(layer);
    const auto meshes = prims_of_type(layer, "Mesh");
    ASSERT_FALSE(meshes.empty());
    const Result<UsdMatrix> rest = meshes[0].matrix(0, path), now = meshes[0].matrix(7, path);
    ASSERT_TRUE(rest && now);
    EXPECT_TRUE(rest->is_identity());
    EXPECT_FALSE(now->is_identity());
    const auto at = [&](double time, std::size_t strand) {
        const std::vector<float> numbers = value_at(points, time).numbers;
        const float* const p = &numbers[strand * 30];
        return Vec3f{p[0], p[1], p[2]};
    };
    for (std::size_t s = 0; s < 24; ++s)
        EXPECT_LT(norm(now->apply(at(0, s)) - at(7, s)), 1e-5f) << s;
}

TEST(shot, that_is_stopped_leaves_no_part_of_a_single_file) {
    const TempFolder folder;
    const std::string path = (folder / "a.usda").string();
    Session session = shaken();
    Listener listener;
    listener.progress = [](std::string_view, int done, int) { return done < 3; };
    const Result<Report> report = simulate(session, {.output = path, .frames = 6}, listener);
    ASSERT_FALSE(report);
    EXPECT_SAYS(report.error().text(), "stopped after");
    EXPECT_SAYS(report.error().text(), "not written");
    EXPECT_TRUE(folder.is_empty());
}

}  // namespace
}  // namespace ringlet
