// A scene that is written and read again is the same, in any folder.
#include "scene/write_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "ringlet/ringlet.h"
#include "scene/history.h"
#include "scene/key_aliases.h"
#include "session/assets/scene_source.h"
#include "session/live/session_impl.h"
#include "test_level.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

Scene loaded(const std::string& name) {
    Result<Scene> scene = load_scene(name, {});
    EXPECT_TRUE(scene) << scene.error().text();
    return scene ? *scene : Scene{};
}

Scene read_back(const std::string& text) {
    Result<Scene> scene = read_scene(text, "written", ".", {}, builtin_scene_text);
    EXPECT_TRUE(scene) << scene.error().text() << "\n" << text;
    return scene ? *scene : Scene{};
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += word + " ";
    return out;
}

TEST(write_scene, every_built_in_scene_reads_back_the_same) {
    for (const SceneInfo& info : builtin_scenes()) {
        const Scene scene = loaded(info.name);
        const Scene again = read_back(write_scene(scene, scene.folder));
        EXPECT_EQ(joined(changed_keys(scene, again)), "") << info.name;
    }
}

TEST(write_scene, writes_only_what_differs_from_the_defaults) {
    Scene scene;
    EXPECT_EQ(write_scene(scene, scene.folder), "");
    scene.title = "A \"quoted\" title";
    scene.groom.curl.radius = 0.0125f;
    scene.world.colliders.emplace_back().friction = 0.5f;
    EXPECT_EQ(write_scene(scene, scene.folder),
              "title = \"A \\\"quoted\\\" title\"\n\n[groom.curl]\nradius = 0.0125\n\n"
              "[[collider]]\nfriction = 0.5\n");
}

TEST(write_scene, omits_values_that_the_material_sets) {
    Result<Scene> scene = read_scene("sim.rod.material = \"curly\"\nsim.rod.density = 1234", "x",
                                     ".", {}, builtin_scene_text);
    ASSERT_TRUE(scene);
    EXPECT_EQ(write_scene(*scene, "."), "[sim.rod]\nmaterial = \"curly\"\ndensity = 1234\n");
    EXPECT_EQ(joined(changed_keys(*scene, read_back(write_scene(*scene, ".")))), "");
}

TEST(write_scene, keeps_a_value_that_the_material_would_change) {
    Scene scene;
    Scene curly = read_back("sim.rod.material = \"curly\"");
    const float density = curly.sim.rod.radius;
    scene.sim.rod.material = curly.sim.rod.material;  // but none of its values
    ASSERT_NE(scene.sim.rod.radius, density);
    EXPECT_EQ(joined(changed_keys(scene, read_back(write_scene(scene, ".")))), "");
}

TEST(write_scene, names_files_relative_to_the_new_folder) {
    Scene scene;
    scene.folder = "/home/ann/scenes";
    scene.groom.mesh = "heads/bust.obj";
    scene.groom.density = "/maps/density.png";
    scene.groom.length_image = "builtin:mohawk.png";
    ColliderMesh& chair = scene.world.colliders.emplace_back().mesh;
    chair.file = "chair.obj";
    chair.sequence.files = "bent/##.obj";
    ActorSettings& actor = scene.actors.emplace_back();
    actor.scene = "other.toml";
    actor.set = {"groom.mesh=\"b.obj\"", "sim.model=rod"};
    const std::string text = write_scene(scene, "/home/ann");
    EXPECT_NE(text.find("mesh = \"scenes/heads/bust.obj\""), std::string::npos) << text;
    EXPECT_NE(text.find("density = \"/maps/density.png\""), std::string::npos) << text;
    EXPECT_NE(text.find("length_image = \"builtin:mohawk.png\""), std::string::npos) << text;
    EXPECT_NE(text.find("file = \"scenes/chair.obj\""), std::string::npos) << text;
    EXPECT_NE(text.find("sequence = \"scenes/bent/##.obj\""), std::string::npos) << text;
    EXPECT_NE(text.find("scene = \"scenes/other.toml\""), std::string::npos) << text;
    EXPECT_NE(text.find("[\"groom.mesh=scenes/b.obj\", \"sim.model=rod\"]"), std::string::npos)
        << text;
}

std::string hash_after(Session& session, int frames) {
    session.reset();
    for (int frame = 0; frame < frames; ++frame) session.step();
    return session.hash();
}

TEST(write_scene, keeps_the_name_of_the_built_in_environment) {
    Scene scene;
    scene.folder = "/home/ann/scenes";
    scene.light.environment = "sky.exr";
    EXPECT_EQ(write_scene(scene, "/home/ann"), "[light]\nenvironment = \"scenes/sky.exr\"\n");
    scene.light.environment = "studio";
    EXPECT_EQ(write_scene(scene, "/home/ann"), "[light]\nenvironment = \"studio\"\n");
}

TEST(write_scene, a_written_scene_moves_the_same) {
    const TempFolder folder;
    std::vector<std::string> names{"leader"};
    if (test_level() > TestLevel::quick) names.insert(names.end(), {"figure3d", "models"});
    for (const std::string& name : names) {
        SessionOptions options{{"groom.strands=9", "record.settle=0.05", "sim.damping=2"}};
        Result<Session> session = Session::open(name, options);
        ASSERT_TRUE(session) << session.error().text();
        session->impl().absorb_overrides();
        const std::string path = (folder / (name + ".toml")).string();
        std::ofstream(path) << write_scene(session->impl().scene, folder.operator/("").string());
        Result<Session> again = Session::open(path);
        ASSERT_TRUE(again) << again.error().text();
        EXPECT_EQ(hash_after(*session, 5), hash_after(*again, 5)) << name;
    }
}

TEST(key_aliases, a_notice_reaches_the_listener_once) {
    std::vector<std::string> messages;
    Listener listener;
    listener.log = [&](std::string_view message) { messages.emplace_back(message); };
    const std::string former = former_key("sim.follow_head");
    const SessionOptions options{.overrides = {"groom.strands=8", former + "=0.5"}};
    ASSERT_TRUE(Session::open("straight", options, listener));
    const std::string notice = "--set " + former + " is now sim.follow_head; please rename it";
    EXPECT_EQ(std::ranges::count(messages, notice), 1);
}

TEST(history, undo_and_redo_are_inverse) {
    History history;
    Scene scene;
    const auto set = [&](float length, const std::string& what) {
        history.changed(scene, what);
        scene.groom.length = length;
    };
    set(1, "groom.length");
    set(2, "groom.length");  // the same drag
    history.finish();
    set(3, "groom.length");
    EXPECT_EQ(history.next_undo(), "groom.length");
    scene = *history.undo(scene);
    EXPECT_EQ(scene.groom.length, 2);
    scene = *history.undo(scene);
    EXPECT_EQ(scene.groom.length, Scene{}.groom.length);
    EXPECT_FALSE(history.undo(scene));
    scene = *history.redo(scene);
    EXPECT_EQ(scene.groom.length, 2);
    set(5, "groom.length");
    EXPECT_FALSE(history.can_redo());
}

}  // namespace
}  // namespace ringlet
