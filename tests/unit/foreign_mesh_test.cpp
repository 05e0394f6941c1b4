// Meshes in the formats that a process of its own reads: glTF and FBX. The tests of
// broken files are in mesh_fuzz_test.cpp.
#include "io/foreign/foreign_mesh.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <numbers>

#include "base/files.h"
#include "io/foreign/decode_mesh.h"
#include "io/foreign/mesh_message.h"
#include "io/image/image_file.h"
#include "io/mesh_format.h"
#include "ringlet/jobs.h"
#include "unit/fbx_sample.h"
#include "unit/glb_sample.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;
using Json = GlbSample::Json;

class ForeignMesh : public testing::Test {
protected:
    fs::path put(const std::string& name, const std::string& bytes) const {
        const Result<void> done = write_file(folder_ / name, bytes);
        EXPECT_TRUE(done);
        return folder_ / name;
    }
    Mesh read(const std::string& name, const std::string& bytes) const {
        const Result<Mesh> mesh = read_mesh(put(name, bytes));
        if (mesh) return *mesh;
        ADD_FAILURE() << mesh.error().text();
        return {};
    }
    std::string error_of(const std::string& name, const std::string& bytes) const {
        const Result<Mesh> mesh = read_mesh(put(name, bytes));
        if (mesh) return "none";
        EXPECT_EQ(mesh.error().text().find('\n'), std::string::npos);
        EXPECT_TRUE(mesh.error().text().starts_with((folder_ / name).string()));
        return mesh.error().text();
    }
    TempFolder folder_;
};

bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

void expect_near(Vec3f a, Vec3f b, float tolerance = 1e-5f) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST_F(ForeignMesh, gltf_states_its_unit_and_axes) {
    const Mesh mesh = read("a.glb", strip_sample().glb());
    EXPECT_EQ(mesh.triangle_count(), 2 * kStripRows);
    EXPECT_EQ(mesh.file_unit_metres, 1);
    expect_near(mesh.file_up, {0, 1, 0});
    expect_near(mesh.file_front, {0, 0, 1});
    for (const Vec3f n : mesh.normals) expect_near(n, {0, 0, 1});
}

TEST_F(ForeignMesh, the_buffer_of_a_gltf_file_is_beside_it) {
    const GlbSample sample = strip_sample();
    EXPECT_TRUE(says(error_of("a.gltf", sample.gltf("missing.bin")), "missing.bin"));
    put("strip.bin", sample.buffer());
    EXPECT_EQ(read("a.gltf", sample.gltf("strip.bin")).triangle_count(), 2 * kStripRows);
}

// Two nodes use one mesh; the second is mirrored, turned and moved.
TEST_F(ForeignMesh, nodes_are_parts_and_their_transforms_are_applied) {
    GlbSample sample = strip_sample();
    sample.json["nodes"].push_back({{"name", "turned"}, {"children", {2}}, {"scale", {2, 2, -2}}});
    sample.json["nodes"].push_back({{"name", "moved"}, {"mesh", 0}, {"translation", {0, 0, 0.5f}}});
    sample.json["scenes"][0]["nodes"] = {0, 1};
    const Mesh mesh = read("a.glb", sample.glb());
    EXPECT_EQ(mesh.parts, (std::vector<std::string>{"strip", "moved"}));
    EXPECT_EQ(mesh.groups, mesh.parts) << "groom.scalp may name a part";
    ASSERT_EQ(mesh.triangle_count(), 4 * kStripRows);
    ASSERT_EQ(mesh.triangle_part.size(), 4u * kStripRows);
    const int last = mesh.triangle_count() - 1;
    EXPECT_EQ(mesh.triangle_part[0], 0);
    EXPECT_EQ(mesh.triangle_part.back(), 1);
    const Bounds bounds = bounds_of(mesh);
    expect_near(bounds.low, {-0.5f, 0, -1});
    expect_near(bounds.high, {0.5f, 4, 0});
    // The mirror turns the front of the strip to -z; winding and normals agree with it.
    EXPECT_LT(area_normal(mesh, last).z, 0);
    EXPECT_LT(mesh.normals[mesh.indices[static_cast<std::size_t>(last) * 3]].z, 0);
}

TEST_F(ForeignMesh, materials_have_colours_and_embedded_textures) {
    Image image{2, 2, {}};
    image.rgba = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 0};
    ASSERT_TRUE(write_image(folder_ / "t.png", Image{2, 2, image.rgba}));
    const Result<std::string> png = read_file(folder_ / "t.png");
    ASSERT_TRUE(png);
    GlbSample sample = strip_sample();
    std::vector<float> uvs(strip_positions().size() / 3 * 2, 0.25f);
    auto& primitive = sample.json["meshes"][0]["primitives"][0];
    primitive["attributes"]["TEXCOORD_0"] = sample.floats(uvs, "VEC2", 2);
    primitive["material"] = 0;
    const int view = sample.buffer_view(png->data(), png->size());
    sample.json["images"].push_back({{"bufferView", view}, {"mimeType", "image/png"}});
    sample.json["images"].push_back({{"uri", "with%20space.png"}});
    sample.json["textures"] = Json::array({{{"source", 0}}, {{"source", 1}}});
    sample.json["materials"].push_back(
        {{"name", "skin"},
         {"pbrMetallicRoughness",
          {{"baseColorFactor", {0.5, 0.25, 1, 0.1}}, {"baseColorTexture", {{"index", 0}}}}}});
    Mesh mesh = read("a.glb", sample.glb());
    ASSERT_EQ(mesh.materials.size(), 1u);
    EXPECT_EQ(mesh.materials[0].name, "skin");
    expect_near(mesh.materials[0].colour, {0.5f, 0.25f, 1});
    EXPECT_EQ(mesh.materials[0].opacity, 1) << "alphaMode is OPAQUE by default";
    ASSERT_TRUE(mesh.materials[0].texture);
    EXPECT_EQ(mesh.materials[0].texture->width, 2);
    EXPECT_EQ(mesh.materials[0].texture->pixel(0, 0)[0], 255);
    EXPECT_NEAR(mesh.uvs[0].y, 0.75f, 1e-6f) << "glTF counts v from the top";

    // A texture in a file of its own, whose name is written as a URI.
    fs::rename(folder_ / "t.png", folder_ / "with space.png");
    auto& pbr = sample.json["materials"][0]["pbrMetallicRoughness"];
    pbr["baseColorTexture"]["index"] = 1;
    sample.json["materials"][0]["alphaMode"] = "BLEND";
    mesh = read("a.glb", sample.glb());
    EXPECT_TRUE(mesh.materials[0].texture);
    EXPECT_NEAR(mesh.materials[0].opacity, 0.1f, 1e-6f);
    fs::remove(folder_ / "with space.png");
    mesh = read("a.glb", sample.glb());
    ASSERT_EQ(mesh.warnings.size(), 1u);
    EXPECT_TRUE(says(mesh.warnings[0], "\"with space.png\" is not in "));
}

TEST_F(ForeignMesh, vertex_colours_of_gltf_are_linear) {
    GlbSample sample = strip_sample();
    std::vector<float> colours;
    for (std::size_t v = 0; v < strip_positions().size() / 3; ++v)
        colours.insert(colours.end(), {0.25f, 0.5f, 1, 1});
    sample.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] =
        sample.floats(colours, "VEC4", 4);
    const Mesh mesh = read("a.glb", sample.glb());
    ASSERT_EQ(mesh.colours.size(), mesh.positions.size());
    for (const Vec3f c : mesh.colours) expect_near(c, {0.25f, 0.5f, 1});
}

TEST_F(ForeignMesh, two_bones_bend_a_strip) {
    const fs::path path = put("a.glb", skinned_sample().glb());
    const Result<Mesh> mesh = read_mesh(path);
    ASSERT_TRUE(mesh) << mesh.error().text();
    ASSERT_EQ(mesh->animations.size(), 1u);
    EXPECT_EQ(mesh->animations[0].name, "bend");
    EXPECT_NEAR(mesh->animations[0].seconds, 1, 1e-6f);
    expect_near(bounds_of(*mesh).high, {0.25f, 2, 0});
    const Result<MeshFrames> frames = read_animation(path, *mesh, 0);
    ASSERT_TRUE(frames) << frames.error().text();
    ASSERT_EQ(frames->frames.size(), 25u) << "two keys in a second are sampled 24 times";
    EXPECT_NEAR(frames->fps, 24, 1e-4f);
    for (std::size_t f = 0; f < 25; ++f) {
        const float angle = std::numbers::pi_v<float> / 2 * static_cast<float>(f) / 24;
        for (std::size_t v = 0; v < mesh->positions.size(); ++v) {
            const Vec3f p = mesh->positions[v];
            const float s = std::sin(angle), c = std::cos(angle);
            const Vec3f turned{c * p.x - s * (p.y - 1), 1 + s * p.x + c * (p.y - 1), 0};
            expect_near(frames->frames[f][v], p.y > 1 ? turned : p);
        }
    }
    EXPECT_FALSE(read_animation(path, *mesh, 1));
}

TEST_F(ForeignMesh, fbx_has_units_axes_and_a_skin) {
    for (const std::string& bytes :
         {FbxBinary::write(fbx_sample_nodes()), FbxText::write(fbx_sample_nodes())}) {
        const fs::path path = put("a.fbx", bytes);
        const Result<Mesh> mesh = read_mesh(path);
        ASSERT_TRUE(mesh) << mesh.error().text();
        EXPECT_EQ(mesh->triangle_count(), 2 * kStripRows);
        EXPECT_EQ(mesh->positions.size(), 2u * (kStripRows + 1)) << "corners are merged";
        EXPECT_NEAR(bounds_of(*mesh).high.y, 2, 1e-6f) << "the unit is stated, not applied";
        EXPECT_NEAR(mesh->file_unit_metres, 0.01f, 1e-8f);
        expect_near(mesh->file_up, {0, 0, 1});
        expect_near(mesh->file_front, {0, -1, 0});
        ASSERT_EQ(mesh->animations.size(), 1u);
        EXPECT_NEAR(mesh->animations[0].seconds, 1, 1e-4f);
        const Result<MeshFrames> frames = read_animation(path, *mesh, 0);
        ASSERT_TRUE(frames) << frames.error().text();
        ASSERT_GE(frames->frames.size(), 25u);
        for (std::size_t v = 0; v < mesh->positions.size(); ++v) {
            const Vec3f p = mesh->positions[v];
            expect_near(frames->frames.front()[v], p, 1e-4f);
            expect_near(frames->frames.back()[v], p.y > 1 ? Vec3f{1 - p.y, 1 + p.x, 0} : p, 1e-4f);
        }
    }
}

TEST_F(ForeignMesh, info_describes_parts_animations_and_units) {
    const fs::path path = put("a.fbx", FbxBinary::write(fbx_sample_nodes()));
    const Result<std::string> text = describe_file(path.string(), "", true);
    ASSERT_TRUE(text) << text.error().text();
    const Json info = Json::parse(*text);
    EXPECT_EQ(info["kind"], "mesh");
    EXPECT_EQ(info["triangles"], 2 * kStripRows);
    EXPECT_EQ(info["animations"][0]["name"], "bend");
    EXPECT_NEAR(info["file_unit_metres"].get<double>(), 0.01, 1e-6);
    EXPECT_EQ(info["file_up"], Json::array({0, 0, 1}));
    EXPECT_EQ(info["vertex_colours"], false);
}

// Channels of the camera, for example.
TEST_F(ForeignMesh, an_animation_that_does_not_move_the_mesh_has_no_frames) {
    GlbSample sample = strip_sample();
    sample.json["nodes"].push_back({{"name", "camera"}});
    sample.json["scenes"][0]["nodes"] = {0, 1};
    add_channel(sample, 1, "translation", "VEC3", {0, 0, 0, 0, 2, 0}, 0.5f);
    const fs::path path = put("a.glb", sample.glb());
    const Result<Mesh> mesh = read_mesh(path);
    ASSERT_TRUE(mesh) << mesh.error().text();
    const Result<MeshFrames> frames = read_animation(path, *mesh, 0);
    ASSERT_TRUE(frames) << frames.error().text();
    EXPECT_TRUE(frames->frames.empty());
}

TEST_F(ForeignMesh, morph_targets_and_nodes_move_a_strip) {
    GlbSample sample = morph_sample();
    add_channel(sample, 0, "translation", "VEC3", {0, 0, 0, 0, 2, 0}, 0.5f);
    const fs::path path = put("a.glb", sample.glb());
    const Result<Mesh> mesh = read_mesh(path);
    ASSERT_TRUE(mesh) << mesh.error().text();
    const Result<MeshFrames> frames = read_animation(path, *mesh, 0);
    ASSERT_TRUE(frames) << frames.error().text();
    const std::size_t last = frames->frames.size() - 1;
    EXPECT_NEAR(static_cast<float>(last) / frames->fps, 0.5f, 1e-5f);
    for (std::size_t f = 0; f <= last; ++f)
        for (std::size_t v = 0; v < mesh->positions.size(); ++v) {
            const float share = static_cast<float>(f) / static_cast<float>(last);
            expect_near(frames->frames[f][v], mesh->positions[v] + Vec3f{0, 2, 0.3f} * share);
        }
}

TEST_F(ForeignMesh, files_that_are_no_meshes_are_told_in_one_line) {
    EXPECT_TRUE(says(error_of("a.glb", "nothing of the kind"), "cannot be read: "));
    EXPECT_FALSE(says(error_of("a.glb", "nothing of the kind"), ".;"));
    EXPECT_TRUE(says(error_of("a.fbx", ""), "cannot be read: "));
    const std::string cloud =
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
        "property float z\nend_header\n1 2 3\n";
    EXPECT_TRUE(says(error_of("a.ply", cloud), "has no triangles (1 vertices)"));
    const Result<Mesh> missing = read_mesh(folder_ / "missing.stl");
    ASSERT_FALSE(missing);
    EXPECT_TRUE(says(missing.error().text(), "missing.stl: no such file"));
    const Result<Mesh> folder = read_foreign_mesh(folder_ / "");
    ASSERT_FALSE(folder);
    EXPECT_TRUE(says(folder.error().text(), "is a folder"));
}

// Assimp would return wrong positions without an error.
TEST_F(ForeignMesh, unsupported_extensions_of_gltf_are_refused) {
    GlbSample sample = strip_sample();
    sample.json["extensionsRequired"] = {"KHR_texture_transform", "KHR_mesh_quantization"};
    put("strip.bin", sample.buffer());
    EXPECT_TRUE(says(error_of("a.glb", sample.glb()), "the extension KHR_mesh_quantization"));
    EXPECT_TRUE(says(error_of("a.gltf", sample.gltf("strip.bin")), "KHR_mesh_quantization"));
    sample.json["extensionsRequired"] = {"KHR_texture_transform"};
    EXPECT_EQ(read("a.glb", sample.glb()).triangle_count(), 2 * kStripRows);
}

TEST_F(ForeignMesh, a_groom_is_told_where_grooms_are_read) {
    const std::string strand =
        "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
        "property float z\nelement edge 1\nproperty int vertex1\nproperty int vertex2\n"
        "end_header\n0 0 0\n0 1 0\n0 1\n";
    EXPECT_TRUE(says(error_of("a.ply", strand), "grooms are read by groom.file"));
    EXPECT_TRUE(says(error_of("a.obj", "v 0 0 0\nv 0 1 0\nl 1 2\n"), "read by groom.file"));
    EXPECT_TRUE(says(error_of("a.hair", ""), "read by groom.file"));
}

// Stand-ins for a reader that a malicious file has taken over.
class ForeignReaderFaults : public ForeignMesh {
protected:
    std::string error_with(const std::string& script, const ProcessLimits& limits) {
        const fs::path program = put("program", "#!/bin/sh\n" + script + "\n");
        fs::permissions(program, fs::perms::owner_all);
        const Result<Mesh> mesh =
            read_foreign_mesh(put("a.glb", strip_sample().glb()), {program, limits});
        if (mesh) return "none";
        EXPECT_EQ(mesh.error().text().find('\n'), std::string::npos);
        // Its exit status has been collected: there is no child left, dead or alive.
        EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
        EXPECT_EQ(errno, ECHILD);
        return mesh.error().text();
    }
    const ProcessLimits usual_{.seconds = 20};
};

TEST_F(ForeignReaderFaults, a_reader_that_hangs_is_killed) {
    const auto start = std::chrono::steady_clock::now();
    const std::string text = error_with("exec sleep 60", {.seconds = 0.3});
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    EXPECT_TRUE(says(text, "a.glb: the mesh reader did not finish within 0.3 s; ")) << text;
    EXPECT_LT(spent.count(), 10);
    // Also if it has closed its output.
    EXPECT_TRUE(says(error_with("exec sleep 60 >&-", {.seconds = 0.3}), "did not finish"));
}

TEST_F(ForeignReaderFaults, a_reader_is_killed_when_the_user_stops) {
    const fs::path program = put("program", "#!/bin/sh\nexec sleep 60\n");
    fs::permissions(program, fs::perms::owner_all);
    int polls = 0;
    const Result<Mesh> mesh = read_foreign_mesh(
        put("a.glb", strip_sample().glb()), {program, usual_, [&polls] { return ++polls > 3; }});
    ASSERT_FALSE(mesh);
    EXPECT_TRUE(says(mesh.error().text(), "a.glb: stopped")) << mesh.error().text();
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

TEST_F(ForeignReaderFaults, a_reader_that_takes_too_much_memory_is_stopped) {
    const ProcessLimits small{.seconds = 60, .memory_bytes = std::uint64_t{64} << 20};
    const std::string text =
        error_with("exec python3 -c 'x = bytearray(1 << 30); print(len(x))'", small);
    EXPECT_TRUE(says(text, "the mesh reader failed with status ")) << text;
}

TEST_F(ForeignReaderFaults, a_reader_that_crashes_or_writes_garbage_is_an_error) {
    EXPECT_TRUE(says(error_with("kill -SEGV $$", usual_), "crashed (Segmentation fault)"));
    EXPECT_TRUE(says(error_with("exit 3", usual_), "failed with status 3"));
    EXPECT_TRUE(says(error_with("true", usual_), "damaged mesh (no mesh message)"));
    EXPECT_TRUE(says(error_with("exec head -c 5000 /dev/urandom", usual_), "no mesh message"));
    EXPECT_TRUE(says(error_with("echo 'ringlet mesh 1'", usual_), "damaged mesh (incomplete)"));
    EXPECT_TRUE(says(error_with("exec yes", {.seconds = 20, .output_bytes = 1 << 20}),
                     "returned more than 1 MiB"));
}

TEST_F(ForeignReaderFaults, a_missing_program_is_an_error) {
    const Result<Mesh> mesh =
        read_foreign_mesh(put("a.glb", strip_sample().glb()), {folder_ / "none", usual_});
    ASSERT_FALSE(mesh);
    EXPECT_TRUE(says(mesh.error().text(), "cannot be started: No such file"));
}

// Every single change of a valid message gives an error or a mesh with valid indices.
TEST_F(ForeignMesh, no_message_of_the_reader_is_trusted) {
    const fs::path path = put("a.glb", skinned_sample().glb());
    const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "ringlet_read_mesh";
    const std::vector<std::string> arguments{path.string()};
    const Result<std::string> message = run_program(program, arguments, {});
    ASSERT_TRUE(message) << message.error().text();
    ASSERT_TRUE(decode_mesh(*message, folder_ / ""));
    for (std::size_t size = 0; size < message->size(); size += 3)
        EXPECT_FALSE(decode_mesh(message->substr(0, size), folder_ / ""));
    int read = 0;
    for (std::size_t at = 0; at < message->size(); ++at) {
        std::string changed = *message;
        changed[at] = static_cast<char>(~changed[at]);
        const Result<Mesh> mesh = decode_mesh(changed, folder_ / "");
        if (!mesh) continue;
        ++read;
        for (const std::uint32_t index : mesh->indices) ASSERT_LT(index, mesh->positions.size());
        ASSERT_EQ(mesh->normals.size(), mesh->positions.size());
        ASSERT_EQ(mesh->triangle_material.size(), mesh->indices.size() / 3);
    }
    EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace ringlet
