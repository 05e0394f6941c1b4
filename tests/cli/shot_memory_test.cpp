// The memory of writing shots.
#include <nlohmann/json.hpp>

#include "program.h"
#include "test_level.h"

namespace ringlet {
namespace {

constexpr int kStrands = 40000, kVertices = 32;
constexpr double kFrame = kStrands * kVertices * 24.0;  // bytes: positions and velocities

class ShotMemory : public Cli {
protected:
    void SetUp() override {
        Cli::SetUp();
        if (kSanitized) GTEST_SKIP() << "the sanitizer needs memory of its own";
    }

    // The peak memory of the program in bytes.
    double peak_of(const Words& more) const {
        Words words{"simulate", "curls",
                    "--frames", "4",
                    "--report", "r.json",
                    "--set",    "groom.strands=40000",
                    "--set",    "groom.vertices=32",
                    "--set",    "groom.grow_patches=false",
                    "--set",    "record.settle=0",
                    "--set",    "sim.model=ftl",
                    "--set",    "sim.substeps=1",
                    "--quiet"};
        words.insert(words.end(), more.begin(), more.end());
        run_well(words);
        return nlohmann::json::parse(read_text(file("r.json")))["peak_memory_bytes"];
    }
};

TEST_F(ShotMemory, is_at_most_two_frames_more_than_simulating) {
    RINGLET_TEST_FROM(full);
    const double simulated = peak_of({"--set", "groom.guides=0"});
    EXPECT_LT(peak_of({"--set", "groom.guides=0", "-o", "a.abc"}) - simulated, 2 * kFrame);
}

// In text, because not every machine has OpenUSD; tests/python/test_usd.py measures binary layers.
TEST_F(ShotMemory, of_usd_is_at_most_two_frames_more_than_simulating) {
    RINGLET_TEST_FROM(all);
    const double simulated = peak_of({"--set", "groom.guides=0"});
    EXPECT_LT(peak_of({"--set", "groom.guides=0", "-o", "a.usda"}) - simulated, 2 * kFrame);
}

TEST_F(ShotMemory, of_children_is_at_most_two_frames_more_than_simulating_their_guides) {
    RINGLET_TEST_FROM(all);
    const double simulated = peak_of({"--set", "groom.guides=1000"});
    EXPECT_LT(peak_of({"--set", "groom.guides=1000", "-o", "a.abc"}) - simulated, 2 * kFrame);
}

}  // namespace
}  // namespace ringlet
