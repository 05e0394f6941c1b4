// USD files: what the writer writes is read back bit by bit; the reader survives any text.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>

#include "base/files.h"
#include "io/groom_file.h"
#include "io/mesh_format.h"
#include "io/shot_format.h"
#include "io/usd/usd_groom.h"
#include "io/usd/usd_text.h"
#include "unit/groom_checks.h"
#include "unit/sphere_mesh.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

Result<StrandSet> parse_strands(const std::string& text, const std::string& name) {
    const Result<UsdaLayer> layer = parse_usda(text, name);
    if (!layer) return layer.error();
    return usd_strands(*layer, name);
}

// A layer with one prim of curves.
std::string curves_text(const std::string& attributes, const std::string& metadata = "") {
    return "#usda 1.0\n" + (metadata.empty() ? "" : "(\n" + metadata + "\n)\n") +
           "def BasisCurves \"hair\"\n{\n" + attributes + "}\n";
}

const std::string kTwoCurves =
    "    uniform token type = \"linear\"\n"
    "    int[] curveVertexCounts = [2, 3]\n"
    "    point3f[] points = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14)]\n";

// Three frames of strands, a head that turns and a collider that deforms.
struct SampleShot {
    StrandSet strands = some_strands({3, 2, 5});
    Mesh head = sphere_mesh({0, 0, 0}, 0.1f, 4), body = sphere_mesh({0, -1, 0}, 0.3f, 3);
    std::vector<Channel<3>> frames, velocities;
    std::vector<std::vector<Vec3f>> body_frames;
    ShotDescription shot;

    explicit SampleShot(int frame_count = 3) {
        for (int f = 0; f < frame_count; ++f) {
            frames.push_back(some_strands({3, 2, 5}, static_cast<unsigned>(10 + f)).position);
            velocities.push_back(some_strands({3, 2, 5}, static_cast<unsigned>(90 + f)).position);
            body_frames.push_back(body.positions);
            for (Vec3f& p : body_frames.back()) p.x += 0.1f * static_cast<float>(f);
        }
        strands.root_uv = {{0.25f, 0.5f}, {0.75f, 1}, {0.1f, 0.2f}};
        shot = describe_still(view_of(strands), strands.root_uv, "test");
        shot.groups = {{"fringe", 0, 1}, {"back of head", 1, 2, 1}};
        shot.frame_count = frame_count;
        shot.first_frame = 4;
        shot.fps = 30;
        shot.has_velocities = true;
        shot.meshes = {{"head", &head, false, true}, {"body", &body, true, false}};
        shot.camera = ShotCamera{};
        shot.lights = {{"Key"}, {"Fill", true}};
    }
    Rigidf pose(int f) const {
        return {quat_from_axis_angle(Vec3f{0, 1, 0}, 0.3f * static_cast<float>(f)),
                {0, 0.01f * static_cast<float>(f), 0}};
    }
    ShotFrame frame(int f) const {
        const auto k = static_cast<std::size_t>(f);
        return {shot.first_frame + f,
                &frames[k],
                &velocities[k],
                {{pose(f), {}}, {{}, body_frames[k]}}};
    }
    void write(const fs::path& path) const {
        const auto writer = shot_format_of(path)->open(path, shot, {});
        ASSERT_TRUE(writer) << writer.error().text();
        for (int f = 0; f < shot.frame_count; ++f) {
            Result<void> done = (*writer)->add_frame(frame(f));
            if (done) done = (*writer)->complete_frame();
            ASSERT_TRUE(done) << done.error().text();
        }
        const Result<void> done = (*writer)->finish();
        ASSERT_TRUE(done) << done.error().text();
    }
};

TEST(usd_file, every_float_is_read_back_from_its_text) {
    std::mt19937 random(5);
    for (int round = 0; round < 200'000; ++round) {
        const auto bits = static_cast<std::uint32_t>(random());
        const float value = std::bit_cast<float>(bits);
        if (!std::isfinite(value)) continue;
        UsdStream text;
        text.number(value);
        const double read = std::strtod(text.str().c_str(), nullptr);
        ASSERT_TRUE(same_bits(static_cast<float>(read), value)) << text.str();
    }
}

TEST(usd_file, strands_keep_their_bits_widths_colours_and_uvs) {
    const TempFolder folder;
    StrandSet strands = some_strands({4, 2, 9, 3});
    strands.root_uv = {{0.25f, 0.5f}, {0.75f, 1}, {0.1f, 0.2f}, {1e-7f, -3}};
    ASSERT_TRUE(write_groom(folder / "a.usda", strands, "a \"remark\""));
    const Result<StrandSet> back = read_groom(folder / "a.usda");
    ASSERT_TRUE(back) << back.error().text();
    expect_same_positions(strands, *back);
    expect_same_appearance(strands, *back);
    ASSERT_EQ(back->root_uv.size(), 4u);
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_TRUE(same_bits(back->root_uv[k].x, strands.root_uv[k].x));
        EXPECT_TRUE(same_bits(back->root_uv[k].y, strands.root_uv[k].y));
    }
}

TEST(usd_file, a_shot_is_read_back_with_its_moving_meshes) {
    const TempFolder folder;
    const SampleShot sample;
    sample.write(folder / "shot.usda");
    const Result<StrandSet> strands = read_groom(folder / "shot.usda");
    ASSERT_TRUE(strands) << strands.error().text();
    StrandSet first = sample.strands;
    first.position = sample.frames[0];
    expect_same_positions(first, *strands);
    expect_same_appearance(first, *strands);

    const Result<Mesh> mesh = read_mesh(folder / "shot.usda");
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_EQ(mesh->parts, (std::vector<std::string>{"head", "body"}));
    EXPECT_EQ(mesh->triangle_count(), sample.head.triangle_count() + sample.body.triangle_count());
    EXPECT_EQ(mesh->file_unit_metres, 1);
    EXPECT_EQ(mesh->file_up.y, 1);
    ASSERT_EQ(mesh->animations.size(), 1u);
    EXPECT_FLOAT_EQ(mesh->animations[0].seconds, 2.0f / 30);
    const Result<MeshFrames> moves = read_animation(folder / "shot.usda", *mesh, 0);
    ASSERT_TRUE(moves) << moves.error().text();
    EXPECT_EQ(moves->fps, 30);
    ASSERT_EQ(moves->frames.size(), 3u);
    for (int f = 0; f < 3; ++f) {
        const std::vector<Vec3f>& now = moves->frames[static_cast<std::size_t>(f)];
        ASSERT_EQ(now.size(), mesh->positions.size());
        for (int t = 0; t < mesh->triangle_count(); ++t)
            for (int k = 0; k < 3; ++k) {
                const Vec3f p = now[mesh->indices[static_cast<std::size_t>(3 * t + k)]];
                const int own = t - sample.head.triangle_count();
                if (own < 0) {
                    const Vec3f expected = apply(sample.pose(f), sample.head.corner(t, k));
                    ASSERT_LT(norm(p - expected), 1e-6f);
                } else {
                    const auto index = sample.body.indices[static_cast<std::size_t>(3 * own + k)];
                    ASSERT_TRUE(
                        same_bits(p, sample.body_frames[static_cast<std::size_t>(f)][index]));
                }
            }
    }
}

TEST(usd_file, a_shot_states_names_ids_guides_and_times) {
    const TempFolder folder;
    const SampleShot sample;
    sample.write(folder / "shot.usda");
    const std::string text = *read_file(folder / "shot.usda");
    for (const char* part :
         {"defaultPrim = \"Shot\"", "startTimeCode = 4", "endTimeCode = 6",
          "timeCodesPerSecond = 30", "def BasisCurves \"back_of_head\"",
          "primvars:groom_group_name = \"back of head\"", "primvars:groom_id = [1, 2]",
          "primvars:groom_guide = [1, 0]", "velocities.timeSamples", "def Camera \"Camera\"",
          "def DistantLight \"Key\"", "def DomeLight \"Fill\"", "apiSchemas = [\"GroomAPI\"]",
          "wrap = \"pinned\"", "curveVertexCounts = [2, 5]"})
        EXPECT_SAYS(text, part);
}

TEST(usd_file, centimetres_and_z_up_come_back_as_metres_and_y_up) {
    const TempFolder folder;
    SampleShot sample(1);
    sample.shot.has_velocities = false;
    sample.shot.axes = {0.01, true};
    sample.write(folder / "shot.usda");
    EXPECT_SAYS(*read_file(folder / "shot.usda"), "upAxis = \"Z\"");
    const Result<StrandSet> back = read_groom(folder / "shot.usda");
    ASSERT_TRUE(back) << back.error().text();
    for (int s = 0; s < 3; ++s)
        for (int i = 0; i < back->layout->vertex_count(s); ++i) {
            EXPECT_LT(norm(back->position.vec3(s, i) - sample.frames[0].vec3(s, i)), 1e-6f);
            EXPECT_NEAR(back->radius.at(s, i), sample.strands.radius.at(s, i), 1e-6);
        }
}

TEST(usd_file, a_long_shot_is_written_frame_by_frame_and_survives_its_end) {
    const TempFolder folder;
    const fs::path path = folder / "long.usda", clips = folder / "long.clips";
    SampleShot sample(2);
    sample.shot.frame_count = 1'000'000;  // expected frames; two arrive
    {
        const auto writer = shot_format_of(path)->open(path, sample.shot, {});
        ASSERT_TRUE(writer) << writer.error().text();
        EXPECT_TRUE((*writer)->keeps_frames());
        EXPECT_FALSE(fs::exists(path));
        for (int f = 0; f < 2; ++f) {
            ASSERT_TRUE((*writer)->add_frame(sample.frame(f)));
            ASSERT_TRUE((*writer)->complete_frame());
            EXPECT_SAYS(*read_file(path), "endTimeCode = " + std::to_string(4 + f));
        }
    }
    std::set<std::string> files;
    for (const auto& entry : fs::directory_iterator(clips))
        files.insert(entry.path().filename().string());
    EXPECT_EQ(files, (std::set<std::string>{"constants.usda", "manifest.usda", "frame.0004.usda",
                                            "frame.0005.usda"}));
    EXPECT_SAYS(*read_file(clips / "frame.0005.usda"), "5: [(");
    // A shorter shot of the same name replaces all frames.
    const auto writer = shot_format_of(path)->open(path, sample.shot, {});
    ASSERT_TRUE(writer);
    EXPECT_FALSE(fs::exists(clips / "frame.0005.usda"));
}

TEST(usd_file, memory_of_a_long_shot_does_not_grow) {
    const TempFolder folder;
    const fs::path path = folder / "long.usda";
    const StrandSet strands = some_strands(std::vector<int>(2000, 16));
    ShotDescription shot = describe_still(view_of(strands), {}, "test");
    shot.frame_count = 100;
    const auto writer = shot_format_of(path)->open(path, shot, {});
    ASSERT_TRUE(writer);
    for (int f = 0; f < 4; ++f) {
        const std::size_t memory = counted_memory::peak_of([&] {
            EXPECT_TRUE((*writer)->add_frame({f, &strands.position, nullptr, {}}));
            EXPECT_TRUE((*writer)->complete_frame());
        });
        EXPECT_LT(memory, 3u << 20);  // the text of a frame has 1.2 MB, the buffer a megabyte
    }
    EXPECT_EQ(counted_memory::peak_of([] {}), 0u);
}

TEST(usd_file, refuses_every_truncation) {
    const TempFolder folder;
    SampleShot sample(2);
    sample.shot.meshes.clear();
    sample.write(folder / "a.usda");
    const std::string text = *read_file(folder / "a.usda");
    const std::string whole = text.substr(0, text.rfind('}') + 1);
    EXPECT_TRUE(parse_strands(whole, "whole"));
    EXPECT_EQ(survive_truncations(whole, parse_strands).good, 0);
}

TEST(usd_file, survives_flipped_bits) {
    const TempFolder folder;
    SampleShot sample(2);
    sample.write(folder / "a.usda");
    const std::string text = *read_file(folder / "a.usda");
    const Survived flipped = survive_flipped_bits(text, 1500, parse_strands);
    EXPECT_GT(flipped.bad, 300);
    EXPECT_GT(flipped.good, 100);
}

TEST(usd_file, errors_name_line_and_column) {
    const Result<StrandSet> broken = parse_strands(
        "#usda 1.0\ndef BasisCurves \"a\"\n{\n    point3f[] points = [(0, 1, 2), (3, 4 5)]\n}\n",
        "a");
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().text(), "a:4:42: expected \",\", found \"5\"");
}

TEST(usd_file, refuses_absurd_counts_and_values) {
    const auto says = [](const std::string& attributes, const char* part) {
        EXPECT_SAYS(error_of(curves_text(attributes), parse_strands), part);
    };
    const std::string points = "    point3f[] points = [(0, 1, 2), (3, 4, 5)]\n";
    const std::string linear = "    uniform token type = \"linear\"\n" + points;
    says(linear + "    int[] curveVertexCounts = [2000000000, 2]\n", "65536");
    says(linear + "    int[] curveVertexCounts = [-2, 4]\n", "a curve of -2 points");
    says(linear + "    int[] curveVertexCounts = [0, 2]\n", "a curve of 0 points");
    says(linear + "    int[] curveVertexCounts = [3]\n", "add up to 3");
    says(linear + "    int[] curveVertexCounts = [2.5]\n", "whole number");
    says(linear + "    int[] curveVertexCounts = [99999999999]\n", "whole number");
    says(linear, "add up to 0");
    says(linear + "    int[] curveVertexCounts = [2]\n    float[] widths = [1, 2, 3]\n",
         "3 values of widths for 1 curves with 2 points");
    says(points + "    int[] curveVertexCounts = [2]\n", "2 points, which its type does not allow");
    says(linear + "    int[] curveVertexCounts = [2]\n    uniform token wrap = \"periodic\"\n",
         "closed curves");
    says("    point3f[] points = [(0, 1, 1e39)]\n", "range of float");
    says("    point3f[] points = [(0, 1, 1e999)]\n", "out of range");
    says(
        "    uniform token type = \"linear\"\n    int[] curveVertexCounts = [1]\n"
        "    point3f[] points = [(0, 1, nan)]\n",
        "not a finite number");
    says("", "no curves");
    EXPECT_SAYS(error_of("#usda 1.0\n", parse_strands), "no curves");
    EXPECT_SAYS(error_of("PXR-USDC", parse_strands), "#usda 1.0");
    EXPECT_SAYS(error_of(curves_text("", "    metersPerUnit = 0"), parse_strands), "above 0");
    EXPECT_SAYS(error_of(curves_text("", "    upAxis = \"X\""), parse_strands), "up axis");
}

TEST(usd_file, refuses_deep_nesting) {
    std::string prims = "#usda 1.0\n", brackets = "#usda 1.0\n(\n    a = ";
    for (int k = 0; k < 100'000; ++k) {
        prims += "def \"a\" {";
        brackets += '[';
    }
    EXPECT_SAYS(error_of(prims, parse_strands), "nested prims");
    EXPECT_SAYS(error_of(brackets, parse_strands), "nested brackets");
}

TEST(usd_file, applies_transforms_units_and_axes) {
    const std::string text =
        "#usda 1.0\n(\n    metersPerUnit = 0.5\n    upAxis = \"Z\"\n)\n"
        "def Xform \"a\"\n{\n"
        "    double3 xformOp:translate = (10, 0, 0)\n"
        "    float xformOp:rotateZ = 90\n"
        "    float3 xformOp:scale = (2, 2, 2)\n"
        "    uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateZ\", "
        "\"xformOp:scale\"]\n"
        "    def BasisCurves \"hair\"\n    {\n"
        "        uniform token type = \"linear\"\n"
        "        int[] curveVertexCounts = [2]\n"
        "        point3f[] points = [(1, 0, 0), (0, 1, 3)]\n"
        "        float[] widths = [0.1] (\n            interpolation = \"constant\"\n        )\n"
        "        float3 xformOp:translate:pivot = (5, 5, 5)\n"
        "        uniform token[] xformOpOrder = [\"xformOp:translate:pivot\", "
        "\"!invert!xformOp:translate:pivot\"]\n"
        "    }\n}\n";
    const Result<StrandSet> strands = parse_strands(text, "a");
    ASSERT_TRUE(strands) << strands.error().text();
    // (1, 0, 0) is scaled to (2, 0, 0), turned to (0, 2, 0) and moved to (10, 2, 0), Z up.
    EXPECT_LT(norm(strands->position.vec3(0, 0) - Vec3f{5, 0, -1}), 1e-5f);
    EXPECT_LT(norm(strands->position.vec3(0, 1) - Vec3f{4, 3, 0}), 1e-5f);
    EXPECT_NEAR(strands->radius.at(0, 1), 0.05f, 1e-6f);
    const std::string unknown =
        "    float xformOp:twist = 1\n    uniform token[] xformOpOrder = "
        "[\"xformOp:twist\"]\n";
    EXPECT_SAYS(error_of(curves_text(kTwoCurves + unknown), parse_strands), "xformOp:twist");
}

TEST(usd_file, takes_vertices_that_lie_on_the_curve) {
    const auto vertices = [](const std::string& basis, const std::string& wrap) {
        const std::string text =
            curves_text("    uniform token type = \"cubic\"\n    uniform token basis = \"" + basis +
                        "\"\n    uniform token wrap = \"" + wrap +
                        "\"\n    int[] curveVertexCounts = [4]\n"
                        "    point3f[] points = [(0, 0, 0), (6, 0, 0), (12, 6, 0), (18, 0, 0)]\n");
        const Result<StrandSet> strands = parse_strands(text, "a");
        std::vector<float> out;
        if (!strands) return out;
        for (int i = 0; i < strands->layout->vertex_count(0); ++i)
            for (const int axis : {0, 1}) out.push_back(strands->position.at(0, i, axis));
        return out;
    };
    using Floats = std::vector<float>;
    EXPECT_EQ(vertices("catmullRom", "pinned"), (Floats{0, 0, 6, 0, 12, 6, 18, 0}));
    EXPECT_EQ(vertices("catmullRom", "nonperiodic"), (Floats{6, 0, 12, 6}));
    EXPECT_EQ(vertices("bezier", "nonperiodic"), (Floats{0, 0, 18, 0}));
    EXPECT_EQ(vertices("bspline", "nonperiodic"), (Floats{6, 1, 12, 4}));
    EXPECT_EQ(vertices("bspline", "pinned"), (Floats{0, 0, 6, 1, 12, 4, 18, 0}));
}

TEST(usd_file, skips_what_it_does_not_need) {
    const std::string more =
        "    custom dictionary settings = { string a = \"}\"; double b = 3 }\n"
        "    rel material:binding = </Looks/a> (bindMaterialAs = \"weakerThanDescendants\")\n"
        "    token inputs:a.connect = </Looks/b.outputs:c>\n"
        "    string note = \"\"\"two\nlines \\\" \"\"\"  # a comment ] }\n"
        "    asset file = @a.png@\n    bool flag = true\n"
        "    reorder properties = [\"a\"]\n"
        "    def Scope \"inner\" (\n        prepend apiSchemas = [\"A\"]\n        customData = { "
        "int a = 1 }\n    )\n    {\n    }\n";
    const Result<StrandSet> strands = parse_strands(curves_text(kTwoCurves + more), "a");
    ASSERT_TRUE(strands) << strands.error().text();
    EXPECT_EQ(strands->strand_count(), 2);
    EXPECT_EQ(strands->position.at(1, 2, 2), 14);
    const std::string inactive = "#usda 1.0\ndef BasisCurves \"a\" (\n    active = false\n)\n{\n" +
                                 kTwoCurves + "}\nclass BasisCurves \"b\"\n{\n" + kTwoCurves +
                                 "}\n";
    EXPECT_SAYS(error_of(inactive, parse_strands), "no curves");
}

// Without python3 in PATH, OpenUSD cannot be found.
TEST(usd_file, says_what_needs_openusd) {
    const TempFolder folder;
    const std::string before = std::getenv("PATH");
    ::setenv("PATH", folder.operator/("").c_str(), 1);
    const std::string stage = "#usda 1.0\n(\n    subLayers = [@other.usda@]\n)\n";
    ASSERT_TRUE(write_file(folder / "a.usda", stage));
    const Result<StrandSet> layers = read_groom(folder / "a.usda");
    const Result<void> written = write_groom(folder / "b.usdc", some_strands({3}));
    ::setenv("PATH", before.c_str(), 1);
    ASSERT_FALSE(layers);
    EXPECT_SAYS(layers.error().text(),
                "a.usda:3: refers to other layers or variants by \"subLayers\"");
    EXPECT_SAYS(layers.error().message, "pip install usd-core");
    ASSERT_FALSE(written);
    EXPECT_SAYS(written.error().message, "pip install usd-core");
    fs::remove(folder / "a.usda");
    EXPECT_TRUE(folder.is_empty());
}

}  // namespace
}  // namespace ringlet
