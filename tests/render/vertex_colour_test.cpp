// The colours of a mesh's vertices: drawn where the file gives no other colour.
#include <fstream>
#include <sstream>

#include "render/picture_fixture.h"
#include "ringlet/ringlet.h"
#include "session/draw.h"
#include "session/live/session_impl.h"
#include "unit/glb_sample.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

constexpr int kSize = 120;

// Red where x < 0, blue elsewhere; linear.
Vec3f colour_at(Vec3f p) { return p.x < 0 ? Vec3f{0.6f, 0.05f, 0.05f} : Vec3f{0.05f, 0.1f, 0.7f}; }

// The bytes of a coloured mesh in the format of the extension, in metres.
std::string file_of(const Mesh& mesh, const std::string& extension) {
    std::ostringstream out;
    const bool is_obj = extension == "obj";
    if (extension == "glb") {
        std::vector<float> positions, colours;
        for (const Vec3f p : mesh.positions) {
            const Vec3f c = colour_at(p);
            positions.insert(positions.end(), {p.x, p.y, p.z});
            colours.insert(colours.end(), {c.x, c.y, c.z});
        }
        const std::vector<std::uint16_t> indices(mesh.indices.begin(), mesh.indices.end());
        GlbSample sample;
        sample.json["nodes"].push_back({{"mesh", 0}});
        auto& primitive = sample.json["meshes"][0]["primitives"][0];
        primitive["attributes"]["POSITION"] = sample.floats(positions, "VEC3", 3);
        primitive["attributes"]["COLOR_0"] = sample.floats(colours, "VEC3", 3);
        primitive["indices"] = sample.accessor(indices, "SCALAR", GlbSample::kUint16, 1);
        return sample.glb();
    }
    if (!is_obj)
        out << "ply\nformat ascii 1.0\nelement vertex " << mesh.positions.size()
            << "\nproperty float x\nproperty float y\nproperty float z\nproperty float red\n"
               "property float green\nproperty float blue\nelement face "
            << mesh.indices.size() / 3 << "\nproperty list uchar int vertex_indices\nend_header\n";
    for (const Vec3f p : mesh.positions) {
        const Vec3f c = colour_at(p);
        out << (is_obj ? "v " : "") << p.x << ' ' << p.y << ' ' << p.z << ' ' << c.x << ' ' << c.y
            << ' ' << c.z << '\n';
    }
    const std::uint32_t first = is_obj ? 1 : 0;
    for (std::size_t t = 0; t < mesh.indices.size(); t += 3)
        out << (is_obj ? "f " : "3 ") << mesh.indices[t] + first << ' '
            << mesh.indices[t + 1] + first << ' ' << mesh.indices[t + 2] + first << '\n';
    return out.str();
}

class VertexColours : public PictureTest {
protected:
    // Draws the head of a scene without hair.
    Image drawn(const std::string& mesh, std::vector<std::string> overrides = {}) {
        const std::string scene = (folder_ / "head.toml").string();
        std::ofstream(scene) << "[groom]\nmesh = '" << mesh
                             << "'\nmesh_units = 'm'\nmesh_up = '+y'\nmesh_facing = '+z'\n"
                                "scalp = ''\nstrands = 0\n[camera]\neye = [0, 0, 1]\n"
                                "target = [0, 0, 0]\n";
        Result<Session> session = Session::open(scene, {.overrides = std::move(overrides)});
        EXPECT_TRUE(session) << session.error().text();
        if (!session) return {};
        session->impl().advance_to(0);
        return draw(picture_of(*session), kSize, kSize);
    }

    void write(const std::string& name, const std::string& bytes) {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
    }

    // Red minus blue in the left and in the right half of the ball.
    static Vec2f redness(const Image& image) {
        const auto at = [&](int x) {
            const std::uint8_t* pixel = image.pixel(x, kSize / 2);
            return static_cast<float>(pixel[0]) - static_cast<float>(pixel[2]);
        };
        return {at(kSize / 2 - 12), at(kSize / 2 + 12)};
    }

    const TempFolder folder_;
};

TEST_F(VertexColours, of_a_head_are_drawn) {
    const Mesh mesh = ball(0.1f, {0, 0, 0});
    for (const std::string extension : {"ply", "obj", "glb"}) {
        write("head." + extension, file_of(mesh, extension));
        const Vec2f shown = redness(drawn("head." + extension));
        EXPECT_GT(shown.x, 40) << extension;
        EXPECT_LT(shown.y, -40) << extension;
    }
}

TEST_F(VertexColours, give_way_to_the_colour_of_a_material) {
    const Mesh mesh = ball(0.1f, {0, 0, 0});
    write("skin.mtl", "newmtl skin\nKd 0.5 0.5 0.5\n");
    write("head.obj", "mtllib skin.mtl\nusemtl skin\n" + file_of(mesh, "obj"));
    const Vec2f shown = redness(drawn("head.obj"));
    EXPECT_NEAR(shown.x, shown.y, 12);
}

TEST_F(VertexColours, that_place_hair_are_not_drawn) {
    write("head.ply", file_of(ball(0.1f, {0, 0, 0}), "ply"));
    const Vec2f shown = redness(drawn("head.ply", {"groom.scalp_colour=red"}));
    EXPECT_NEAR(shown.x, shown.y, 12);
}

// Meshes without such a material look as they do without colours.
TEST_F(VertexColours, are_added_as_far_as_the_material_says) {
    const auto image_of = [&](const Mesh& mesh) {
        Picture picture;
        picture.camera = measuring_camera(kSize, 400);
        picture.meshes = {{&mesh}};
        return draw(picture, kSize, kSize);
    };
    const Vec3f red{0.6f, 0.05f, 0.05f};
    const Mesh plain = ball(0.1f, red);
    Mesh coloured = ball(0.1f, {0, 0, 0});
    coloured.colours.assign(coloured.positions.size(), red);
    coloured.materials[0].vertex_colours = 1;
    EXPECT_LE(largest_difference(image_of(plain), image_of(coloured)), 1);
    Mesh unused = plain;
    unused.colours.assign(unused.positions.size(), {0, 0, 1});
    EXPECT_EQ(largest_difference(image_of(plain), image_of(unused)), 0);
    Mesh half = ball(0.1f, red * 0.5f);
    half.colours = coloured.colours;
    half.materials[0].vertex_colours = 0.5f;
    EXPECT_LE(largest_difference(image_of(plain), image_of(half)), 1);
}

}  // namespace
}  // namespace ringlet
