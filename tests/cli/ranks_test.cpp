// Several processes that mpirun starts: the same bits as one. More ranks than processors are fine.
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "gpu_of_rank.h"
#include "test_level.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

const std::string kSmall =
    " --threads 1 --set groom.strands=160 --set groom.guides=0 --set groom.vertices=12 "
    "--set record.settle=0";

constexpr const char* kTooSlow = "many processes take too long with a sanitizer";

class OnRanks : public Cli {
protected:
    void SetUp() override {
        const Outcome tried = on_ranks(2, "--version");
        if (tried.code == 127) GTEST_SKIP() << "there is no mpirun";
        if (tried.err.find("has no MPI") != std::string::npos)
            GTEST_SKIP() << "a build without MPI";
        EXPECT_EQ(tried.code, 0) << tried.err;
    }

    static std::string line(int ranks, const std::string& words) {
        const std::string launcher =
            "mpirun --oversubscribe --allow-run-as-root -n " + std::to_string(ranks);
        return (ranks > 0 ? launcher : "") + " \"$RINGLET\" " + words;
    }
    // Without mpirun for 0 ranks.
    Outcome on_ranks(int ranks, const std::string& words) const {
        return run_shell(line(ranks, words));
    }

    // The report of a run, without what depends on the clock and the machine.
    nlohmann::json report(int ranks, const std::string& words) const {
        const Outcome outcome = on_ranks(ranks, "simulate " + words + " --report r.json");
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        auto out = nlohmann::json::parse(read_text(file("r.json")));
        for (const char* key :
             {"seconds", "ms_per_frame", "vertex_steps_per_second", "peak_memory_bytes"})
            out.erase(key);
        return out;
    }

    void expect_one_report(const std::string& words, const std::vector<int>& ranks) const {
        const nlohmann::json alone = report(0, words);
        for (const int count : ranks)
            EXPECT_EQ(report(count, words), alone) << words << " on " << count;
    }
};

TEST(gpu_of_rank, ranks_of_a_machine_take_turns) {
    EXPECT_EQ(gpu_of_rank(0, "", 0), "") << "no GPU";
    EXPECT_EQ(gpu_of_rank(3, "", 1), "") << "several ranks on one GPU";
    EXPECT_EQ(gpu_of_rank(1, "", 4), "1");
    EXPECT_EQ(gpu_of_rank(6, "", 4), "2");
    EXPECT_EQ(gpu_of_rank(2, "5", 8), "") << "the launcher has chosen";
    EXPECT_EQ(gpu_of_rank(4, "7,3,GPU-ab", 8), "3");
}

TEST_F(OnRanks, any_number_of_ranks_gives_one_report) {
    const std::vector<int> all = {1, 2, 3, 4, 7}, few = {3};
    const bool is_short = kSanitized || test_level() < TestLevel::all;
    expect_one_report("leader --frames 6" + kSmall, is_short ? few : all);
}

TEST_F(OnRanks, every_model_gives_one_report) {
    RINGLET_TEST_FROM(full);
    if (kSanitized) GTEST_SKIP() << kTooSlow;
    for (const char* model : {"ftl", "pbd", "rod", "spring"})
        expect_one_report(
            "leader --frames 4" + kSmall + " --set record.settle=0.05 --set sim.model=" + model,
            {3});
}

TEST_F(OnRanks, every_scene_with_coupled_hair_gives_one_report) {
    RINGLET_TEST_FROM(all);
    for (const char* scene : {"afro", "beard", "bob", "coils", "curls", "long_curls", "mohawk",
                              "ringlets", "straight", "waves", "wind"})
        expect_one_report(std::string(scene) +
                              " --frames 3 --set hair_hair.friction=4 --set hair_hair.volume=1" +
                              kSmall,
                          {3});
}

// Each scene with one of the models; tests/physics/divided_test.cpp has every model.
TEST_F(OnRanks, scenes_give_one_report_on_several_numbers_of_ranks) {
    RINGLET_TEST_FROM(all);
    const std::vector<std::string> models = {"ftl", "pbd", "rod", "spring"};
    std::size_t next = 0;
    for (const char* scene : {"afro", "bob", "coils", "long_curls", "mohawk", "wind"})
        expect_one_report(std::string(scene) +
                              " --frames 3 --set hair_hair.friction=4 "
                              "--set hair_hair.volume=1 --set sim.model=" +
                              models[next++ % models.size()] + kSmall,
                          {2, 7});
}

TEST_F(OnRanks, heads_of_a_crowd_are_distributed) {
    RINGLET_TEST_FROM(all);
    expect_one_report(
        "crowd --threads 1 --frames 2 --set groom.strands=60 --set groom.guides=0 "
        "--set record.settle=0",
        {2, 11});
}

TEST_F(OnRanks, two_heads_are_distributed) {
    RINGLET_TEST_FROM(full);
    put("two.toml", "base = 'leader'\n[[actor]]\n[[actor]]\nat = [0.6, 0, 0]\n");
    expect_one_report("two.toml --frames 2" + kSmall, {3});
}

TEST_F(OnRanks, contact_between_strands_is_refused) {
    RINGLET_TEST_FROM(full);
    const Outcome outcome =
        on_ranks(2, "simulate leader --frames 2 --set strand_contact.radius=0.001" + kSmall);
    EXPECT_NE(outcome.code, 0);
    EXPECT_NE(outcome.err.find("start it without mpirun"), std::string::npos) << outcome.err;
}

TEST_F(OnRanks, fur_and_deforming_heads_work) {
    RINGLET_TEST_FROM(full);
    if (kSanitized) GTEST_SKIP() << kTooSlow;
    for (const char* scene : {"creature", "shoulders"})
        expect_one_report(
            std::string(scene) +
                " --threads 1 --frames 2 --set groom.strands=100 --set record.settle=0",
            {3});
}

TEST_F(OnRanks, outputs_have_the_same_bytes) {
    RINGLET_TEST_FROM(full);
    const std::string turning =
        "base = 'shake'\n[groom]\nstrands = 60\nguides = 24\nvertices = 12\n[hair_hair]\n"
        "friction = 5\n[render]\nshadows = false\n[record]\nfps = 50\nsettle = 0.1\n";
    put("turning.toml", turning);
    std::vector<std::string> commands = {"simulate turning.toml --frames 5 -o NAME/",
                                         "render turning.toml --frames 3 --size 64x48 -o NAME.png"};
    if (test_level() == TestLevel::all)
        for (const char* extension : {".usda", ".abc", ".hair"})
            commands.push_back(std::string("simulate turning.toml --frames 5 -o NAME") + extension);
    for (const std::string& words : commands) {
        const auto with_name = [&](const std::string& name) {
            std::string out = words;
            return out.replace(out.find("NAME"), 4, name);
        };
        const std::string ending = words.substr(words.find("NAME") + 4);
        EXPECT_EQ(on_ranks(0, with_name("alone")).code, 0);
        const Outcome outcome = on_ranks(3, with_name("ranks"));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        if (ending != "/") {
            EXPECT_EQ(read_text(file("alone" + ending)), read_text(file("ranks" + ending)))
                << words;
            continue;
        }
        int files = 0;
        for (const auto& entry : fs::directory_iterator(file("alone"))) {
            ++files;
            EXPECT_EQ(read_text(entry.path()), read_text(file("ranks") / entry.path().filename()));
        }
        EXPECT_EQ(files, 5);
    }
    EXPECT_FALSE(has_hidden_files());
}

// The processes that a process has started.
std::vector<pid_t> children_of(pid_t parent) {
    const std::string id = std::to_string(parent);
    std::ifstream list("/proc/" + id + "/task/" + id + "/children");
    std::vector<pid_t> out;
    for (pid_t child = 0; list >> child;) out.push_back(child);
    return out;
}

TEST_F(OnRanks, killed_rank_ends_the_run_and_other_ranks_continue_it) {
    RINGLET_TEST_FROM(full);
    const std::string run =
        std::string("simulate leader -o x.hair --frames ") + (kSanitized ? "120" : "300") + kSmall;
    const std::string words = run + " --checkpoint-every 0.001";
    const pid_t launcher = start_process({"/bin/sh", "-c", "exec " + line(2, words)});
    const auto has_checkpoint = [&] { return fs::exists(file(".x.hair.checkpoint")); };
    ASSERT_TRUE(wait_until(has_checkpoint)) << errors_so_far();
    const std::vector<pid_t> ranks = children_of(launcher);
    ASSERT_FALSE(ranks.empty());
    kill(ranks.back(), SIGKILL);
    EXPECT_NE(finish(launcher).code, 0);
    EXPECT_FALSE(fs::exists(file("x.hair")));
    ASSERT_TRUE(has_checkpoint());
    const Outcome three = on_ranks(3, words + " --resume --quiet");
    EXPECT_EQ(three.code, 0) << three.err;
    const std::string continued = read_text(file("x.hair"));
    EXPECT_EQ(on_ranks(0, run).code, 0);
    EXPECT_EQ(read_text(file("x.hair")), continued);
}

TEST_F(OnRanks, errors_are_printed_once) {
    const Outcome outcome = on_ranks(3, "simulate no_such_scene");
    EXPECT_NE(outcome.code, 0);
    const std::size_t first = outcome.err.find("ringlet: ");
    ASSERT_NE(first, std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("ringlet: ", first + 1), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("no_such_scene"), std::string::npos) << outcome.err;
}

TEST_F(OnRanks, other_commands_run_once) {
    RINGLET_TEST_FROM(full);
    const Outcome outcome = on_ranks(3, "scenes");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, on_ranks(0, "scenes").out);
}

}  // namespace
}  // namespace ringlet
