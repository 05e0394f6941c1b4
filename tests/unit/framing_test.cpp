// Camera, ground and pivot that fit any head, unless the scene gives them.
#include "session/live/framing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "ringlet/ringlet.h"
#include "scene/read_scene.h"
#include "scene/write_scene.h"
#include "session/assets/resources.h"
#include "session/control/document.h"
#include "session/live/session_impl.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

// The largest distance of a point from the picture's centre, in halves of its width and height.
struct Extent {
    float x = 0, y = 0;
};

Extent extent_of(const Camera& camera, const std::vector<Vec3f>& points, float aspect) {
    const CameraAxes axes = axes_of(camera);
    const float tall = std::tan(0.5f * camera.field_of_view_degrees * kPi / 180);
    Extent out;
    for (const Vec3f p : points) {
        const Vec3f q = p - camera.eye;
        const float ahead = dot(q, axes.forward);
        EXPECT_GT(ahead, 0);
        out.x = std::max(out.x, std::abs(dot(q, axes.right)) / (ahead * tall * aspect));
        out.y = std::max(out.y, std::abs(dot(q, axes.up)) / (ahead * tall));
    }
    return out;
}

TEST(framed, all_points_are_in_view_with_a_margin) {
    for (const float size : {0.01f, 0.3f, 20.0f})
        for (const float aspect : {0.5f, 1.25f, 3.0f}) {
            std::vector<Vec3f> points;
            for (int k = 0; k < 64; ++k)
                points.push_back(Vec3f{std::sin(static_cast<float>(k)),
                                       2 + std::cos(1.7f * static_cast<float>(k)),
                                       0.5f * std::sin(2.3f * static_cast<float>(k))} *
                                 size);
            const Camera camera = framed({}, {0, 0, 0}, {0.3f, 0.1f, 1}, points, aspect, true);
            const Extent extent = extent_of(camera, points, aspect);
            EXPECT_LT(std::max(extent.x, extent.y), 0.92f);
            EXPECT_GT(std::max(extent.x, extent.y), 0.85f);
        }
}

class Framing : public testing::Test {
protected:
    Framing() {
        std::ofstream(folder_ / "bust.obj") << *find_resource("bust.obj");
        std::ofstream(folder_ / "bust.mtl") << *find_resource("bust.mtl");
    }

    Result<Session> open(const std::string& more, std::vector<std::string> overrides = {}) {
        std::ofstream(folder_ / "scene.toml")
            << "base = \"straight\"\n[groom]\nmesh = \"bust.obj\"\nstrands = 60\n[record]\n"
               "settle = 0\n" +
                   more;
        return Session::open((folder_ / "scene.toml").string(),
                             {.overrides = std::move(overrides)});
    }

    static std::vector<Vec3f> hair(const Session& session) {
        std::vector<Vec3f> out;
        const std::vector<float> xyz = session.positions();
        for (std::size_t k = 0; k < xyz.size(); k += 3)
            out.push_back({xyz[k], xyz[k + 1], xyz[k + 2]});
        return out;
    }

    TempFolder folder_;
};

TEST_F(Framing, hair_of_any_length_is_in_the_picture) {
    for (const float length : {0.05f, 1.1f}) {
        const Result<Session> session = open("", {"groom.length=" + std::to_string(length)});
        ASSERT_TRUE(session) << session.error().text();
        const Scene& scene = session->impl().scene;
        const float aspect =
            static_cast<float>(scene.record.width) / static_cast<float>(scene.record.height);
        const Extent extent = extent_of(scene.camera, hair(*session), aspect);
        EXPECT_LT(extent.x, 1) << length;
        EXPECT_LT(extent.y, 1) << length;
        for (const Vec3f p : hair(*session)) EXPECT_GT(p.y, scene.render.ground_height) << length;
    }
}

TEST_F(Framing, hair_from_a_file_without_a_head_is_in_the_picture) {
    std::ofstream(folder_ / "far.obj") << "v 40 60 -20\nv 40 35 -20\nl 1 2\n"
                                          "v 42 60 -20\nv 42 40 -20\nl 3 4\n";
    std::ofstream(folder_ / "alone.toml") << "[groom]\nfile = \"far.obj\"\n";
    const Result<Session> session = Session::open((folder_ / "alone.toml").string(), {});
    ASSERT_TRUE(session) << session.error().text();
    const Scene& scene = session->impl().scene;
    const float aspect =
        static_cast<float>(scene.record.width) / static_cast<float>(scene.record.height);
    const Extent extent = extent_of(scene.camera, hair(*session), aspect);
    EXPECT_LT(extent.x, 1);
    EXPECT_LT(extent.y, 1);
    EXPECT_GT(std::max(extent.x, extent.y), 0.5f);
    EXPECT_EQ(session->impl().messages.assumptions.size(), 1u);
    EXPECT_NEAR(hair(*session)[0].y, 0.6f, 1e-5f) << "25 units are taken as centimetres";
}

TEST_F(Framing, a_moved_head_moves_the_pivot) {
    Result<Session> session = open("");
    ASSERT_TRUE(session) << session.error().text();
    const Vec3f pivot = session->impl().actors.front().scene.world.head.pivot;
    // The neck of the bust.
    EXPECT_NEAR(pivot.x, 0, 0.02);
    EXPECT_NEAR(pivot.y, 0.25, 0.06);
    EXPECT_NEAR(pivot.z, -0.02, 0.06);
}

TEST_F(Framing, explicit_keys_win) {
    const Result<Session> session = open(
        "[camera]\neye = [1, 2, 3]\ntarget = [0, 0.1, 0]\n[render]\nground_height = -0.5\n"
        "[head]\npivot = [0, 0.1, 0.2]\n");
    ASSERT_TRUE(session) << session.error().text();
    const Scene& scene = session->impl().scene;
    EXPECT_EQ(scene.camera.eye.x, 1);
    EXPECT_EQ(scene.camera.target.y, 0.1f);
    EXPECT_EQ(scene.render.ground_height, -0.5f);
    EXPECT_EQ(session->impl().actors.front().scene.world.head.pivot.z, 0.2f);
}

TEST_F(Framing, a_given_target_stays_and_the_eye_backs_off) {
    const Result<Session> session = open("[camera]\ntarget = [0.2, 0.3, 0]\n");
    ASSERT_TRUE(session) << session.error().text();
    const Camera& camera = session->impl().scene.camera;
    EXPECT_EQ(camera.target.x, 0.2f);
    EXPECT_LT(extent_of(camera, hair(*session), 960.0f / 720).x, 1);
}

TEST_F(Framing, built_in_meshes_keep_the_defaults) {
    const Result<Session> session =
        Session::open("straight", {.overrides = {"groom.strands=20", "record.settle=0"}});
    ASSERT_TRUE(session);
    const Scene& scene = session->impl().scene;
    EXPECT_EQ(scene.camera.eye.x, Camera{}.eye.x);
    EXPECT_EQ(scene.camera.target.y, Camera{}.target.y);
    EXPECT_EQ(scene.render.ground_height, 0);
    EXPECT_EQ(scene.world.head.pivot.y, HeadMotion{}.pivot.y);
}

TEST_F(Framing, automatic_values_are_not_saved_and_a_moved_camera_is) {
    ASSERT_TRUE(open(""));
    Result<Document> document = Document::open((folder_ / "scene.toml").string(), {}, {});
    ASSERT_TRUE(document) << document.error().text();
    EXPECT_EQ(write_scene(document->scene(), ".").find("[camera]"), std::string::npos);
    const Camera before = document->scene().camera;
    ASSERT_TRUE(document->set("groom.length=0.8"));
    EXPECT_GT(norm(document->scene().camera.eye - before.eye), 0.1f);
    document->set_camera({{1, 1, 1}, {0, 0, 0}, 30});
    EXPECT_NE(write_scene(document->scene(), ".").find("eye = [1, 1, 1]"), std::string::npos);
    ASSERT_TRUE(document->set("groom.length=0.3"));
    EXPECT_EQ(document->scene().camera.eye.x, 1);
    ASSERT_TRUE(document->set("camera.eye=auto"));
    EXPECT_NE(document->scene().camera.eye.x, 1);
}

Result<Scene> read(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return read_scene(text, "s.toml", ".", overrides, builtin_scene_text);
}

TEST(camera, an_eye_at_the_target_is_an_error_with_its_line) {
    const Result<Scene> scene =
        read("title = \"a\"\n[camera]\neye = [1, 2, 3]\ntarget = [1, 2, 3]\n");
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().line, 2);
    EXPECT_NE(scene.error().message.find("no direction"), std::string::npos);
    EXPECT_FALSE(read("", {"camera.eye=[0,0,0]", "camera.target=[0,0,0]"}));
    EXPECT_TRUE(read("[camera]\neye = [0, 0.28, 0]\n"));  // The target is automatic.
}

TEST(light, a_zero_direction_is_an_error_with_its_line) {
    const Result<Scene> scene = read("\n[light]\ndirection = [0, 0, 0]\n");
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().line, 3);
    EXPECT_NE(scene.error().text().find("light.direction: has no direction"), std::string::npos);
    EXPECT_FALSE(read("", {"light.direction=[0,0,0]"}));
    EXPECT_TRUE(read("[light]\ndirection = [0, 0, 1e-3]\n"));
}

TEST(automatic, the_word_auto_restores_an_automatic_value) {
    const Result<Scene> given = read("[head]\npivot = [1, 0, 0]\n");
    ASSERT_TRUE(given);
    EXPECT_FALSE(given->automatic.pivot);
    const Result<Scene> again = read("[head]\npivot = [1, 0, 0]\n", {"head.pivot=auto"});
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->automatic.pivot);
    EXPECT_FALSE(read("[head]\npivot = \"automatic\"\n"));
}

}  // namespace
}  // namespace ringlet
