// Truncated and mutated files of every mesh format: each gives a sound mesh or one line of error.
// No crash, no hang, no process left behind.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <cmath>
#include <random>

#include "base/files.h"
#include "io/foreign/foreign_mesh.h"
#include "io/mesh_format.h"
#include "test_level.h"
#include "unit/fbx_sample.h"
#include "unit/glb_sample.h"
#include "unit/sphere_mesh.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

std::string sphere_text(const char* before_vertex, const char* before_face, int first) {
    const Mesh ball = sphere_mesh({0, 0, 0}, 1, 6);
    std::string out;
    for (const Vec3f p : ball.positions)
        out += before_vertex + std::to_string(p.x) + " " + std::to_string(p.y) + " " +
               std::to_string(p.z) + "\n";
    for (std::size_t k = 0; k < ball.indices.size(); k += 3) {
        out += before_face;
        for (std::size_t c = 0; c < 3; ++c)
            out += " " + std::to_string(static_cast<int>(ball.indices[k + c]) + first);
        out += "\n";
    }
    return out;
}

std::string sample_ply() {
    const Mesh ball = sphere_mesh({0, 0, 0}, 1, 6);
    return "ply\nformat ascii 1.0\nelement vertex " + std::to_string(ball.positions.size()) +
           "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
           std::to_string(ball.indices.size() / 3) +
           "\nproperty list uchar int vertex_indices\nend_header\n" + sphere_text("", "3", 0);
}

std::string sample_binary_ply(bool big_endian) {
    const Mesh ball = sphere_mesh({0, 0, 0}, 1, 6);
    std::string out = sample_ply();
    out.resize(out.find("end_header\n") + 11);
    out.replace(out.find("ascii"), 5, big_endian ? "binary_big_endian" : "binary_little_endian");
    const auto append = [&](const auto& value) {
        std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
        if (big_endian) bytes = {bytes.rbegin(), bytes.rend()};
        out += bytes;
    };
    for (const Vec3f p : ball.positions)
        for (const float x : {p.x, p.y, p.z}) append(x);
    for (std::size_t k = 0; k < ball.indices.size(); k += 3) {
        append(std::uint8_t{3});
        for (std::size_t c = 0; c < 3; ++c) append(ball.indices[k + c]);
    }
    return out;
}

std::string sample_text_stl() {
    const Mesh ball = sphere_mesh({0, 0, 0}, 1, 6);
    std::string out = "solid ball\n";
    for (int t = 0; t < ball.triangle_count(); ++t) {
        out += "facet normal 0 0 0\nouter loop\n";
        for (int k = 0; k < 3; ++k) {
            const Vec3f p = ball.corner(t, k);
            out += "vertex " + std::to_string(p.x) + " " + std::to_string(p.y) + " " +
                   std::to_string(p.z) + "\n";
        }
        out += "endloop\nendfacet\n";
    }
    return out + "endsolid ball\n";
}

std::string sample_stl() {
    const Mesh ball = sphere_mesh({0, 0, 0}, 1, 6);
    std::string out(80, ' ');
    const auto append = [&out](const auto& value) {
        out.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    append(static_cast<std::uint32_t>(ball.triangle_count()));
    for (int t = 0; t < ball.triangle_count(); ++t) {
        append(Vec3f{0, 0, 0});
        for (int k = 0; k < 3; ++k) append(ball.corner(t, k));
        append(std::uint16_t{0});
    }
    return out;
}

struct Sample {
    std::string file;
    std::string bytes;
};

std::vector<Sample> samples() {
    return {{"a.obj", sphere_text("v ", "f", 1)},
            {"a.ply", sample_ply()},
            {"little.ply", sample_binary_ply(false)},
            {"big.ply", sample_binary_ply(true)},
            {"a.stl", sample_stl()},
            {"text.stl", sample_text_stl()},
            {"a.glb", skinned_sample().glb()},
            {"a.gltf", morph_sample().gltf("a.bin")},
            {"a.fbx", FbxBinary::write(fbx_sample_nodes())},
            {"text.fbx", FbxText::write(fbx_sample_nodes())}};
}

// Cuts the file, or changes, removes or repeats a few of its bytes.
std::string mutated(std::string bytes, std::mt19937& random) {
    const auto below = [&random](std::size_t n) { return n == 0 ? 0 : random() % n; };
    if (below(8) == 0) return bytes.substr(0, below(bytes.size()));
    const std::size_t changes = 1 + below(8);
    static constexpr char kTelling[] = "0123456789-.eE,[]{}\"\0\x80\xff";
    for (std::size_t k = 0; k < changes && !bytes.empty(); ++k) {
        const std::size_t at = below(bytes.size());
        switch (below(6)) {
            case 0:
                bytes[at] = static_cast<char>(below(256));
                break;
            case 1:
                bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8));
                break;
            case 2:
                bytes.erase(at, 1 + below(16));
                break;
            case 3:
                bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(64)));
                break;
            case 4:
                bytes.replace(at, 4, "\xff\xff\xff\xff");
                break;
            default:
                bytes[at] = kTelling[below(sizeof kTelling - 1)];
        }
    }
    return bytes;
}

void expect_sound(const Mesh& mesh, const std::string& name) {
    ASSERT_FALSE(mesh.indices.empty()) << name;
    for (const std::uint32_t index : mesh.indices) ASSERT_LT(index, mesh.positions.size()) << name;
    for (const Vec3f p : mesh.positions)
        ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) << name;
    ASSERT_EQ(mesh.normals.size(), mesh.positions.size()) << name;
    ASSERT_EQ(mesh.uvs.size(), mesh.positions.size()) << name;
    ASSERT_EQ(mesh.triangle_material.size(), mesh.indices.size() / 3) << name;
    ASSERT_TRUE(mesh.triangle_part.empty() || mesh.triangle_part.size() == mesh.indices.size() / 3);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class MeshFuzz : public testing::Test {
protected:
    // Counts meshes and errors of `rounds` mutations of each format that is read in this process,
    // or in another one.
    void run(int rounds, unsigned seed, bool in_process) {
        put("a.bin", morph_sample().buffer());
        for (const Sample& sample : samples()) {
            if (is_foreign(sample.file) == in_process) continue;
            std::mt19937 random(seed);
            int good = 0, bad = 0;
            for (int k = 0; k < rounds; ++k)
                ++(is_read(sample.file, mutated(sample.bytes, random)) ? good : bad);
            RecordProperty(sample.file, std::to_string(good) + " read");
            EXPECT_GT(bad, rounds / 20) << sample.file;
            EXPECT_GT(good + bad, 0);
        }
    }
    static bool is_foreign(const std::string& name) {
        return name.ends_with(".glb") || name.ends_with(".gltf") || name.ends_with(".fbx");
    }
    bool is_read(const std::string& name, const std::string& bytes) const {
        const fs::path path = put(name, bytes);
        const auto start = std::chrono::steady_clock::now();
        // Some broken files make Assimp run for long, so the limit is short here.
        const ForeignReader reader{.limits = ProcessLimits{.seconds = 2}};
        const Result<Mesh> mesh =
            is_foreign(name) ? read_foreign_mesh(path, reader) : read_mesh(path);
        EXPECT_LT(seconds_since(start), 20) << keep(path);
        if (mesh) {
            expect_sound(*mesh, name);
            if (!mesh->animations.empty()) {
                const Result<MeshFrames> frames = read_foreign_frames(path, *mesh, 0, reader);
                EXPECT_TRUE(!frames || frames->frames.empty() ||
                            frames->frames[0].size() == mesh->positions.size());
            }
            return true;
        }
        const std::string text = mesh.error().text();
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        EXPECT_TRUE(text.starts_with(path.string())) << text;
        return false;
    }
    fs::path put(const std::string& name, const std::string& bytes) const {
        EXPECT_TRUE(write_file(folder_ / name, bytes));
        return folder_ / name;
    }
    // Copies a file that shows a fault out of the folder of the test, which is deleted.
    static std::string keep(const fs::path& path) {
        const fs::path copy = fs::temp_directory_path() / ("fault_" + path.filename().string());
        std::error_code ignored;
        fs::copy_file(path, copy, fs::copy_options::overwrite_existing, ignored);
        return copy.string();
    }
    TempFolder folder_;
};

TEST_F(MeshFuzz, the_samples_are_valid) {
    put("a.bin", morph_sample().buffer());
    for (const Sample& sample : samples()) EXPECT_TRUE(is_read(sample.file, sample.bytes));
}

// Run by hand with more rounds, several seeds at the same time (docs/meshes.md).
int number_from(const char* variable, int otherwise) {
    const char* const text = std::getenv(variable);
    return text ? std::atoi(text) : otherwise;
}
int rounds_or(int otherwise) { return number_from("RINGLET_FUZZ_ROUNDS", otherwise); }
unsigned seed() { return static_cast<unsigned>(number_from("RINGLET_FUZZ_SEED", 7)); }

TEST_F(MeshFuzz, broken_files_read_in_this_process_give_a_mesh_or_one_line) {
    run(20 * rounds_or(30), seed(), true);
}

TEST_F(MeshFuzz, broken_files_give_a_mesh_or_one_line_and_leave_no_process) {
    RINGLET_TEST_FROM(full);
    run(rounds_or(150), seed(), false);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a process is left behind";
    EXPECT_EQ(errno, ECHILD);
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    // The limit is 2 GiB of address space.
    EXPECT_LT(used.ru_maxrss, 2 << 20) << "kB in the largest process";
}

}  // namespace
}  // namespace ringlet
