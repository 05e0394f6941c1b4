// The warnings about scenes that load but hardly show what the user wants.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "ringlet/ringlet.h"
#include "session/live/session_impl.h"
#include "test_level.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

// Few strands, and no time to settle: the checks look at the groom.
const std::vector<std::string> kQuick = {"record.settle=0", "groom.guides=0"};

class SceneChecks : public testing::Test {
protected:
    // Opens a scene and returns its report after some frames. Keeps the warnings that the listener
    // received.
    Report report_of(const std::string& scene, std::vector<std::string> overrides, int frames = 0) {
        overrides.insert(overrides.end(), kQuick.begin(), kQuick.end());
        Listener listener;
        listener.warn = [&](const Warning& warning) { heard.push_back(warning); };
        Result<Session> session = Session::open(scene, {.overrides = overrides}, listener);
        EXPECT_TRUE(session) << session.error().text();
        if (!session) return {};
        for (int k = 0; k < frames; ++k) session->step();
        return session->report();
    }

    Report report_of_file(const std::string& text, int frames = 0) {
        const std::string path = (folder_ / "scene.toml").string();
        std::ofstream(path) << text;
        return report_of(path, {}, frames);
    }

    static void expect_one(const Report& report, const std::string& text,
                           const std::string& place) {
        ASSERT_EQ(report.warnings.size(), 1u) << text << report.to_json();
        EXPECT_NE(report.warnings[0].text.find(text), std::string::npos) << report.warnings[0].text;
        EXPECT_NE(report.warnings[0].place.find(place), std::string::npos)
            << report.warnings[0].place;
        EXPECT_FALSE(report.warnings[0].remedy.empty());
    }

    std::vector<Warning> heard;
    TempFolder folder_;
};

TEST_F(SceneChecks, built_in_scenes_give_no_warnings) {
    RINGLET_TEST_FROM(full);
    for (const SceneInfo& scene : builtin_scenes()) {
        std::vector<std::string> few{"groom.strands=100"};
        for (const char* without_grown_hair :
             {"bunny", "creature", "fall", "cantilever", "pendulum", "helix", "comb_teeth",
              "crossing", "pile"})
            if (scene.name.starts_with(without_grown_hair)) few.clear();
        const Report report = report_of(scene.name, few);
        for (const Warning& warning : report.warnings)
            ADD_FAILURE() << scene.name << ": " << warning.line();
        EXPECT_TRUE(report.assumptions.empty()) << scene.name;
    }
    EXPECT_TRUE(heard.empty());
}

TEST_F(SceneChecks, a_camera_that_looks_away_is_named) {
    expect_one(report_of("bust", {"camera.eye=[0,0.3,3]", "camera.target=[0,0.3,9]"}),
               "neither hair nor a head is in view", "camera");
    ASSERT_EQ(heard.size(), 1u);
    EXPECT_EQ(heard[0].place, "camera");
}

TEST_F(SceneChecks, a_camera_inside_the_head_is_named) {
    expect_one(report_of("bust", {"camera.eye=[0,0.42,0]", "camera.target=[0,0.42,-1]"}),
               "the camera is inside a body", "camera.eye");
}

TEST_F(SceneChecks, a_camera_inside_a_drawn_collider_is_named) {
    const std::vector<std::string> inside = {
        "camera.eye=[0,0.11,0.03]", "camera.target=[0,0.4,0.1]", "render.show_colliders=true"};
    expect_one(report_of("fall", inside), "the camera is inside a body", "camera.eye");
}

TEST_F(SceneChecks, a_large_triangle_in_view_counts) {
    std::ofstream(folder_ / "wall.obj") << "v -900 -900 -1\nv 900 -900 -1\nv 0 900 -1\nf 1 2 3\n";
    const Report report = report_of_file(
        "[groom]\nmesh = \"wall.obj\"\nscalp = \"\"\n"
        "[camera]\neye = [0, 0, 1]\ntarget = [0, 0, 0]\n");
    for (const Warning& warning : report.warnings)
        EXPECT_EQ(warning.text.find("in view"), std::string::npos) << warning.line();
}

TEST_F(SceneChecks, planted_strands_far_from_the_head_are_named) {
    expect_one(report_of_file("base = \"bust\"\n[[groom.strand]]\nroot = [0.1, 0.3, 6]\n"),
               "far from the head", "groom.strand");
}

TEST_F(SceneChecks, roots_off_the_skin_are_named) {
    std::string text = "base = \"bust\"\n";
    for (int k = 0; k < 10; ++k)
        text += "[[groom.strand]]\nroot = [" + std::to_string(0.01 * k) +
                ", 0.62, 0]\n"
                "direction = [0, 1, 0]\nlength = 0.1\n";
    expect_one(report_of_file(text), "off the skin", "groom.strand");
}

TEST_F(SceneChecks, hair_that_starts_inside_a_body_is_counted) {
    expect_one(report_of_file("[[groom.strand]]\nroot = [0, 0.3, 0]\ndirection = [0, 1, 0]\n"
                              "[[collider]]\ncentre = [0, 0.4, 0]\nradius = 0.08\n"),
               "the hair starts inside a body: 16 of 30 sampled vertices", "");
}

TEST_F(SceneChecks, strands_without_a_free_vertex_are_named) {
    expect_one(report_of("bust", {"groom.strands=20", "groom.vertices=2"}), "no strand can move",
               "groom.vertices");
}

TEST_F(SceneChecks, strands_that_ignore_the_wind_are_named) {
    const std::string strand =
        "[[groom.strand]]\nroot = [0, 0.3, 0]\n[wind]\nvelocity = [2, 0, 0]\n"
        "[sim]\nmodel = \"rod\"\ngravity = [0, 0, 0]\ndamping = ";
    expect_one(report_of_file(strand + "0\n", 12), "no strand moved in 12 frames", "sim");
    EXPECT_TRUE(report_of_file(strand + "2\n", 12).warnings.empty());
}

TEST_F(SceneChecks, a_missing_texture_is_a_warning_of_the_report) {
    std::ofstream(folder_ / "ball.mtl") << "newmtl m\nmap_Kd gone.png\n";
    std::ofstream(folder_ / "ball.obj")
        << "mtllib ball.mtl\nusemtl m\nv 0 0.3 0\nv 0.1 0.3 0\nv 0 0.3 0.1\nf 1 3 2\n";
    const Report report = report_of_file("[groom]\nmesh = \"ball.obj\"\n");
    const auto found = std::ranges::find_if(report.warnings, [](const Warning& warning) {
        return warning.text.find("gone.png") != std::string::npos;
    });
    ASSERT_NE(found, report.warnings.end());
    EXPECT_EQ(found->place, "ball.obj");
    const auto json = nlohmann::json::parse(report.to_json());
    EXPECT_TRUE(json["assumptions"].is_array());
}

TEST(messages, equal_ones_are_kept_once) {
    Messages all;
    const Messages head{{"unit taken as metres"}, {{"a", "b", "c"}}};
    all.add(head);
    all.add(head);
    all.add({{}, {{"a", "b", "d"}}});
    EXPECT_EQ(all.assumptions.size(), 1u);
    EXPECT_EQ(all.warnings.size(), 2u);
}

}  // namespace
}  // namespace ringlet
