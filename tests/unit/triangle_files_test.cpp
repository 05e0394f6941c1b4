// Meshes in PLY and STL files.
#include <gtest/gtest.h>

#include <bit>

#include "base/files.h"
#include "io/foreign/mesh_message.h"
#include "io/mesh_format.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

// A tetrahedron, wound outwards.
const char* const kCorners[] = {"0 0 0", "1 0 0", "0 1 0", "0 0 1"};
constexpr int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

std::string facets() {
    std::string out;
    for (const auto& face : kFaces) {
        out += "facet normal 0 0 0\nouter loop\n";
        for (const int k : face) out += "vertex " + std::string(kCorners[k]) + "\n";
        out += "endloop\nendfacet\n";
    }
    return out;
}

std::string ascii_stl() { return "solid tetrahedron\n" + facets() + "endsolid tetrahedron\n"; }

// Some programs begin binary files with "solid" too.
std::string binary_stl() {
    std::string out = "solid" + std::string(75, ' ');
    append_raw(out, std::uint32_t{4});
    for (const auto& face : kFaces) {
        for (int i = 0; i < 3; ++i) append_raw(out, 0.0f);
        for (const int k : face)
            for (int axis = 0; axis < 3; ++axis) append_raw(out, k == axis + 1 ? 1.0f : 0.0f);
        append_raw(out, std::uint16_t{0});
    }
    return out;
}

enum class Encoding { text, little, big };

template <class T>
void append(std::string& out, Encoding encoding, T value) {
    std::string bytes;
    append_raw(bytes, value);
    if (encoding == Encoding::big) bytes = {bytes.rbegin(), bytes.rend()};
    out += bytes;
}

std::string ply_header(Encoding encoding, const std::string& more_of_vertex,
                       const std::string& faces) {
    constexpr const char* kNames[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    return "ply\nformat " + std::string(kNames[static_cast<int>(encoding)]) +
           " 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\nproperty float y\n"
           "property float z\n" +
           more_of_vertex + faces + "end_header\n";
}

std::string ply(Encoding encoding, const std::string& colour_type) {
    std::string colours;
    for (const char* channel : {"red", "green", "blue"})
        colours += "property " + colour_type + " " + channel + "\n";
    std::string out =
        ply_header(encoding, colours, "element face 4\nproperty list uchar int vertex_indices\n");
    const bool bytes = colour_type == "uchar";
    for (int k = 0; k < 4; ++k) {
        if (encoding == Encoding::text) {
            out += std::string(kCorners[k]) + (bytes ? " 255 188 0\n" : " 1 0.5 0\n");
            continue;
        }
        for (int axis = 0; axis < 3; ++axis) append(out, encoding, k == axis + 1 ? 1.0f : 0.0f);
        for (const int c : {255, 188, 0}) append(out, encoding, static_cast<std::uint8_t>(c));
    }
    for (const auto& face : kFaces) {
        encoding == Encoding::text ? void(out += "3") : append(out, encoding, std::uint8_t{3});
        for (const int k : face)
            encoding == Encoding::text ? void(out += " " + std::to_string(k))
                                       : append(out, encoding, std::int32_t{k});
        if (encoding == Encoding::text) out += "\n";
    }
    return out;
}

double signed_volume(const Mesh& mesh) {
    double six = 0;
    for (int t = 0; t < mesh.triangle_count(); ++t)
        six += dot(mesh.corner(t, 0), cross(mesh.corner(t, 1), mesh.corner(t, 2)));
    return six / 6;
}

void expect_near(Vec3f a, Vec3f b, float tolerance) { EXPECT_LT(norm(a - b), tolerance); }

class TriangleFiles : public testing::Test {
protected:
    Mesh read(const std::string& name, const std::string& bytes) const {
        EXPECT_TRUE(write_file(folder_ / name, bytes));
        const Result<Mesh> mesh = read_mesh(folder_ / name);
        if (mesh) return *mesh;
        ADD_FAILURE() << mesh.error().text();
        return {};
    }
    std::string error_of(const std::string& name, const std::string& bytes) const {
        EXPECT_TRUE(write_file(folder_ / name, bytes));
        const Result<Mesh> mesh = read_mesh(folder_ / name);
        if (mesh) return "none";
        EXPECT_TRUE(mesh.error().text().starts_with((folder_ / name).string()));
        return mesh.error().text();
    }
    TempFolder folder_;
};

bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST_F(TriangleFiles, stl_is_read_as_text_and_as_bytes) {
    for (const std::string& bytes : {ascii_stl(), binary_stl()}) {
        const Mesh mesh = read("a.STL", bytes);
        EXPECT_EQ(mesh.triangle_count(), 4);
        EXPECT_EQ(mesh.positions.size(), 4u) << "the corners of triangles are merged";
        EXPECT_NEAR(signed_volume(mesh), 1.0 / 6, 1e-6);
        EXPECT_TRUE(mesh.materials.empty() && mesh.colours.empty() && mesh.parts.empty());
        EXPECT_EQ(mesh.file_unit_metres, 0) << "STL states no unit";
        // The normals are smooth: at the origin they are the mean of three sides.
        for (std::size_t v = 0; v < 4; ++v)
            if (norm(mesh.positions[v]) == 0)
                expect_near(mesh.normals[v], unit_or(Vec3f{-1, -1, -1}, Vec3f{0, 1, 0}), 1e-5f);
    }
}

TEST_F(TriangleFiles, the_solids_of_an_stl_file_are_parts) {
    const Mesh mesh =
        read("a.stl", "solid head\n" + facets() + "endsolid\nSOLID left eye\n" + facets());
    EXPECT_EQ(mesh.parts, (std::vector<std::string>{"head", "left eye"}));
    ASSERT_EQ(mesh.triangle_part.size(), 8u);
    EXPECT_EQ(mesh.triangle_part[3], 0);
    EXPECT_EQ(mesh.triangle_part[4], 1);
}

TEST_F(TriangleFiles, ply_is_read_as_text_and_as_bytes_with_colours) {
    for (const std::string& bytes : {ply(Encoding::text, "uchar"), ply(Encoding::little, "uchar"),
                                     ply(Encoding::big, "uchar"), ply(Encoding::text, "float")}) {
        const Mesh mesh = read("a.ply", bytes);
        EXPECT_EQ(mesh.triangle_count(), 4);
        EXPECT_NEAR(signed_volume(mesh), 1.0 / 6, 1e-6);
        ASSERT_EQ(mesh.colours.size(), mesh.positions.size());
        // 188 / 255 in sRGB is 0.503 in linear light; numbers are linear.
        for (const Vec3f c : mesh.colours) expect_near(c, {1, 0.5f, 0}, 0.005f);
    }
}

TEST_F(TriangleFiles, ply_polygons_strips_normals_and_texture_coordinates_are_read) {
    const std::string corners =
        "0 0 0 0 0 2 0 0\n1 0 0 0 0 2 1 0\n1 1 0 0 0 2 1 1\n0 1 0 0 0 2 0 1\n";
    const std::string more =
        "property float nx\nproperty float ny\nproperty float nz\nproperty float s\n"
        "property float t\n";
    const Mesh square =
        read("a.ply",
             ply_header(Encoding::text, more,
                        "element face 1\nproperty uchar flag\n"
                        "property list uchar uint vertex_index\nproperty list uchar float w\n") +
                 corners + "9 4 0 1 2 3 2 0.5 0.5\n");
    const Mesh strip =
        read("b.ply", ply_header(Encoding::text, more,
                                 "element tristrips 1\nproperty list int int vertex_indices\n") +
                          corners + "8 0 1 3 2 -1 0 1 2\n");
    for (const Mesh* mesh : {&square, &strip}) {
        EXPECT_EQ(mesh->triangle_count(), mesh == &square ? 2 : 3);
        for (int t = 0; t < mesh->triangle_count(); ++t) EXPECT_GT(area_normal(*mesh, t).z, 0.9f);
        for (std::size_t v = 0; v < mesh->positions.size(); ++v) {
            expect_near(mesh->normals[v], {0, 0, 1}, 1e-6f);
            EXPECT_EQ(mesh->uvs[v].x, mesh->positions[v].x);
            EXPECT_EQ(mesh->uvs[v].y, mesh->positions[v].y);
        }
    }
}

TEST_F(TriangleFiles, damage_is_told_with_its_place) {
    const std::string good = ply(Encoding::text, "uchar");
    EXPECT_TRUE(says(error_of("a.ply", good.substr(0, good.size() - 4)), "\"face\" 3 of 4"));
    std::string wrong = good;
    wrong.replace(wrong.rfind("3\n"), 1, "4");
    EXPECT_TRUE(says(error_of("a.ply", wrong), "refers to a vertex that is not one of the 4"));
    std::string infinite = good;
    infinite.replace(infinite.find("1 0 0 255"), 1, "inf");
    EXPECT_TRUE(says(error_of("a.ply", infinite), "vertex 1"));
    EXPECT_TRUE(says(error_of("a.stl", binary_stl().substr(0, 120)),
                     "its header states 4 triangles, and it has 0"));
    EXPECT_TRUE(says(error_of("a.stl", "solid\nfacet\nvertex 0 0 up\n"), "a.stl:3: \"up\""));
    EXPECT_TRUE(says(error_of("a.stl", "solid\nfacet\nvertex 0 0 0\nendloop\n"), "1 vertices"));
    EXPECT_TRUE(says(error_of("a.stl", "no mesh"), "is not an STL file"));
}

}  // namespace
}  // namespace ringlet
