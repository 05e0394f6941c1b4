// Heads and colliders with animated shapes from files: reading, errors, roots that follow the head,
// and hair that avoids the collider.
#include <gtest/gtest.h>

#include <fstream>

#include "collide/deforming_body.h"
#include "ringlet/ringlet.h"
#include "session/draw.h"
#include "session/live/session_impl.h"
#include "sim/models/registry.h"
#include "unit/sphere_mesh.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

// A quad in the ground plane that rises and widens; its triangles bend along the diagonal.
std::string quad(float raised, float wide, const std::string& more = "") {
    const auto corner = [&](float x, float z, float up) {
        return "v " + std::to_string(x * wide) + " " + std::to_string(raised + up) + " " +
               std::to_string(z) + "\n";
    };
    return corner(-0.2f, 0.2f, 0) + corner(0.2f, 0.2f, 0.01f * raised) + corner(0.2f, -0.2f, 0) +
           corner(-0.2f, -0.2f, -0.02f * raised) + "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n" +
           "f 1/1 2/2 3/3 4/4\n" + more;
}

class Shapes : public testing::Test {
protected:
    void put(const std::string& name, const std::string& text) const {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
    }
    Result<Session> open(const std::string& sequence) const {
        put("scene.toml",
            "[groom]\nmesh = \"rest.obj\"\nscalp = \"\"\nstrands = 40\nguides = 8\nvertices = 5\n"
            "length = 0.05\n[sim]\nmodel = \"pbd\"\n[head]\nsequence_fps = 10\n"
            "sequence = \"" +
                sequence + "\"\n");
        return Session::open((folder_ / "scene.toml").string());
    }
    TempFolder folder_;
};

TEST_F(Shapes, guides_and_children_follow_the_surface) {
    put("rest.obj", quad(0, 1));
    for (int k = 0; k <= 3; ++k)
        put("walk/f" + std::to_string(10 + k) + ".obj",
            quad(0.1f * static_cast<float>(k), 1 + 0.2f * static_cast<float>(k)));
    Result<Session> session = open("walk/f##.obj");
    ASSERT_TRUE(session) << session.error().text();
    const std::vector<float> before = session->positions();
    for (int k = 0; k < 30; ++k) session->step();  // half a second: at the last shape
    const std::vector<float> after = session->positions();
    for (std::size_t s = 0; s < 40; ++s) {
        EXPECT_NEAR(after[s * 15], 1.6f * before[s * 15], 2e-3f);
        EXPECT_NEAR(after[s * 15 + 1], 0.3f, 0.01f);
    }
}

TEST_F(Shapes, must_have_the_topology_of_the_mesh) {
    put("rest.obj", quad(0, 1));
    put("walk/f0.obj", quad(0, 1));
    put("walk/f1.obj", quad(0, 1, "v 0 1 0\nf 1/1 2/2 5/3\n"));
    const Result<Session> other = open("walk/f#.obj");
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().text().find("f1.obj: is not a shape of groom.mesh"), std::string::npos)
        << other.error().text();
    const Result<Session> none = open("walk/g#.obj"), plain = open("walk/f0.obj");
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().text().find("no file matches \"walk/g#.obj\""), std::string::npos);
    ASSERT_FALSE(plain);
    EXPECT_NE(plain.error().text().find("needs a # per digit"), std::string::npos);
}

// A cylinder along z with radius 5, in cm, centred at x.
std::string roll(float x, int rings = 12) {
    const Mesh ball = sphere_mesh({0, 0, 0}, 5, rings);
    std::string out;
    for (const Vec3f p : ball.positions)
        out += "v " + std::to_string(x + p.x) + " " + std::to_string(p.y) + " " +
               std::to_string(3 * p.z) + "\n";
    for (std::size_t k = 0; k < ball.indices.size(); k += 3)
        out += "f " + std::to_string(ball.indices[k] + 1) + " " +
               std::to_string(ball.indices[k + 1] + 1) + " " +
               std::to_string(ball.indices[k + 2] + 1) + "\n";
    return out;
}

constexpr int kRolls = 11;

// A strand hangs in the path of a cylinder that moves from x = -11 cm to 4 cm in half a second.
class ColliderShapes : public Shapes {
protected:
    ColliderShapes() {
        put("roll.obj", roll(-11));
        for (int k = 0; k < kRolls; ++k)
            put("rolls/f" + std::to_string(10 + k) + ".obj",
                roll(-11 + 1.5f * static_cast<float>(k)));
    }
    Result<Session> open_with(const std::string& collider, const std::string& more = "") const {
        put("scene.toml", "[[groom.strand]]\nroot = [0, 0.2, 0]\nlength = 0.3\nvertices = 16\n" +
                              more + "[[collider]]\nattached = false\n" + collider);
        return Session::open((folder_ / "scene.toml").string());
    }
    // One line that begins with the scene file and the collider's line.
    std::string error_of(const std::string& collider) const {
        const Result<Session> session = open_with(collider);
        if (session) return "none";
        const std::string text = session.error().text();
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        EXPECT_NE(text.find("scene.toml:5: collider: sequence: "), std::string::npos) << text;
        return text;
    }
    const std::string mesh_ = "shape = \"mesh\"\nfile = \"roll.obj\"\nscale = 0.01\ncell = 0.01\n";
    const std::string rolling_ = mesh_ + "sequence = \"rolls/f##.obj\"\nsequence_fps = 20\n";
};

double mean_x(const Mesh& mesh) {
    double sum = 0;
    for (const Vec3f p : mesh.positions) sum += static_cast<double>(p.x);
    return sum / static_cast<double>(mesh.positions.size());
}

TEST_F(ColliderShapes, push_a_strand_of_any_model) {
    for (const ModelEntry& model : all_models()) {
        const std::string name(model.name);
        Result<Session> session = open_with(rolling_, "[sim]\nmodel = \"" + name + "\"\n");
        ASSERT_TRUE(session) << session.error().text();
        for (int k = 0; k < 36; ++k) session->step();
        const std::vector<float> x = session->positions();
        EXPECT_GT(x[3 * 10], 0.08f) << name << ": level with the roll, which ends at 9 cm";
        EXPECT_LT(session->report().max_penetration, 0.005) << name;
    }
}

TEST_F(ColliderShapes, have_their_own_frame_rate_and_can_loop) {
    Result<Session> session = open_with(rolling_ + "sequence_loops = true\n");
    ASSERT_TRUE(session) << session.error().text();
    const MeshSequence& shapes = *session->impl().actors[0].scene.world.colliders[0].shapes;
    EXPECT_EQ(shapes.frames.size(), kRolls);
    EXPECT_EQ(shapes.fps, 20);
    EXPECT_TRUE(shapes.loops);
    EXPECT_NEAR(shapes.frames[kRolls - 1][0].x, 0.04f, 1e-6f) << "in metres";
}

TEST_F(ColliderShapes, are_drawn_in_their_current_shape) {
    Result<Session> session = open_with(rolling_, "[render]\nshow_colliders = true\n");
    ASSERT_TRUE(session) << session.error().text();
    for (const double time : {0.0, 0.125, 0.3, 0.7}) {
        session->impl().advance_to(time);
        const Picture picture = picture_of(*session);
        ASSERT_EQ(picture.meshes.size(), 1u);
        EXPECT_NEAR(mean_x(*picture.meshes[0].mesh), std::min(-0.11 + 0.3 * time, 0.04), 1e-4);
    }
    Scene edited = session->impl().scene;
    edited.world.colliders[0].mesh.sequence.fps = 1;
    ASSERT_TRUE(session->impl().change_scene(edited));
    EXPECT_NEAR(mean_x(*picture_of(*session).meshes[0].mesh), -0.11 + 0.015 * 0.7, 1e-4);
}

TEST_F(ColliderShapes, continue_when_other_settings_change) {
    Result<Session> session = open_with(rolling_);
    ASSERT_TRUE(session) << session.error().text();
    for (int k = 0; k < 12; ++k) session->step();
    Session::Impl& impl = session->impl();
    const auto before = impl.actors[0].scene.world.colliders[0].shapes;
    Scene edited = impl.scene;
    edited.world.colliders[0].friction = 0.6f;
    ASSERT_TRUE(impl.change_scene(edited));
    EXPECT_EQ(impl.actors[0].scene.world.colliders[0].shapes, before) << "not read again";
}

TEST_F(ColliderShapes, must_have_the_topology_of_the_mesh) {
    const auto has = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    has(error_of(mesh_ + "sequence = \"rolls/g##.obj\"\n"), "no file matches \"rolls/g##.obj\"");
    has(error_of(mesh_ + "sequence = \"rolls/f10.obj\"\n"), "needs a # per digit");
    put("rolls/f15.obj", roll(0, 13));
    has(error_of(rolling_), "f15.obj: is not a shape of roll.obj");
    std::string one_less =
        roll(0);  // away from the poles, where each corner belongs to other faces too
    const std::size_t face = one_less.find("\nf ", one_less.find("\nf ") + 2000);
    one_less.erase(face, one_less.find('\n', face + 1) - face);
    put("rolls/f15.obj", one_less);
    has(error_of(rolling_), "f15.obj: is not a shape of roll.obj");
}

TEST_F(ColliderShapes, need_a_mesh_file) {
    const std::string sequence = "sequence = \"rolls/f##.obj\"\n";
    for (const std::string shape : {"sphere", "plane", "ellipsoid"})
        EXPECT_NE(error_of("shape = \"" + shape + "\"\n" + sequence).find("set shape = \"mesh\""),
                  std::string::npos);
    EXPECT_NE(error_of("shape = \"mesh\"\n" + sequence).find("set the collider's file"),
              std::string::npos);
}

}  // namespace
}  // namespace ringlet
