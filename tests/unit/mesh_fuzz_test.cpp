// Truncated and mutated files of the mesh formats that another process reads: each gives a sound
// mesh or one line of error. No crash, no hang, no process left behind. The other formats are fuzz
// targets (tests/fuzz).
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <cmath>

#include "base/files.h"
#include "fuzz/mutated.h"
#include "io/foreign/foreign_mesh.h"
#include "test_level.h"
#include "unit/fbx_sample.h"
#include "unit/glb_sample.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

struct Sample {
    std::string file;
    std::string bytes;
};

std::vector<Sample> samples() {
    return {{"a.glb", skinned_sample().glb()},
            {"a.gltf", morph_sample().gltf("a.bin")},
            {"a.fbx", FbxBinary::write(fbx_sample_nodes())},
            {"text.fbx", FbxText::write(fbx_sample_nodes())}};
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
    // Counts meshes and errors of `rounds` mutations of each format.
    void run(int rounds, unsigned seed) {
        put("a.bin", morph_sample().buffer());
        for (const Sample& sample : samples()) {
            std::mt19937 random(seed);
            int good = 0, bad = 0;
            for (int k = 0; k < rounds; ++k)
                ++(is_read(sample.file, mutated(sample.bytes, random)) ? good : bad);
            RecordProperty(sample.file, std::to_string(good) + " read");
            EXPECT_GT(bad, rounds / 20) << sample.file;
            EXPECT_GT(good + bad, 0);
        }
    }
    bool is_read(const std::string& name, const std::string& bytes) const {
        const fs::path path = put(name, bytes);
        const auto start = std::chrono::steady_clock::now();
        // Some broken files make Assimp run for long, so the limit is short here.
        const ForeignReader reader{.limits = ProcessLimits{.seconds = 2}};
        const Result<Mesh> mesh = read_foreign_mesh(path, reader);
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

TEST_F(MeshFuzz, broken_files_give_a_mesh_or_one_line_and_leave_no_process) {
    RINGLET_TEST_FROM(full);
    run(rounds_or(150), seed());
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a process is left behind";
    EXPECT_EQ(errno, ECHILD);
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    // The limit is 2 GiB of address space.
    EXPECT_LT(used.ru_maxrss, 2 << 20) << "kB in the largest process";
}

}  // namespace
}  // namespace ringlet
