// Replays the fuzz targets: their seeds, the regressions of tests/fuzz/corpus, and a fixed number
// of truncations and mutations. No input crashes, takes much memory or breaks a reader's promise.
#include <gtest/gtest.h>

#include "base/files.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/mutated.h"
#include "io/groom_format.h"
#include "io/mesh_format.h"
#include "test_level.h"
#include "test_paths.h"
#include "unit/counted_memory.h"

namespace ringlet {

// For the messages of gtest, which finds it by its argument.
static void PrintTo(const FuzzTarget& target, std::ostream* out) { *out << target.name; }

namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = fs::path(kSourceFolder) / "tests/fuzz/corpus";

class FuzzReplay : public testing::TestWithParam<FuzzTarget> {
protected:
    // Reads a copy of the input, so that a sanitizer detects reads beyond its end.
    FuzzOutcome run(const std::string& input, const std::string& what) {
        const std::vector<char> copy(input.begin(), input.end());
        FuzzOutcome outcome;
        const std::size_t memory = counted_memory::peak_of([&] {
            outcome = GetParam().run({copy.data(), copy.size()});
        });
        EXPECT_EQ(outcome.fault, "") << what;
        EXPECT_LE(memory, GetParam().most_mebibytes << 20) << what;
        return outcome;
    }
};

INSTANTIATE_TEST_SUITE_P(targets, FuzzReplay, testing::ValuesIn(all_fuzz_targets()),
                         [](const auto& target) { return target.param.name; });

TEST_P(FuzzReplay, seeds_are_accepted) {
    const std::vector<std::string> seeds = GetParam().seeds();
    EXPECT_FALSE(seeds.empty());
    for (const std::string& seed : seeds) {
        const FuzzOutcome outcome = run(seed, "seed");
        EXPECT_TRUE(outcome.is_accepted) << outcome.error;
    }
}

TEST_P(FuzzReplay, regressions_stay_fixed) {
    std::error_code ignored;
    for (const fs::directory_entry& file :
         fs::directory_iterator(kCorpus / GetParam().name, ignored))
        run(*read_file(file.path()), file.path().string());
}

TEST_P(FuzzReplay, truncations_and_mutations_do_no_harm) {
    const int rounds = test_level() == TestLevel::quick ? 300 : 3000;
    std::mt19937 random(7);
    int refused = 0;
    for (const std::string& seed : GetParam().seeds()) {
        const std::size_t step = 1 + seed.size() / static_cast<std::size_t>(rounds);
        for (std::size_t size = 0; size < seed.size(); size += step)
            run(seed.substr(0, size), "the first " + std::to_string(size) + " bytes");
        for (int round = 0; round < rounds; ++round)
            refused += !run(mutated(seed, random), "mutation " + std::to_string(round)).is_accepted;
    }
    // A damaged layout of the viewer is never an error.
    EXPECT_TRUE(refused > 0 || GetParam().name == "viewer_layout");
}

// Formats that another program reads are tested by unit/foreign_mesh_test.cpp and
// mesh_fuzz_test.cpp.
TEST(fuzz_targets, exist_for_every_format) {
    std::set<std::string> names;
    for (const FuzzTarget& target : all_fuzz_targets())
        EXPECT_TRUE(names.insert(target.name).second) << target.name;
    const std::set<std::string_view> foreign{".usdc", ".gltf", ".glb", ".fbx"};
    const auto has = [&](const std::string& kind, std::string_view extension) {
        return foreign.contains(extension) ||
               names.contains(kind + std::string(extension.substr(1)));
    };
    for (const GroomFormat* const format : all_groom_formats())
        EXPECT_TRUE(has("groom_", format->extension)) << format->extension;
    for (const MeshFormat* const format : all_mesh_formats())
        EXPECT_TRUE(has("mesh_", format->extension)) << format->extension;
}

TEST(fuzz_targets, have_the_folders_of_the_corpus) {
    std::set<std::string> names;
    for (const FuzzTarget& target : all_fuzz_targets()) names.insert(target.name);
    for (const fs::directory_entry& folder : fs::directory_iterator(kCorpus))
        EXPECT_TRUE(names.contains(folder.path().filename().string())) << folder.path();
}

}  // namespace
}  // namespace ringlet
