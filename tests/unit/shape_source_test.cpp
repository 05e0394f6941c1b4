// Heads and colliders with animated shapes from files: reading, errors, roots that follow the head,
// and hair that avoids the collider.
#include <gtest/gtest.h>

#include <fstream>

#include "collide/deforming_body.h"
#include "ringlet/ringlet.h"
#include "session/draw.h"
#include "session/live/session_impl.h"
#include "sim/models/registry.h"
#include "unit/glb_sample.h"
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

// Hair on the strip that two bones bend by 90 degrees in a second (glb_sample.h).
class AnimatedHead : public Shapes {
protected:
    AnimatedHead() { put("strip.glb", skinned_sample().glb()); }
    Result<Session> open_animated(const std::string& head, const std::string& more = "") {
        put("scene.toml",
            "[groom]\nmesh = \"strip.glb\"\nmesh_units = \"m\"\nmesh_up = \"+y\"\n"
            "mesh_facing = \"+z\"\nscalp = \"\"\nstrands = 60\nvertices = 4\n"
            "length = 0.05\n[head]\n" +
                head + more);
        Listener listener;
        listener.log = [this](std::string_view line) { log_ += std::string(line) + "\n"; };
        listener.warn = [this](const Warning& warning) { log_ += warning.text + "\n"; };
        return Session::open((folder_ / "scene.toml").string(), {}, listener);
    }
    // The root of each strand.
    static std::vector<Vec3f> roots_of(const Session& session) {
        const std::vector<float> x = session.positions();
        std::vector<Vec3f> out;
        for (std::size_t s = 0; s < 60; ++s)
            out.push_back({x[s * 12], x[s * 12 + 1], x[s * 12 + 2]});
        return out;
    }
    std::string log_;
};

// Where the skin takes a point after `seconds`, up to one. The triangles between the bones are
// stretched, so points there are not tested.
Vec3f bent(Vec3f p, float seconds) {
    const float angle = kPi / 2 * seconds, s = std::sin(angle), c = std::cos(angle);
    return p.y < 1 ? p : Vec3f{c * p.x - s * (p.y - 1), 1 + s * p.x + c * (p.y - 1), 0};
}

void expect_bent(const std::vector<Vec3f>& before, const std::vector<Vec3f>& after, float seconds) {
    int above = 0;
    for (std::size_t s = 0; s < before.size(); ++s) {
        if (before[s].y > 1 && before[s].y < 1.25f) continue;
        EXPECT_LT(norm(after[s] - bent(before[s], seconds)), 2e-3f) << s << " at " << seconds;
        above += before[s].y > 1;
    }
    EXPECT_GT(above, 10);
}

TEST_F(AnimatedHead, roots_ride_on_bones_at_any_frame_rate) {
    for (const char* dt : {"0.016666667", "0.01", "0.0043"}) {
        Result<Session> session =
            open_animated("animation_loops = false\n", "[sim]\ndt = " + std::string(dt) + "\n");
        ASSERT_TRUE(session) << session.error().text();
        const std::vector<Vec3f> before = roots_of(*session);
        while (session->time() < 0.6) session->step();
        expect_bent(before, roots_of(*session), static_cast<float>(session->time()));
        while (session->time() < 1.2) session->step();
        expect_bent(before, roots_of(*session), 1);
    }
    EXPECT_NE(log_.find("strip.glb: plays its animation \"bend\" of 1 s once"), std::string::npos)
        << log_;
}

TEST_F(AnimatedHead, an_animation_repeats_or_is_left_out) {
    Result<Session> looping = open_animated("animation = \"bend\"\n");
    ASSERT_TRUE(looping) << looping.error().text();
    EXPECT_NE(log_.find("does not end as it begins"), std::string::npos) << log_;
    const std::vector<Vec3f> before = roots_of(*looping);
    while (looping->time() < 1.5 - 1e-6) looping->step();
    expect_bent(before, roots_of(*looping), static_cast<float>(looping->time()) - 1);
    log_.clear();
    Result<Session> still = open_animated("animation = \"none\"\n");
    ASSERT_TRUE(still) << still.error().text();
    EXPECT_FALSE(still->impl().actors[0].scene.world.shapes);
    EXPECT_EQ(log_.find("plays"), std::string::npos) << log_;
    const Result<Session> unknown = open_animated("animation = \"walk\"\n");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().text().find(
                  "head.animation: no animation \"walk\" in strip.glb; it has \"bend\""),
              std::string::npos)
        << unknown.error().text();
}

TEST_F(AnimatedHead, is_a_collider_that_deforms) {
    Result<Session> session =
        open_animated("animation_loops = false\n[[collider]]\nshape = \"mesh\"\ncell = 0.1\n");
    ASSERT_TRUE(session) << session.error().text();
    const Collider& collider = session->impl().actors[0].scene.world.colliders[0];
    ASSERT_TRUE(collider.shapes);
    EXPECT_EQ(collider.shapes->frames.size(), 25u);
    // A collider with a file of its own plays the animation of that name too.
    Result<Session> other = open_animated("animation = \"bend\"\n",
                                          "[[collider]]\nattached = false\nshape = \"mesh\"\n"
                                          "file = \"strip.glb\"\ncell = 0.1\n");
    ASSERT_TRUE(other) << other.error().text();
    EXPECT_TRUE(other->impl().actors[0].scene.world.colliders[0].shapes);
}

TEST_F(AnimatedHead, an_animated_collider_says_what_it_plays) {
    put("arm.glb", skinned_sample().glb());
    Result<Session> session = open_animated("animation = \"bend\"\n",
                                            "[[collider]]\nattached = false\nshape = \"mesh\"\n"
                                            "file = \"arm.glb\"\ncell = 0.1\n");
    ASSERT_TRUE(session) << session.error().text();
    EXPECT_NE(log_.find("arm.glb: plays its animation \"bend\""), std::string::npos) << log_;
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
