// Groom files on the command line: conversion between formats, and import into a simulation.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "test_paths.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

int run_program(const std::string& arguments) {
    return WEXITSTATUS(
        std::system((std::string(kProgramPath) + " " + arguments + " >/dev/null 2>&1").c_str()));
}

std::string bytes_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

// The points of a .hair file with segments: they follow the header and the segment counts.
std::string points_of(const fs::path& path) {
    const std::string bytes = bytes_of(path);
    std::uint32_t strands = 0, points = 0;
    std::memcpy(&strands, bytes.data() + 4, 4);
    std::memcpy(&points, bytes.data() + 8, 4);
    return bytes.substr(128 + strands * 2, points * 12);
}

TEST(convert, keeps_positions_to_the_bit_from_format_to_format_and_back) {
    const TempFolder folder;
    const std::string at = (folder / "").string();
    ASSERT_EQ(
        run_program("groom curls -o " + at +
                    "a.hair --set groom.strands=40 --set groom.vertices=56 --set record.settle=0"),
        0);
    for (const std::string kind : {"tfx", "data", "bin", "ply", "obj"}) {
        ASSERT_EQ(run_program("convert " + at + "a.hair " + at + "b." + kind), 0) << kind;
        ASSERT_EQ(run_program("convert " + at + "b." + kind + " " + at + "c.hair"), 0) << kind;
        const std::string before = points_of(at + "a.hair"), after = points_of(at + "c.hair");
        ASSERT_EQ(before.size(), 40u * 56u * 12u);
        EXPECT_TRUE(before == after) << kind;
    }
}

TEST(convert, scales_turns_and_resamples) {
    const TempFolder folder;
    const std::string at = (folder / "").string();
    std::ofstream(at + "z.obj") << "v 0 0 0\nv 0 0 100\nl 1 2\n";  // a centimetre strand, Z up
    ASSERT_EQ(
        run_program("convert " + at + "z.obj " + at + "y.obj --scale 0.01 --up z --vertices 3"), 0);
    const std::string text = bytes_of(at + "y.obj");
    EXPECT_NE(text.find("v 0 0.5 "), std::string::npos) << text;
    EXPECT_NE(text.find("v 0 1 "), std::string::npos) << text;
}

TEST(convert, an_imported_groom_is_simulated_as_it_stands) {
    const TempFolder folder;
    const std::string at = (folder / "").string();
    ASSERT_EQ(run_program("groom ringlets -o " + at +
                          "style.ply --set groom.strands=30 --set groom.guides=0"),
              0);
    std::ofstream(at + "scene.toml") << "base = \"bust\"\n[groom]\nfile = \"style.ply\"\n";
    ASSERT_EQ(run_program("groom " + at + "scene.toml -o " + at + "again.ply"), 0);
    EXPECT_TRUE(bytes_of(at + "style.ply") == bytes_of(at + "again.ply"));
    EXPECT_EQ(run_program("simulate " + at + "scene.toml --frames 5 --report " + at + "r.json"), 0);
    EXPECT_NE(bytes_of(at + "r.json").find("\"strands\": 30"), std::string::npos);
    std::ofstream(at + "bad.toml") << "base = \"bust\"\n[groom]\nfile = \"none.ply\"\n";
    EXPECT_EQ(run_program("simulate " + at + "bad.toml --frames 5"), 1);
}

TEST(convert, a_real_groom_with_its_bust_moves) {
    const fs::path data = fs::path(kSourceFolder) / ".." / "shared" / "data";
    if (!fs::exists(data / "sintel_guides.tfx"))
        GTEST_SKIP() << "no ../shared/data: the real groom is not there";
    const TempFolder folder;
    const std::string at = (folder / "").string();
    std::ofstream(at + "sintel.toml")
        << "[groom]\nmesh = " << fs::absolute(data / "sintel_bust.obj")
        << "\nfile = " << fs::absolute(data / "sintel_guides.tfx")
        << "\n[[sim.pbd.pair]]\nspan = 2\n";
    EXPECT_EQ(run_program("simulate " + at + "sintel.toml --frames 10 --report " + at + "r.json"),
              0);
    const std::string report = bytes_of(at + "r.json");
    EXPECT_NE(report.find("\"strands\": 228"), std::string::npos);
    EXPECT_NE(report.find("\"nonfinite_vertices\": 0"), std::string::npos);
}

}  // namespace
}  // namespace ringlet
