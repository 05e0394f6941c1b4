#include <gtest/gtest.h>

#include "groom_checks.h"
#include "io/polyline/obj_strands.h"
#include "io/polyline/ply_file.h"
#include "temp_folder.h"

namespace ringlet {
namespace {

using Chains = std::vector<std::vector<float>>;

// The strands as the x of their vertices: in the files below the x of vertex n is n.
Chains chains_of(const Result<StrandSet>& strands) {
    Chains out;
    EXPECT_TRUE(strands) << (strands ? "" : strands.error().text());
    for (int s = 0; strands && s < strands->strand_count(); ++s) {
        out.emplace_back();
        for (int i = 0; i < strands->layout->vertex_count(s); ++i)
            out.back().push_back(strands->position.at(s, i, 0));
    }
    return out;
}

std::string obj_vertices(int first, int last) {
    std::string out;
    for (int i = first; i <= last; ++i) out += "v " + std::to_string(i) + " 0.5 -1e-3\n";
    return out;
}

Chains obj_chains(const std::string& lines) {
    return chains_of(parse_obj_strands(obj_vertices(1, 9) + lines, "lines.obj"));
}

TEST(obj_strands, round_trip_keeps_every_bit) {
    const TempFolder folder;
    const StrandSet strands = some_strands({3, 1, 5, 2, 2, 1});
    ASSERT_TRUE(write_obj_strands(folder / "a.obj", view_of(strands)));
    const Result<StrandSet> back = read_obj_strands(folder / "a.obj");
    ASSERT_TRUE(back) << back.error().text();
    expect_same_positions(strands, *back);
}

TEST(obj_strands, have_one_line_each) {
    StrandSet strands{StrandLayout(std::vector<int>{3, 1})};
    strands.position.set_vec3(0, 1, {0.1f, -2, 1e-10f});
    EXPECT_EQ(format_obj_strands(view_of(strands)),
              "v 0 0 0\nv 0.1 -2 1e-10\nv 0 0 0\nv 0 0 0\nl 1 2 3\np 4\n");
}

TEST(obj_strands, are_lines_of_many_vertices) {
    EXPECT_EQ(obj_chains("l 1 2 3\nl 3 4 5\np 6 7\n"), (Chains{{1, 2, 3}, {3, 4, 5}, {6}, {7}}));
}

TEST(obj_strands, are_joined_from_segments_that_share_ends) {
    EXPECT_EQ(obj_chains("l 1 2\nl 2 3\nl 3 4\nl 5 6\nl 6 7\n"), (Chains{{1, 2, 3, 4}, {5, 6, 7}}));
    EXPECT_EQ(obj_chains("l 2 1\nl 3 2\nl 4 3\n"), (Chains{{1, 2, 3, 4}}));
    EXPECT_EQ(obj_chains("l 1 2\nl 3 2\nl 3 4\n"), (Chains{{1, 2, 3, 4}}));
}

TEST(obj_strands, are_not_joined_across_groups_and_shared_starts) {
    EXPECT_EQ(obj_chains("l 1 2\nl 1 3\nl 1 4\n"), (Chains{{1, 2}, {1, 3}, {1, 4}}));
    EXPECT_EQ(obj_chains("l 1 2 3\nl 3 4\n"), (Chains{{1, 2, 3}, {3, 4}}));
    EXPECT_EQ(obj_chains("l 1 2\no next\nl 2 3\n"), (Chains{{1, 2}, {2, 3}}));
    EXPECT_EQ(obj_chains("l 1 2\np 9\nl 2 3\n"), (Chains{{1, 2}, {9}, {2, 3}}));
}

TEST(obj_strands, may_use_negative_and_forward_indices) {
    EXPECT_EQ(chains_of(parse_obj_strands("l 1 2\n" + obj_vertices(1, 3) + "l -3 -2 -1\n" +
                                              obj_vertices(4, 4) + "l -2 -1\n",
                                          "mixed.obj")),
              (Chains{{1, 2}, {1, 2, 3}, {3, 4}}));
}

TEST(obj_strands, may_be_mixed_with_faces_comments_uvs_and_long_lines) {
    EXPECT_EQ(obj_chains("f 1 2 3\nvt 0 0\nl 1/1 2/1 \\\r\n 3/1 # 4\n# l 5 6\ns off\n"),
              (Chains{{1, 2, 3}}));
}

TEST(obj_strands, errors_name_the_line) {
    const auto line_of = [](const std::string& lines, const char* part) {
        const Result<StrandSet> read = parse_obj_strands(obj_vertices(1, 3) + lines, "a.obj");
        EXPECT_FALSE(read) << lines;
        if (read) return 0;
        EXPECT_SAYS(read.error().message, part);
        return read.error().line;
    };
    EXPECT_EQ(line_of("l 1 2\nl 1 4\n", "vertex 4, of 3"), 5);
    EXPECT_EQ(line_of("l 1 0\n", "counted from 1"), 4);
    EXPECT_EQ(line_of("l 1 -4\n", "of 3 so far"), 4);
    EXPECT_EQ(line_of("l 1 x\n", "\"x\""), 4);
    EXPECT_EQ(line_of("l 1 99999999999\n", "number of a vertex"), 4);
    EXPECT_EQ(line_of("l 1\n", "2 are needed"), 4);
    EXPECT_EQ(line_of("v 1 2\n", "2 of its 3"), 4);
    EXPECT_EQ(line_of("v 1 2 nan\n", "finite"), 4);
    EXPECT_EQ(line_of("v 1 2 1e39\n", "finite"), 4);
    EXPECT_EQ(line_of("f 1 2 3\n", "no polylines"), 0);
}

TEST(obj_strands, may_share_only_a_limited_number_of_vertices) {
    std::string lines;
    for (int i = 0; i < 100; ++i) lines += "l 1 2 3\n";
    EXPECT_SAYS(error_of(obj_vertices(1, 3) + lines, parse_obj_strands), "300 times");
}

TEST(obj_strands, survive_truncation_and_flipped_bits) {
    const std::string text = format_obj_strands(view_of(some_strands({3, 1, 5, 2})));
    const Survived cut = survive_truncations(text, parse_obj_strands);
    EXPECT_GT(cut.bad, 100);
    EXPECT_SAYS(error_of("", parse_obj_strands), "no polylines");
    const Survived survived = survive_flipped_bits(text, text.size(), parse_obj_strands);
    EXPECT_GT(survived.good, 100);
    EXPECT_GT(survived.bad, 100);
}

// Vertices numbered from 0, as in PLY; the x of vertex n is n.
std::string ascii_ply(int vertices, const std::string& element, const std::string& body) {
    std::string out =
        "ply\nformat ascii 1.0\ncomment by hand\nelement vertex " + std::to_string(vertices) +
        "\nproperty float x\nproperty float y\nproperty float z\n" + element + "end_header\n";
    for (int i = 0; i < vertices; ++i) out += std::to_string(i) + " 0.5 -1e-3\n";
    return out + body;
}

std::string edge_element(int count) {
    return "element edge " + std::to_string(count) +
           "\nproperty int vertex1\nproperty int vertex2\n";
}

TEST(ply_file, round_trip_keeps_every_bit) {
    const TempFolder folder;
    const StrandSet strands = some_strands({3, 1, 5, 2, 2, 1});
    ASSERT_TRUE(write_ply(folder / "a.ply", view_of(strands)));
    const Result<StrandSet> back = read_ply(folder / "a.ply");
    ASSERT_TRUE(back) << back.error().text();
    expect_same_positions(strands, *back);
    expect_same_appearance(strands, *back);
}

TEST(ply_file, omits_colour_and_radius_if_all_are_zero) {
    const StrandSet strands{StrandLayout(std::vector<int>{3, 1})};
    const std::string bytes = format_ply(view_of(strands));
    EXPECT_EQ(bytes.find("red"), std::string::npos);
    EXPECT_EQ(bytes.find("radius"), std::string::npos);
    EXPECT_EQ(bytes.size() - (bytes.find("end_header\n") + 11), 4u * 12 + 2 * 8);
}

TEST(ply_file, traces_edges_in_any_order) {
    EXPECT_EQ(chains_of(parse_ply(ascii_ply(7, edge_element(4), "5 4\n2 1\n1 0\n6 5\n"), "a.ply")),
              (Chains{{0, 1, 2}, {3}, {4, 5, 6}}));
}

TEST(ply_file, reads_lists_of_strands) {
    for (const std::string name : {"strand", "curve"})
        for (const std::string list : {"vertex_indices", "vertex_index"}) {
            const std::string element =
                "element " + name + " 3\nproperty list uchar int " + list + "\n";
            EXPECT_EQ(chains_of(parse_ply(ascii_ply(6, element, "3 5 4 3\n1 0\n2 1 2"), "a.ply")),
                      (Chains{{5, 4, 3}, {0}, {1, 2}}));
        }
}

TEST(ply_file, reads_bytes_as_srgb_and_ignores_other_properties) {
    std::string bytes =
        "ply\r\nformat binary_little_endian 1.0\r\nelement camera 1\r\nproperty list uchar short "
        "a\r\nproperty double b\r\nelement vertex 2\r\nproperty uchar red\r\nproperty uchar "
        "green\r\nproperty uchar blue\r\nproperty list uint8 int8 tags\r\nproperty double "
        "x\r\nproperty float32 y\r\nproperty int16 z\r\nproperty float radius\r\n"
        "element edge 1\r\nproperty uint vertex1\r\nproperty uchar vertex2\r\nelement face 1\r\n"
        "property list uchar int vertex_indices\r\nend_header\r\n";
    bytes += std::string("\2abcd", 5) + std::string(8, '\0');
    for (int i = 0; i < 2; ++i) {
        bytes += std::string("\xff\x80\0", 3) + std::string("\3xyz", 4);
        put(bytes, bytes.size(), 0.5 + i);
        put(bytes, bytes.size(), 0.25f);
        put(bytes, bytes.size(), std::int16_t{-300});
        put(bytes, bytes.size(), 0.125f);
    }
    put(bytes, bytes.size(), std::uint32_t{1});
    bytes += '\0';
    const Result<StrandSet> strands = parse_ply(bytes, "mixed.ply");
    ASSERT_TRUE(strands) << strands.error().text();
    ASSERT_EQ(strands->strand_count(), 1);
    EXPECT_EQ(strands->position.at(0, 1, 0), 1.5f);
    EXPECT_EQ(strands->position.at(0, 1, 1), 0.25f);
    EXPECT_EQ(strands->position.at(0, 1, 2), -300.0f);
    EXPECT_EQ(strands->radius.at(0, 1), 0.125f);
    EXPECT_EQ(strands->colour.at(0, 1, 0), 1.0f);
    EXPECT_NEAR(strands->colour.at(0, 1, 1), 0.2158605f, 1e-6f);
    EXPECT_EQ(strands->colour.at(0, 1, 2), 0.0f);
}

TEST(ply_file, rejects_edges_that_do_not_form_strands) {
    const auto error = [](int count, const std::string& body) {
        return error_of(ascii_ply(4, edge_element(count), body), parse_ply);
    };
    EXPECT_SAYS(error(3, "0 1\n1 2\n1 3\n"), "vertex 1 has more than two");
    EXPECT_SAYS(error(3, "1 2\n2 3\n3 1\n"), "through vertex 1 form a closed loop");
    EXPECT_SAYS(error(2, "1 2\n2 1\n"), "form a closed loop");
    EXPECT_SAYS(error(1, "2 2\n"), "to itself");
    for (const std::string edge : {"0 4\n", "-1 0\n", "0 1.5\n", "nan 1\n", "1e300 1\n"})
        EXPECT_SAYS(error(1, edge), "not one of the 4") << edge;
    EXPECT_SAYS(error(2, "0 1\n"), "cut short");
    EXPECT_SAYS(error(1, "0 x1\n"), "cut short");
    EXPECT_EQ(error(1, "0 1"), "no error");
}

TEST(ply_file, rejects_unusable_headers) {
    const auto error = [](const std::string& header) {
        return error_of("ply\n" + header + "end_header\n", parse_ply);
    };
    const std::string ascii = "format ascii 1.0\n";
    EXPECT_SAYS(error_of("plx\n", parse_ply), "not a PLY file");
    EXPECT_SAYS(error_of("ply\nformat ascii 1.0\n", parse_ply), "no end_header");
    EXPECT_SAYS(error("format binary_middle_endian 1.0\n"), "binary_big_endian");
    EXPECT_SAYS(error("format xml 1.0\n"), "\"xml\"");
    EXPECT_SAYS(error(edge_element(0)), "no format");
    EXPECT_SAYS(error(ascii), "neither edges");
    EXPECT_SAYS(error(ascii + edge_element(0)), "before its vertices");
    EXPECT_SAYS(error(ascii + "element edge 4000000000\n"), "no properties");
    EXPECT_SAYS(error(ascii + "element edge many\n"), "\"many\"");
    EXPECT_SAYS(error(ascii + "property float x\n"), "before any element");
    EXPECT_SAYS(error(ascii + "element a 1\nproperty half x\n"), "\"half\"");
    EXPECT_SAYS(error(ascii + "element a 1\nproperty list float int x\n"), "\"float\"");
    EXPECT_SAYS(error(ascii + "element vertex 0\nproperty float x\n" + edge_element(0)), "x, y");
    EXPECT_SAYS(error_of(ascii_ply(1, "element edge 0\nproperty int a\n", ""), parse_ply),
                "vertex1");
    EXPECT_SAYS(error_of(ascii_ply(1, "element curve 0\nproperty int a\n", ""), parse_ply),
                "no list vertex_indices");
    EXPECT_SAYS(error_of(ascii_ply(1, "element curve 1\nproperty list int int vertex_index\n", "0"),
                         parse_ply),
                "no vertices");
    EXPECT_SAYS(error("what 1\n"), "\"what\"");
}

TEST(ply_file, allocates_nothing_for_missing_elements) {
    for (const std::string count : {"4294967295", "1000000000", "18446744073709551615"})
        for (const std::string format : {"ascii", "binary_little_endian"})
            for (const std::string many : {"vertex", "edge", "other", "strand", "items"}) {
                const auto of = [&](const std::string& name) {
                    return "element " + name + " " + (many == name ? count : "1") + "\n";
                };
                std::string bytes = "ply\nformat " + format + " 1.0\n" + of("vertex") +
                                    "property uchar x\nproperty uchar y\nproperty uchar z\n" +
                                    of("other") + "property uchar a\n";
                const bool lists = many == "strand" || many == "items";
                bytes += lists ? of("strand") + "property list uint uchar vertex_indices\n"
                               : of("edge") + "property uchar vertex1\nproperty uchar vertex2\n";
                bytes += "end_header\n";
                if (format == "ascii")
                    bytes += "0 0 0\n0\n" + (many == "items" ? count : std::string("0")) + " 0 0 ";
                else
                    bytes += std::string(4, '\0') + std::string(4, many == "items" ? '\xff' : '\0');
                for (const char filling : {'\0', '0', ' '}) {
                    std::string filled = bytes;
                    filled.resize(1024, filling);
                    EXPECT_NE(error_of(filled, parse_ply), "no error") << format << " " << many;
                }
            }
}

TEST(ply_file, rejects_every_truncation) {
    const std::string bytes = format_ply(view_of(some_strands({3, 1, 5, 2})));
    EXPECT_EQ(survive_truncations(bytes, parse_ply).good, 0);
    EXPECT_TRUE(parse_ply(bytes, "whole"));
    const std::string ascii = ascii_ply(5, edge_element(3), "0 1\n1 2\n3 4\n");
    EXPECT_LE(survive_truncations(ascii, parse_ply).good, 1);  // without the last line end

    std::string lists =
        "ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty uchar x\nproperty uchar "
        "y\nproperty uchar z\nelement strand 1\nproperty list uchar int "
        "vertex_indices\nend_header\n";
    lists += std::string("abcdef\2\1\0\0\0\0\0\0\0", 15);
    EXPECT_EQ(survive_truncations(lists, parse_ply).good, 0);
    EXPECT_EQ(chains_of(parse_ply(lists, "whole")), (Chains{{'d', 'a'}}));
}

TEST(ply_file, rejects_numbers_that_are_not_finite) {
    for (const std::string number : {"1e39", "nan", "inf"}) {
        const std::string bytes =
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\n"
            "property double y\nproperty double z\n" +
            edge_element(0) + "end_header\n0 " + number + " 0\n";
        EXPECT_SAYS(error_of(bytes, parse_ply), "strand 0, point 0") << number;
    }
}

TEST(ply_file, survives_flipped_bits) {
    const std::string binary = format_ply(view_of(some_strands({3, 1, 5, 2})));
    const std::string ascii = ascii_ply(
        5, "element strand 2\nproperty list uchar int vertex_index\n", "3 0 1 2\n2 3 4\n");
    for (const std::string& whole : {binary, ascii}) {
        const Survived survived =
            survive_flipped_bits(whole, whole.find("end_header") + 20, parse_ply);
        EXPECT_GT(survived.good, 50);
        EXPECT_GT(survived.bad, 100);
    }
}

}  // namespace
}  // namespace ringlet
