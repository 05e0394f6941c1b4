#include "io/obj/obj_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <utility>

#include "base/files.h"
#include "temp_folder.h"
#include "test_paths.h"

namespace ringlet {
namespace {

// A unit cube of quads whose top is a hexagon with two corners on the middle of edges.
const std::string kCube =
    "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\n"
    "v 0 1 0\nv 1 1 0\nv 1 1 1\nv 0 1 1\n"
    "v 0.5 1 0\nv 0.5 1 1\n"
    "f 1 2 3 4\n"
    "f 5 8 10 7 6 9\n"
    "f 1 5 9 6 2\nf 2 6 7 3\nf 3 7 10 8 4\nf 4 8 5 1\n";

Mesh parsed(const std::string& obj, const std::string& mtl = "") {
    const Result<Mesh> mesh = parse_obj(obj, mtl, "test.obj");
    if (mesh) return *mesh;
    ADD_FAILURE() << mesh.error().text();
    return {};
}

std::string error_of(const std::string& obj) {
    const Result<Mesh> mesh = parse_obj(obj, "", "test.obj");
    if (mesh) return "no error";
    EXPECT_EQ(mesh.error().text().find('\n'), std::string::npos);
    return mesh.error().text();
}

double signed_volume(const Mesh& mesh) {
    double six = 0;
    for (int t = 0; t < mesh.triangle_count(); ++t)
        six += dot(mesh.corner(t, 0), cross(mesh.corner(t, 1), mesh.corner(t, 2)));
    return six / 6;
}

double area(const Mesh& mesh) {
    double twice = 0;
    for (int t = 0; t < mesh.triangle_count(); ++t) twice += norm(area_normal(mesh, t));
    return twice / 2;
}

// Every directed edge, by position, has its opposite.
bool is_closed(const Mesh& mesh) {
    using Place = std::array<float, 3>;
    std::map<std::pair<Place, Place>, int> balance;
    const auto place = [](Vec3f a) { return Place{a.x + 0.0f, a.y + 0.0f, a.z + 0.0f}; };
    for (int t = 0; t < mesh.triangle_count(); ++t)
        for (int k = 0; k < 3; ++k) {
            const Place a = place(mesh.corner(t, k)), b = place(mesh.corner(t, (k + 1) % 3));
            if (a < b) ++balance[{a, b}];
            if (b < a) --balance[{b, a}];
        }
    for (const auto& [edge, sum] : balance)
        if (sum != 0) return false;
    return true;
}

void expect_sound(const Mesh& mesh) {
    ASSERT_EQ(mesh.normals.size(), mesh.positions.size());
    ASSERT_EQ(mesh.uvs.size(), mesh.positions.size());
    ASSERT_EQ(mesh.indices.size() % 3, 0u);
    ASSERT_EQ(mesh.triangle_material.size(), mesh.indices.size() / 3);
    ASSERT_EQ(mesh.triangle_group.size(), mesh.indices.size() / 3);
    for (const std::uint32_t i : mesh.indices) ASSERT_LT(i, mesh.positions.size());
    for (const std::int32_t m : mesh.triangle_material) {
        ASSERT_GE(m, -1);
        ASSERT_LT(m, static_cast<int>(mesh.materials.size()));
    }
    for (const std::int32_t g : mesh.triangle_group) {
        ASSERT_GE(g, -1);
        ASSERT_LT(g, static_cast<int>(mesh.groups.size()));
    }
    for (const Vec3f& n : mesh.normals) ASSERT_NEAR(norm(n), 1, 1e-5);
}

TEST(obj_reader, closes_a_cube_of_quads_and_a_hexagon) {
    const Mesh cube = parsed(kCube);
    expect_sound(cube);
    EXPECT_EQ(cube.positions.size(), 10u);
    EXPECT_EQ(cube.triangle_count(), 2 + 4 + 3 + 2 + 3 + 2);
    EXPECT_TRUE(is_closed(cube));
    EXPECT_NEAR(signed_volume(cube), 1, 1e-6);
    EXPECT_NEAR(area(cube), 6, 1e-6);
}

TEST(obj_reader, makes_no_degenerate_triangles_of_collinear_corners) {
    const Mesh cube = parsed(kCube);
    for (int t = 0; t < cube.triangle_count(); ++t) EXPECT_GT(norm(area_normal(cube, t)), 0.1f);
}

// The triangles of an L must face the same way and sum to its area, also far from the origin and in
// each of the three coordinate planes, where projections may fail.
TEST(obj_reader, covers_concave_polygons_once) {
    const std::vector<std::pair<int, int>> outline{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
    for (int plane = 0; plane < 3; ++plane)
        for (std::size_t start = 0; start < outline.size(); ++start)
            for (const bool reversed : {false, true}) {
                std::string obj, face = "f";
                for (std::size_t i = 0; i < outline.size(); ++i) {
                    const auto& p = outline[(start + i) % outline.size()];
                    const std::string x = std::to_string(p.first + 7),
                                      y = std::to_string(p.second - 9);
                    obj += plane == 0   ? "v 5 " + x + " " + y + "\n"
                           : plane == 1 ? "v " + x + " 5 " + y + "\n"
                                        : "v " + x + " " + y + " 5\n";
                    face += " " + std::to_string(reversed ? outline.size() - i : i + 1);
                }
                const Mesh mesh = parsed(obj + face + "\n");
                ASSERT_EQ(mesh.triangle_count(), 4);
                EXPECT_NEAR(area(mesh), 4, 1e-5);
                for (int t = 1; t < 4; ++t)
                    EXPECT_GT(dot(area_normal(mesh, 0), area_normal(mesh, t)), 0);
            }
}

TEST(obj_reader, splits_a_concave_quad_inside_its_outline) {
    const Mesh dart = parsed("v 0 0 0\nv 4 -3 0\nv 1 0 0\nv 4 3 0\nf 1 2 3 4\n");
    EXPECT_EQ(dart.triangle_count(), 2);
    EXPECT_NEAR(area(dart), 3, 1e-5);
    EXPECT_GT(area_normal(dart, 0).z, 0);
    EXPECT_GT(area_normal(dart, 1).z, 0);
}

TEST(obj_reader, survives_a_polygon_of_three_hundred_thousand_corners) {
    std::string obj, face = "f";
    for (int i = 0; i < 300000; ++i) {
        const double angle = i * 6.283185307179586 / 300000, r = i % 2 ? 1.0 : 0.9;
        obj += "v " + std::to_string(r * std::cos(angle)) + " " +
               std::to_string(r * std::sin(angle)) + " 0\n";
        face += " " + std::to_string(i + 1);
    }
    EXPECT_EQ(parsed(obj + face).triangle_count(), 299998);
}

TEST(obj_reader, keeps_given_normals_and_normalizes_them) {
    const Mesh mesh = parsed(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 -5\nvn 3e30 0 4e30\nvn 2 0 0\nf 1//1 2//2 3//3\n");
    expect_sound(mesh);
    EXPECT_FLOAT_EQ(mesh.normals[0].z, -1);
    EXPECT_FLOAT_EQ(mesh.normals[1].x, 0.6f);
    EXPECT_FLOAT_EQ(mesh.normals[1].z, 0.8f);
    EXPECT_FLOAT_EQ(mesh.normals[2].x, 1);
}

TEST(obj_reader, computes_normals_that_are_missing_zero_or_not_finite) {
    for (const char* face : {"f 1 2 3\n", "f 1//1 2//2 3//3\n"}) {
        const Mesh mesh = parsed(
            std::string("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 0\nvn nan 1 inf\nvn 1e99 0 0\n") + face);
        expect_sound(mesh);
        for (const Vec3f& n : mesh.normals) EXPECT_FLOAT_EQ(n.z, 1);
    }
}

TEST(obj_reader, computes_only_the_normals_that_are_missing) {
    const Mesh mesh = parsed("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 1 0 0\nf 1//1 2 3\n");
    EXPECT_FLOAT_EQ(mesh.normals[0].x, 1);
    EXPECT_FLOAT_EQ(mesh.normals[1].z, 1);
    EXPECT_FLOAT_EQ(mesh.normals[2].z, 1);
}

TEST(obj_reader, computes_unit_normals_for_triangles_of_any_size) {
    expect_sound(parsed("v 0 0 0\nv 3e38 0 0\nv 0 3e38 0\nf 1 2 3\n"));
    expect_sound(parsed("v 0 0 0\nv 1e-38 0 0\nv 0 1e-38 0\nf 1 2 3\n"));
}

TEST(obj_reader, splits_vertices_where_uvs_differ_and_only_there) {
    const Mesh mesh = parsed(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 0.25 0.5\nvt 1 1\nvt 0.75 0\n"
        "f 1/1 2/2 3/3\nf 1/4 3/3 4/2\n");
    ASSERT_EQ(mesh.positions.size(), 5u);
    EXPECT_FLOAT_EQ(mesh.uvs[mesh.indices[1]].x, 0.25f);
    EXPECT_FLOAT_EQ(mesh.uvs[mesh.indices[1]].y, 0.5f);
    EXPECT_FLOAT_EQ(mesh.uvs[mesh.indices[3]].x, 0.75f);
    EXPECT_EQ(mesh.indices[2], mesh.indices[4]);
}

TEST(obj_reader, reads_all_index_styles_alike) {
    const std::string head =
        "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 0.5 0\nvn 1 0 0\nvn 0 0 1\n";
    const Mesh plain = parsed(head + "f 2/2/2 3/2/2 4/2/2\n");
    const Mesh negative = parsed(head + "f -3/-1/-1 -2/-1/-1 -1/-1/-1\n");
    EXPECT_EQ(plain.indices, negative.indices);
    ASSERT_EQ(plain.positions.size(), 3u);
    ASSERT_EQ(negative.positions.size(), 3u);
    for (const Mesh& mesh : {plain, negative})
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_LT(norm(mesh.positions[i]), 2);
            EXPECT_FLOAT_EQ(mesh.uvs[i].x, 0.5f);
            EXPECT_FLOAT_EQ(mesh.normals[i].z, 1);
        }
}

// Four of each, so that a number read from the next corner would be noticed.
TEST(obj_reader, reads_an_empty_index_as_missing) {
    std::string head = "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (int i = 0; i < 4; ++i) head += "vt 0.5 0.5\nvn 1 0 0\n";
    for (const char* face : {"f 2 3 4\n", "f 2/ 3/ 4/\n", "f 2// 3// 4//\n"}) {
        const Mesh mesh = parsed(head + face);
        ASSERT_EQ(mesh.positions.size(), 3u) << face;
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_FLOAT_EQ(mesh.uvs[i].x, 0) << face;
            EXPECT_FLOAT_EQ(mesh.normals[i].z, 1) << face;
        }
    }
    const Mesh mesh = parsed(head + "f 2/1/ 3/1/ 4/1/\n");
    EXPECT_FLOAT_EQ(mesh.uvs[0].x, 0.5f);
    EXPECT_FLOAT_EQ(mesh.normals[0].z, 1);
}

// Relative to the elements so far, not to the whole file.
TEST(obj_reader, counts_negative_indices_back_from_their_line) {
    const Mesh mesh =
        parsed("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\nv 6 5 5\nv 5 6 5\nf -3 -2 -1\n");
    EXPECT_FLOAT_EQ(mesh.corner(0, 1).x, 1);
    EXPECT_FLOAT_EQ(mesh.corner(1, 1).x, 6);
    EXPECT_NE(error_of("v 0 0 0\nf -1 -1 -2\nv 1 0 0\n").find(":2: "), std::string::npos);
}

TEST(obj_reader, accepts_faces_before_their_vertices) {
    EXPECT_EQ(parsed("f 1 2 3 4\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n").triangle_count(), 2);
}

TEST(obj_reader, accepts_blanks_line_ends_comments_and_unknown_lines) {
    const Mesh mesh = parsed(
        "\xef\xbb\xbf"
        "v 0 0 0\r\n"
        "  \tv\t1 \t 0  0 1.0\r\n"
        "# C:\\scans\\\r\n"
        "v 0 +1. 0 0.5 0.5 0.5 # coloured\n"
        "\n"
        "vt 0.5 # no v\ns off\nl 1 2\np 3\ncurv2 1 2 3\nvp 0.3\nfoo bar\nt a 9/9/9\nusemtl\ng\no\n"
        "f 1 2 \\\n"
        "  3 # the only face");
    ASSERT_EQ(mesh.triangle_count(), 1);
    EXPECT_FLOAT_EQ(mesh.corner(0, 1).x, 1);
    EXPECT_FLOAT_EQ(mesh.corner(0, 2).y, 1);
    EXPECT_EQ(mesh.triangle_group[0], -1);
    EXPECT_EQ(mesh.triangle_material[0], -1);
}

TEST(obj_reader, keeps_groups_and_materials_of_every_triangle) {
    const Mesh mesh = parsed(
        "mtllib any.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
        "f 1 2 3\n"
        "g scalp\nusemtl red paint \nf 1 2 3 4\n"
        "o head\nusemtl nowhere\nf 1 2 3\n"
        "g scalp\nusemtl red paint\nf 1 2 3\n"
        "g left  ear\nf 1 2 3\n",
        "newmtl other\nKd 1 1 1\nnewmtl red paint\nKa 1 1 1\nKd 0.5 0.25 0.125\nKs 1 1 1\n");
    expect_sound(mesh);
    EXPECT_EQ(mesh.groups, (std::vector<std::string>{"scalp", "head", "left ear"}));
    EXPECT_EQ(mesh.triangle_group, (std::vector<std::int32_t>{-1, 0, 0, 1, 0, 2}));
    EXPECT_EQ(mesh.triangle_material, (std::vector<std::int32_t>{-1, 0, 0, 1, 0, 0}));
    ASSERT_EQ(mesh.materials.size(), 2u);
    EXPECT_EQ(mesh.materials[0].name, "red paint");
    EXPECT_FLOAT_EQ(mesh.materials[0].colour.x, 0.5f);
    EXPECT_FLOAT_EQ(mesh.materials[0].colour.y, 0.25f);
    EXPECT_FLOAT_EQ(mesh.materials[0].colour.z, 0.125f);
    EXPECT_EQ(mesh.materials[1].name, "nowhere");
    EXPECT_FLOAT_EQ(mesh.materials[1].colour.x, Material{}.colour.x);
}

TEST(obj_reader, finds_material_libraries_in_the_folder_of_the_file) {
    const TempFolder folder;
    const std::string face = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n";
    ASSERT_TRUE(write_file(folder / "my colours.mtl", "newmtl m\r\nKd 0.5 0 0\r\n"));
    ASSERT_TRUE(write_file(folder / "b.mtl", "newmtl m\nKd 0.25 0 0"));
    for (const auto& [line, red] :
         {std::pair{"mtllib my colours.mtl\n", 0.5f}, std::pair{"mtllib none.mtl b.mtl\r\n", 0.25f},
          std::pair{"mtllib none.mtl\n", 0.8f}, std::pair{"mtllib .\nmtllib /dev/zero\n", 0.8f}}) {
        ASSERT_TRUE(write_file(folder / "a.obj", line + face));
        const Result<Mesh> mesh = read_obj(folder / "a.obj");
        ASSERT_TRUE(mesh) << mesh.error().text();
        EXPECT_FLOAT_EQ(mesh->materials.at(0).colour.x, red) << line;
    }
}

TEST(obj_reader, tolerates_flat_and_repeated_faces_and_unused_vertices) {
    const Mesh mesh = parsed(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 7 7 7\nf 1 1 1\nf 1 2 1 2\nf 1 2 3\nf 1 2 3\nf 3 2 1 2 3\n");
    expect_sound(mesh);
    EXPECT_EQ(mesh.triangle_count(), 1 + 2 + 1 + 1 + 3);
}

TEST(obj_reader, names_the_line_of_a_bad_index) {
    const std::string head = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n";
    for (const char* face :
         {"f 1 2 4", "f 1 2 0", "f 1 2 -4", "f 1/1 2/2 3/1", "f 1/0 2 3", "f 1//1 2//1 3//2",
          "f 1 2 2147483648", "f 1 2 -99999999999999", "f 1//-2 2 3", "f 1 2 x", "f 1 2 3.5",
          "f 1/1/1/1 2 3", "f /1 2 3", "f 1 2 3/a", "f - 2 3", "f // 2 3"}) {
        const std::string error = error_of(head + "f 1 2 3\n" + face + "\nf 1 2 3\n");
        EXPECT_NE(error.find("test.obj:7: "), std::string::npos) << face << " -> " << error;
    }
    EXPECT_NE(error_of(head + "f 1 2 9\n").find("vertex 9, of 3"), std::string::npos);
}

TEST(obj_reader, counts_lines_with_any_line_end) {
    EXPECT_NE(error_of("v 0 0 0\r\n\r\nf 1 1 2\r\n").find(":3: "), std::string::npos);
    EXPECT_NE(error_of("v 0 0 0\r\rf 1 1 2\r").find(":3: "), std::string::npos);
    EXPECT_NE(error_of("v 0 0 0\nf 1 \\\n 1 \\\n 1\nf 1 1 2").find(":5: "), std::string::npos);
}

TEST(obj_reader, names_the_line_of_bad_or_missing_numbers) {
    for (const char* line :
         {"v 0.1 0.2",       "v",          "v 1",         "v nan 0 0", "v 0 inf 0",
          "v 0 0 -Infinity", "v 1e39 0 0", "v 1e999 0 0", "v 0 0 z",   "v 0 0 1.5x",
          "v 1,2,3",         "vt",         "vt nan 0",    "vt 0 inf",  "vn 0 1",
          "v 0 0 # 1",       "f",          "f 1 2",       "f 1/",      "v 0x1p3 0 0"}) {
        const std::string error =
            error_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n" + std::string(line) + "\n");
        EXPECT_NE(error.find("test.obj:5: "), std::string::npos) << line << " -> " << error;
    }
}

TEST(obj_reader, rejects_numbers_with_too_many_digits) {
    const std::string one = "1" + std::string(310, '0') + "e-310";
    EXPECT_NE(error_of("v " + one + " 0 0\nf 1 1 1\n").find("finite"), std::string::npos);
}

TEST(obj_reader, rejects_files_without_faces) {
    for (const std::string& text :
         {std::string(), std::string("\n"), std::string("v 0 0 0\n"), std::string("hello, world"),
          std::string("\x89PNG\r\n\x1a\n"), std::string("v 0 0 0\0\nf 1 1 1\n", 17)})
        EXPECT_EQ(error_of(text).find("test.obj: "), 0u) << text;
}

TEST(obj_reader, names_a_file_that_is_missing_or_a_folder) {
    const TempFolder folder;
    for (const auto& path : {folder / "none.obj", folder / "."}) {
        const Result<Mesh> mesh = read_obj(path);
        ASSERT_FALSE(mesh);
        EXPECT_EQ(mesh.error().file, path.string());
    }
}

const std::string kSmall =
    "# small\nmtllib s.mtl\no box\nv 0 0 0\nv 1 0 0.5\nv 1 1 0\nv -0.5 1e-1 0\nvt 0 0\nvt 1 0.5\n"
    "vn 0 0 1\nvn 0 0.6 0.8\ng top\nusemtl red\nf 1/1/1 2/2/2 3/1/1 4/2/2\ng\nf -1 -2 \\\n -3\n"
    "usemtl blue\nf 1//1 2//2 3//1";
const std::string kSmallMtl =
    "newmtl red\nKd 1 0 0\nmap_Kd -o 1 1 1 a b.png\nnewmtl blue\nKd 0 0 1\n";

TEST(obj_reader, survives_every_truncation) {
    int whole = 0;
    for (std::size_t length = 0; length <= kSmall.size(); ++length) {
        const auto mesh = parse_obj(std::string_view(kSmall).substr(0, length), kSmallMtl, "cut");
        if (mesh) {
            ++whole;
            expect_sound(*mesh);
        }
    }
    EXPECT_GT(whole, 0);
    for (std::size_t length = 0; length <= kSmallMtl.size(); ++length)
        expect_sound(parsed(kSmall, kSmallMtl.substr(0, length)));
}

TEST(obj_reader, survives_flipped_bits) {
    std::mt19937 random(7);
    int good = 0, bad = 0;
    for (int round = 0; round < 2000; ++round) {
        std::string obj = kSmall, mtl = kSmallMtl;
        for (std::string* text : {&obj, &mtl})
            for (int flips = 0; flips < 1 + round % 3; ++flips)
                (*text)[random() % text->size()] ^= static_cast<char>(1u << random() % 8);
        const Result<Mesh> mesh = parse_obj(obj, mtl, "flipped");
        if (mesh) expect_sound(*mesh);
        ++(mesh ? good : bad);
    }
    EXPECT_GT(good, 100);
    EXPECT_GT(bad, 100);
}

TEST(obj_reader, objects_are_parts) {
    const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    const Mesh objects =
        parsed(corners + "o head\ng scalp\nf 1 2 3\ng face\nf 1 2 3\no eye left\nf 1 2 3\n");
    EXPECT_EQ(objects.parts, (std::vector<std::string>{"head", "eye left"}));
    EXPECT_EQ(objects.triangle_part, (std::vector<std::int32_t>{0, 0, 1}));
    const Mesh groups = parsed(corners + "f 1 2 3\ng scalp\nf 1 2 3\n");
    EXPECT_EQ(groups.parts, (std::vector<std::string>{"scalp", "(no name)"}));
    EXPECT_EQ(groups.triangle_part, (std::vector<std::int32_t>{1, 0}));
    for (const char* one : {"f 1 2 3\n", "o head\nf 1 2 3\nf 1 2 3\n"}) {
        const Mesh mesh = parsed(corners + one);
        EXPECT_TRUE(mesh.parts.empty());
        EXPECT_TRUE(mesh.triangle_part.empty());
    }
}

TEST(obj_reader, reads_vertex_colours) {
    const Mesh floats = parsed("v 0 0 0 1 0.5 0\nv 1 0 0 0 0 0\nv 0 1 0\nf 1 2 3\n");
    ASSERT_EQ(floats.colours.size(), 3u);
    EXPECT_NEAR(floats.colours[0].y, 0.2140f, 1e-4f) << "0.5 in sRGB";
    EXPECT_EQ(floats.colours[1].x, 0);
    EXPECT_EQ(floats.colours[2].z, 1) << "white where there is none";
    const Mesh bytes = parsed("v 0 0 0 255 128 0\nv 1 0 0 0 0 0\nv 0 1 0 1 1 1\nf 1 2 3\n");
    EXPECT_EQ(bytes.colours[0].x, 1);
    EXPECT_NEAR(bytes.colours[0].y, 0.2159f, 1e-4f);
    // A fourth number is the weight of the vertex.
    EXPECT_TRUE(parsed("v 0 0 0 1\nv 1 0 0 1\nv 0 1 0 1\nf 1 2 3\n").colours.empty());
}

TEST(obj_reader, reads_the_bust) {
    const Result<Mesh> bust = read_obj(std::string(kSourceFolder) + "/scenes/assets/bust.obj");
    ASSERT_TRUE(bust) << bust.error().text();
    expect_sound(*bust);
    bool scalp = false;
    for (const Material& m : bust->materials) scalp = scalp || m.name == "scalp";
    for (const std::string& g : bust->groups) scalp = scalp || g == "scalp";
    EXPECT_TRUE(scalp);
    for (const Vec2f& uv : bust->uvs) {
        EXPECT_GE(uv.x, 0);
        EXPECT_LE(uv.x, 1);
        EXPECT_GE(uv.y, 0);
        EXPECT_LE(uv.y, 1);
    }
    EXPECT_TRUE(is_closed(*bust));
    EXPECT_GT(signed_volume(*bust), 0);
    int agree = 0;
    for (int t = 0; t < bust->triangle_count(); ++t)
        agree += dot(area_normal(*bust, t),
                     bust->normals[bust->indices[static_cast<std::size_t>(t) * 3]]) >= 0;
    EXPECT_GT(agree, bust->triangle_count() * 99 / 100);
}

}  // namespace
}  // namespace ringlet
