// Heads whose shape changes, from files: what is read, what is refused, and that all hair rides.
#include <gtest/gtest.h>

#include <fstream>

#include "ringlet/ringlet.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

// A quad in the ground plane, raised and made wider: divided along another diagonal as it bends.
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

TEST_F(Shapes, carry_guides_and_children) {
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

TEST_F(Shapes, must_be_the_mesh_in_another_shape) {
    put("rest.obj", quad(0, 1));
    put("walk/f0.obj", quad(0, 1));
    put("walk/f1.obj", quad(0, 1, "v 0 1 0\nf 1/1 2/2 5/3\n"));
    const Result<Session> other = open("walk/f#.obj");
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().text().find("f1.obj: is not groom.mesh in another shape"),
              std::string::npos)
        << other.error().text();
    const Result<Session> none = open("walk/g#.obj"), plain = open("walk/f0.obj");
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().text().find("no file like \"walk/g#.obj\""), std::string::npos);
    ASSERT_FALSE(plain);
    EXPECT_NE(plain.error().text().find("write a # for each digit"), std::string::npos);
}

}  // namespace
}  // namespace ringlet
