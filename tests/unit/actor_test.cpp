// Scenes with several heads: reading them, and that a head's simulation depends neither on its
// position nor on the other heads.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "io/groom_file.h"
#include "ringlet/jobs.h"
#include "session/assets/scene_source.h"
#include "session/draw.h"
#include "session/live/session_impl.h"
#include "test_level.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

using Texts = std::vector<std::string>;
using Library = std::map<std::string, std::string>;

Result<std::vector<Scene>> heads_of(const std::string& text, const Texts& overrides = {},
                                    const Library& library = {}) {
    const auto find = [&](const std::string& name) -> Result<std::string> {
        const auto found = library.find(name);
        if (found == library.end()) return Error{"no scene \"" + name + "\""};
        return found->second;
    };
    const Result<Scene> scene = read_scene(text, "test.toml", ".", overrides, find);
    if (!scene) return scene.error();
    const auto load = [&](const std::string& name) -> Result<Scene> {
        const Result<std::string> found = find(name);
        if (!found) return found.error();
        return read_scene(*found, name, ".", {}, find);
    };
    return read_actors(*scene, overrides, find, load);
}

void expect_refused(const std::string& text, int line, const Texts& words,
                    const Texts& overrides = {}, const Library& library = {}) {
    const Result<std::vector<Scene>> heads = heads_of(text, overrides, library);
    ASSERT_FALSE(heads) << text;
    EXPECT_EQ(heads.error().file, "test.toml") << heads.error().text();
    EXPECT_EQ(heads.error().line, line) << heads.error().text();
    for (const std::string& word : words)
        EXPECT_NE(heads.error().message.find(word), std::string::npos)
            << heads.error().text() << "\nlacks " << word;
}

TEST(read_actors, without_actors_the_scene_is_its_only_actor) {
    const auto heads = heads_of("groom.length = 0.2");
    ASSERT_TRUE(heads) << heads.error().text();
    ASSERT_EQ(heads->size(), 1u);
    EXPECT_EQ(heads->front().groom.length, 0.2f);
}

TEST(read_actors, an_actor_takes_its_scene_then_its_settings_then_the_command_line) {
    const std::string text =
        "groom.length = 0.2\nsim.damping = 3\n"
        "[[actor]]\nset = ['groom.length=0.5', 'sim.model=pbd', 'sim.substeps=5']\n"
        "[[actor]]\nscene = 'other'\nset = ['sim.gravity=[0, -2, 0]', 'sim.substeps=6']\n"
        "[[actor]]\n";
    const Library library{{"other", "groom.length = 0.4\n"}};
    const auto heads = heads_of(text, {"sim.substeps=9"}, library);
    ASSERT_TRUE(heads) << heads.error().text();
    ASSERT_EQ(heads->size(), 3u);
    EXPECT_EQ((*heads)[0].groom.length, 0.5f);
    EXPECT_EQ((*heads)[0].sim.damping, 3);
    EXPECT_NE((*heads)[0].sim.model, (*heads)[2].sim.model);
    EXPECT_EQ((*heads)[1].groom.length, 0.4f);
    EXPECT_EQ((*heads)[1].sim.damping, SimSettings{}.damping);  // the other scene's, not this one's
    EXPECT_EQ((*heads)[1].sim.gravity.y, -2);
    EXPECT_EQ((*heads)[2].groom.length, 0.2f);
    for (const Scene& head : *heads) {
        EXPECT_EQ(head.sim.substeps, 9);
        EXPECT_TRUE(head.actors.empty());
    }
}

TEST(read_actors, the_command_line_can_move_an_actor) {
    const Result<Scene> scene =
        read_scene("[[actor]]\n[[actor]]\n", "test.toml", ".", Texts{"actor.1.at=[1, 2, 3]"}, {});
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_EQ(scene->actors[1].at.y, 2);
    EXPECT_TRUE(heads_of("[[actor]]\n[[actor]]\n", {"actor.1.at=[1, 2, 3]"}));
}

TEST(read_actors, gravity_and_wind_are_transformed_to_the_actors_frame) {
    const auto heads = heads_of(
        "sim.gravity = [1, -9, 0]\nsim.force = [0, 0, 2]\nwind.velocity = [3, 0, 0]\n"
        "[[actor]]\nturn = 90\ndelay = 0.75\n");
    ASSERT_TRUE(heads) << heads.error().text();
    // Wind along the world's +x blows along the local +z of an actor that faces +x.
    const Scene& head = heads->front();
    EXPECT_LT(norm(head.world.wind.velocity - Vec3f{0, 0, 3}), 1e-5f);
    EXPECT_LT(norm(head.sim.gravity - Vec3f{0, -9, 1}), 1e-5f);
    EXPECT_LT(norm(head.sim.force - Vec3f{-2, 0, 0}), 1e-5f);
    EXPECT_EQ(head.world.head.delay, 0.75f);
    const Rigidf place = actor_to_world({{1, 0, 0}, 90, 0, "", {}, "", 0});
    EXPECT_LT(norm(apply(place, Vec3f{0, 0, 1}) - Vec3f{2, 0, 0}), 1e-6f);
}

TEST(read_actors, an_error_names_the_actor_and_its_line) {
    const std::string one = "[[actor]]\nat = [1, 0, 0]\n";
    expect_refused(one + "[[actor]]\nset = ['groom.lenght=1']\n", 3,
                   {"actor 1", "set groom.lenght=1", "\"groom.length\""});
    expect_refused(one + "[[actor]]\nset = ['groom.length=-1']\n", 3, {"actor 1", "out of range"});
    expect_refused(one + "[[actor]]\nset = ['groom.length']\n", 3, {"actor 1", "key=value"});
    expect_refused("[[actor]]\nscene = 'nobody'\n", 1, {"actor 0", "scene", "nobody"});
    expect_refused("\n[[actor]]\nset = ['groom.strands=5']\n", 2, {"actor 0", "groom.mesh"});
    expect_refused("\n[[actor]]\nset = ['sim.dt=0.01']\n", 2,
                   {"actor 0", "sim.dt", "use the same"});
    expect_refused("[[actor]]\nset = ['actor.0.turn=3']\n", 1, {"actor 0", "unknown key"});
    expect_refused("[[actor]]\nscene = 'two'\n", 1, {"actor 0", "contains actors itself"}, {},
                   {{"two", one + one}});
    expect_refused("[[actor]]\nscene = 'bad'\n", 1, {"actor 0", "bad:2:1"}, {},
                   {{"bad", "\nx = 5\n"}});
    const std::string full = "set = ['groom.mesh=x', 'groom.strands=2000000', 'groom.vertices=32']";
    expect_refused("[[actor]]\n" + full + "\n[[actor]]\n" + full, 3,
                   {"actor 1", "vertices", "groom.strands"});
}

TEST(read_actors, a_crowd_of_1024_is_accepted_and_no_more) {
    std::string text;
    for (int k = 0; k < 1024; ++k) text += "[[actor]]\n";
    if (!kSanitized) {  // half a minute there
        EXPECT_TRUE(heads_of(text));
    }
    const auto heads = heads_of(text + "[[actor]]\n");
    ASSERT_FALSE(heads);
    EXPECT_NE(heads.error().message.find("at most 1024"), std::string::npos);
}

// Two swinging strands without a mesh.
const std::string kTwoStrands =
    "[[groom.strand]]\nroot = [0, 0.3, 0]\ndirection = [1, 0, 0]\nlength = 0.1\nvertices = 8\n"
    "[[groom.strand]]\nroot = [0.1, 0.3, 0]\ndirection = [0, 0, 1]\nlength = 0.2\nvertices = 5\n"
    "[head]\nmotion = 'shake'\n";

class Actors : public testing::Test {
protected:
    Session open(const std::string& actors, const Texts& overrides = {}) {
        const std::string path = (folder_ / "scene.toml").string();
        std::ofstream(path) << kTwoStrands << actors;
        Result<Session> session = Session::open(path, {.overrides = overrides, .threads = 2});
        EXPECT_TRUE(session) << session.error().text();
        return session ? std::move(*session) : std::move(*Session::open("bust"));
    }
    static void run(Session& session, int frames = 20) {
        for (int k = 0; k < frames; ++k) session.step();
    }
    static std::string hash_of_actor(const Session& session, std::size_t k) {
        return session.impl().actors[k].hash().hex();
    }

    TempFolder folder_;
};

TEST_F(Actors, equal_actors_end_with_equal_bits_at_any_position) {
    Session alone = open("");
    Session crowd = open("[[actor]]\n[[actor]]\nat = [3, 1, -2]\nturn = 30\n");
    Session one = open("[[actor]]\nat = [0.3, 0, 0]\n");
    for (Session* session : {&alone, &crowd, &one}) run(*session);
    EXPECT_EQ(hash_of_actor(crowd, 0), alone.hash());
    EXPECT_EQ(hash_of_actor(crowd, 1), alone.hash());
    EXPECT_EQ(one.hash(), alone.hash());
    EXPECT_NE(crowd.hash(), alone.hash());
    crowd.reset();
    run(crowd);
    EXPECT_EQ(hash_of_actor(crowd, 1), alone.hash());
}

TEST_F(Actors, the_combined_hash_depends_on_their_order) {
    const std::string stiff = "[[actor]]\nset = ['sim.damping=9']\n", loose = "[[actor]]\n";
    Session a = open(stiff + loose), b = open(loose + stiff), c = open(loose + loose);
    for (Session* session : {&a, &b, &c}) run(*session, 3);
    EXPECT_EQ(hash_of_actor(a, 0), hash_of_actor(b, 1));
    EXPECT_NE(a.hash(), b.hash()) << "their order counts";
    EXPECT_NE(a.hash(), c.hash());
    EXPECT_EQ(a.hash().size(), 16u);
}

TEST_F(Actors, a_delay_shifts_the_head_motion) {
    Session crowd = open("[[actor]]\n[[actor]]\ndelay = 0.1\n");
    const auto head = [&](std::size_t k) {
        return crowd.impl().actors[k].simulation().head_pose().translation.x;
    };
    run(crowd, 5);
    EXPECT_NE(head(0), 0);
    EXPECT_EQ(head(1), 0);
    const float early = head(0);
    run(crowd, 6);
    EXPECT_NEAR(head(1), early, 1e-6f);
}

TEST_F(Actors, positions_are_in_world_space) {
    Session crowd = open("[[actor]]\n[[actor]]\nat = [3, 1, -2]\nturn = 90\n");
    run(crowd);
    ASSERT_EQ(crowd.strand_count(), 4);
    EXPECT_EQ(crowd.vertex_count(0), 8);
    EXPECT_EQ(crowd.vertex_count(3), 5);
    const std::vector<float> p = crowd.positions();
    ASSERT_EQ(p.size(), 2u * 13u * 3u);
    for (std::size_t i = 0; i < 39; i += 3) {
        EXPECT_NEAR(p[39 + i], p[i + 2] + 3, 1e-5f);
        EXPECT_NEAR(p[39 + i + 1], p[i + 1] + 1, 1e-5f);
        EXPECT_NEAR(p[39 + i + 2], -p[i] - 2, 1e-5f);
    }
}

TEST_F(Actors, the_report_sums_all_actors) {
    const std::string pbd = "[[actor]]\nset = ['sim.model=pbd']\n";
    Session crowd = open(pbd + "[[actor]]\n" + pbd);
    Session soft = open("", {"sim.model=pbd"}), stiff = open("");
    for (Session* session : {&crowd, &soft, &stiff}) run(*session);
    const Report all = crowd.report(), a = soft.report(), b = stiff.report();
    EXPECT_EQ(all.strands, 6);
    EXPECT_EQ(all.vertices, 39);
    EXPECT_EQ(all.model, "pbd+rod");
    EXPECT_EQ(a.model, "pbd");
    EXPECT_EQ(all.frames, 20);
    EXPECT_EQ(all.substeps, 8);
    EXPECT_EQ(b.substeps, 2);
    EXPECT_EQ(all.max_stretch, std::max(a.max_stretch, b.max_stretch));
    EXPECT_NEAR(all.mean_stretch, (2 * a.mean_stretch + b.mean_stretch) / 3, 1e-12);
}

TEST_F(Actors, all_are_exported_in_world_space) {
    Session crowd = open("[[actor]]\n[[actor]]\nat = [3, 0, 0]\n");
    for (const bool at_rest : {true, false}) {
        const std::string file = (folder_ / (at_rest ? "rest.hair" : "moved.hair")).string();
        if (at_rest)
            ASSERT_TRUE(save_groom(crowd, file));
        else
            ASSERT_TRUE(simulate(crowd, {file, 7}, {}));
        const Result<StrandSet> strands = read_groom(file, {});
        ASSERT_TRUE(strands) << strands.error().text();
        ASSERT_EQ(strands->strand_count(), 4);
        EXPECT_NEAR(strands->position.vec3(3, 4).x, strands->position.vec3(1, 4).x + 3, 1e-5f);
        EXPECT_EQ(strands->radius.at(3, 0), strands->radius.at(1, 0));
    }
}

TEST_F(Actors, each_is_drawn_in_world_space_with_its_own_width) {
    std::ofstream((folder_ / "bead.obj").string())
        << "v 0 0 0\nv 0.01 0 0\nv 0 0 0.01\nv 0 0.01 0\nf 1 2 3\nf 1 4 2\n";
    Session crowd = open(
        "[groom]\nmesh = 'bead.obj'\n[render]\nhair_width = 2\n"
        "[[actor]]\n[[actor]]\nat = [3, 0, 0]\nset = ['render.hair_width=6']\n");
    crowd.impl().advance_to(0.1);
    const Picture picture = picture_of(crowd);
    ASSERT_EQ(picture.meshes.size(), 2u);
    EXPECT_NE(picture.meshes[0].mesh, picture.meshes[1].mesh);
    EXPECT_EQ(picture.meshes[1].transform.translation.x,
              picture.meshes[0].transform.translation.x + 3);
    EXPECT_EQ(crowd.impl().actors[0].head_mesh, crowd.impl().actors[1].head_mesh) << "read twice";
    const StrandView& strands = picture.strands;
    ASSERT_EQ(strands.layout->strand_count(), 4);
    EXPECT_NEAR(strands.position->vec3(2, 5).x, strands.position->vec3(0, 5).x + 3, 1e-6f);
    EXPECT_EQ(picture.settings.width, 2);
    EXPECT_NEAR(strands.radius->at(2, 0), 3 * strands.radius->at(0, 0), 1e-9f);
}

TEST_F(Actors, scene_files_are_relative_to_the_scene) {
    std::ofstream((folder_ / "other.toml").string()) << kTwoStrands << "[[groom.strand]]\n";
    Session crowd = open("[[actor]]\nscene = 'other.toml'\n[[actor]]\nscene = 'cantilever'\n");
    EXPECT_EQ(crowd.impl().actors[0].groom.strand_count(), 3);
    const Result<Session> builtin = Session::open("cantilever");
    ASSERT_TRUE(builtin);
    EXPECT_EQ(crowd.strand_count(), 3 + builtin->strand_count());
    EXPECT_EQ(crowd.impl().actors[1].scene.folder, crowd.impl().scene.folder);
}

TEST_F(Actors, a_missing_file_is_reported_with_its_actor) {
    const std::string path = (folder_ / "scene.toml").string();
    std::ofstream(path) << "[[actor]]\n\n[[actor]]\nset = ['groom.mesh=gone.obj']\n";
    Result<Session> session = Session::open(path);
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().line, 3) << session.error().text();
    EXPECT_NE(session.error().message.find("actor 1"), std::string::npos);
    EXPECT_NE(session.error().message.find("gone.obj"), std::string::npos);
    std::ofstream(path) << "[[actor]]\n[[actor]]\nset = ['groom.file=gone.hair']\n";
    session = Session::open(path);
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().line, 2) << session.error().text();
    EXPECT_NE(session.error().message.find("gone.hair"), std::string::npos);
}

}  // namespace
}  // namespace ringlet
