// Runs that are killed at any moment and continued with --resume: the same bytes as an
// uninterrupted run, and nothing left behind.
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "test_level.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

// Two strands on a turning head.
const std::string kTurning = kTinyScene +
                             "[head]\nmotion = 'turn'\n[render]\nshadows = false\n[record]\nfps = "
                             "60\nwidth = 64\nheight = 48\n";

// A simulated frame takes several times as long with a sanitizer, so that fewer leave the same time
// to kill a run.
std::string frames(int count) { return std::to_string(kSanitized ? count / 3 : count); }

class Resume : public Cli {
protected:
    Resume() {
        put("tiny.toml", kTurning);
        for (const char* name : {"whole", "killed"}) fs::create_directory(file(name));
    }

    // Hidden files of the folder "killed", and those below it.
    std::set<std::string> hidden() const {
        std::set<std::string> out;
        for (const std::string& name : listing())
            if (name.starts_with("killed/") && fs::path(name).filename().string().starts_with("."))
                out.insert(fs::path(name).filename().string());
        return out;
    }
    bool has_checkpoint() const {
        for (const std::string& name : hidden())
            if (name.ends_with(".checkpoint")) return true;
        return false;
    }
    // At most two checkpoints and one unfinished file per output; two while a video is joined.
    void expect_few_hidden() const {
        int checkpoints = 0, others = 0;
        for (const std::string& name : hidden())
            ++(name.find(".checkpoint") != std::string::npos ? checkpoints : others);
        EXPECT_LE(checkpoints, 2);
        EXPECT_LE(others, 2);
    }

    // All files below a folder with their contents. Of a report, what depends on the clock and the
    // machine is left out.
    std::map<std::string, std::string> contents(const std::string& folder) const {
        std::map<std::string, std::string> out;
        for (const auto& entry : fs::recursive_directory_iterator(file(folder))) {
            if (!entry.is_regular_file()) continue;
            std::string text = read_text(entry.path());
            if (entry.path().extension() == ".json") {
                auto report = nlohmann::json::parse(text);
                for (const char* key : {"seconds", "ms_per_frame", "vertex_steps_per_second",
                                        "peak_memory_bytes", "resumed_from_frame"})
                    report.erase(key);
                text = report.dump();
            }
            out[fs::relative(entry.path(), file(folder)).string()] = text;
        }
        return out;
    }
    void expect_equal_outputs() const {
        const auto whole = contents("whole"), killed = contents("killed");
        EXPECT_FALSE(whole.empty());
        for (const auto& [name, text] : whole) {
            ASSERT_TRUE(killed.contains(name)) << name;
            EXPECT_TRUE(killed.at(name) == text) << name << " differs";
        }
        EXPECT_EQ(killed.size(), whole.size()) << "something was left behind";
    }

    static Words in_folder(Words words, const std::string& folder) {
        for (std::string& word : words)
            if (word.starts_with("OUT/")) word.replace(0, 3, folder);
        return words;
    }
    static Words with(Words words, const Words& more) {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }

    // Starts a run that writes a checkpoint after every frame, and kills it once there is one and
    // `ready` holds. Returns false if it ended before.
    bool kill_run(const Words& words, const std::function<bool()>& ready) const {
        const pid_t child = start(with(in_folder(words, "killed"), {"--checkpoint-every", "1e-9"}));
        int status = 0;
        bool ended = false;
        wait_until([&] {
            ended = waitpid(child, &status, WNOHANG) == child;
            return ended || (has_checkpoint() && ready());
        });
        if (!ended) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
        }
        expect_few_hidden();
        return !ended;
    }

    // `words` name outputs as OUT/NAME.
    void expect_resumed(const Words& words, int kills) const {
        for (const char* name : {"whole", "killed"}) {
            fs::remove_all(file(name));
            fs::create_directory(file(name));
        }
        run_well(in_folder(words, "whole"));
        Words now = words;
        bool was_killed = false;
        for (int k = 0; k < (kSanitized ? 1 : kills); ++k) {
            const auto start = std::chrono::steady_clock::now();
            const auto after = std::chrono::milliseconds(20 + 130 * k);
            if (!kill_run(now, [&] { return std::chrono::steady_clock::now() - start > after; }))
                break;
            was_killed = true;
            now = with(words, {"--resume"});
        }
        EXPECT_TRUE(was_killed);
        const Outcome outcome = run_well(in_folder(with(words, {"--resume"}), "killed"));
        EXPECT_NE(outcome.err.find("continuing at frame "), std::string::npos) << outcome.err;
        expect_equal_outputs();
    }
};

TEST_F(Resume, a_simulation_continues_to_the_same_bytes) {
    expect_resumed({"simulate", "tiny.toml", "--frames", frames(3000), "-o", "OUT/x.hair",
                    "--report", "OUT/r.json"},
                   3);
}

TEST_F(Resume, a_report_alone_continues) {
    expect_resumed({"simulate", "tiny.toml", "--frames", frames(2000), "--report", "OUT/r.json"},
                   1);
    const auto report = nlohmann::json::parse(read_text(file("killed/r.json")));
    EXPECT_GT(report["resumed_from_frame"], 0);
    EXPECT_EQ(nlohmann::json::parse(read_text(file("whole/r.json")))["resumed_from_frame"], -1);
}

TEST_F(Resume, a_folder_of_steps_continues) {
    expect_resumed({"simulate", "tiny.toml", "--frames", frames(800), "-o", "OUT/steps/"}, 2);
}

TEST_F(Resume, a_shot_in_one_usd_file_continues) {
    expect_resumed({"simulate", "tiny.toml", "--frames", frames(1500), "-o", "OUT/x.usda"}, 2);
}

TEST_F(Resume, a_range_of_a_shot_continues) {
    expect_resumed(
        {"simulate", "tiny.toml", "--range", frames(1000) + ":" + frames(1900), "-o", "OUT/x.usda"},
        2);
}

TEST_F(Resume, a_shot_of_clips_continues) {
    RINGLET_TEST_FROM(full);
    expect_resumed({"simulate", "shake", "--set", "groom.strands=300", "--set", "groom.guides=40",
                    "--frames", "30", "-o", "OUT/x.usda"},
                   2);
}

TEST_F(Resume, a_shot_in_alembic_continues) {
    expect_resumed({"simulate", "tiny.toml", "--frames", frames(1500), "-o", "OUT/x.abc"}, 3);
}

TEST_F(Resume, a_shot_of_a_head_in_alembic_continues) {
    RINGLET_TEST_FROM(full);
    expect_resumed({"simulate", "shake", "--set", "groom.strands=300", "--set", "groom.guides=40",
                    "--frames", "40", "-o", "OUT/x.abc"},
                   2);
}

TEST_F(Resume, a_video_continues) {
    expect_resumed({"render", "tiny.toml", "--frames", "130", "-o", "OUT/x.mp4"}, 2);
}

TEST_F(Resume, numbered_frames_continue) {
    expect_resumed({"render", "tiny.toml", "--frames", "60", "-o", "OUT/frames/"}, 2);
}

TEST_F(Resume, the_last_frame_continues) {
    RINGLET_TEST_FROM(full);
    expect_resumed({"render", "tiny.toml", "--frames", "3000", "-o", "OUT/x.png"}, 2);
}

TEST_F(Resume, pictures_of_a_head_continue) {
    RINGLET_TEST_FROM(all);
    for (const char* output : {"OUT/x.mp4", "OUT/frames/"})
        expect_resumed(
            {"render", "curls", "--set", "groom.strands=400", "--set", "groom.guides=60", "--set",
             "record.settle=0", "--size", "96x72", "--frames", "12", "-o", output},
            1);
}

class Damaged : public Resume {
protected:
    const std::string longer_ = std::to_string(std::stoi(frames(3000)) + 1);
    const Words words_{"simulate", "tiny.toml", "--frames", frames(3000), "-o", "OUT/x.hair"};

    void kill_and_stop() const {
        run_well(in_folder(words_, "whole"));
        ASSERT_TRUE(kill_run(words_, [&] { return hidden().size() >= 2; }));
        // A kill while a checkpoint is written leaves only one of the two.
        fs::remove(file("killed/.x.hair.checkpoint-new"));
        if (!fs::exists(newest())) fs::copy_file(before(), newest());
        if (!fs::exists(before())) fs::copy_file(newest(), before());
    }
    fs::path newest() const { return file("killed/.x.hair.checkpoint"); }
    fs::path before() const { return file("killed/.x.hair.checkpoint-before"); }
    Outcome resume(const Words& more = {}) const {
        return run(in_folder(with(with(words_, {"--resume"}), more), "killed"));
    }
    static void flip_a_bit(const fs::path& path) {
        std::string bytes = read_text(path);
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
        std::ofstream(path, std::ios::binary) << bytes;
    }
};

TEST_F(Damaged, the_checkpoint_before_a_damaged_one_is_used) {
    kill_and_stop();
    flip_a_bit(newest());
    const Outcome outcome = resume();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find(".x.hair.checkpoint: is damaged"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("continuing at frame"), std::string::npos) << outcome.err;
    expect_equal_outputs();
}

TEST_F(Damaged, without_a_usable_checkpoint_the_run_starts_again) {
    kill_and_stop();
    fs::resize_file(newest(), 200);
    std::ofstream(before()) << "no checkpoint";
    const Outcome outcome = resume();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* part : {"is cut short", "is not a checkpoint",
                             "no checkpoint can be used; starting from the beginning"})
        EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err << part;
    expect_equal_outputs();
}

TEST_F(Damaged, without_a_checkpoint_the_run_says_so_and_starts) {
    run_well(in_folder(words_, "whole"));
    const Outcome outcome = resume();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(
        outcome.err.find("killed/x.hair: there is no checkpoint; starting from the beginning"),
        std::string::npos)
        << outcome.err;
    expect_equal_outputs();
}

TEST_F(Damaged, a_run_that_differs_is_refused_in_one_line) {
    kill_and_stop();
    const auto expect_line = [&](const Words& words, const Words& expected) {
        const std::set<std::string> before = listing();
        Words quiet = in_folder(words, "killed");
        quiet.insert(quiet.end(), {"--resume", "--quiet"});
        const Outcome outcome = run(quiet);
        EXPECT_EQ(outcome.code, 1) << outcome.err;
        expect_error_line(outcome, expected);
        EXPECT_EQ(listing(), before);
    };
    expect_line({"simulate", "tiny.toml", "--frames", longer_, "-o", "OUT/x.hair"},
                {"x.hair", "cannot be resumed",
                 "--frames was " + frames(3000) + " and is " + longer_ + " now", "--resume"});
    expect_line(with(words_, {"--set", "sim.damping=3"}),
                {"cannot be resumed", "--set was nothing and is sim.damping=3 now"});
    put("tiny.toml", kTurning + "orbit = 1\n");
    expect_line(words_, {"cannot be resumed", "the file tiny.toml has changed"});
    put("tiny.toml", kTurning);
    EXPECT_EQ(resume().code, 0);
    expect_equal_outputs();
}

TEST_F(Damaged, a_run_without_resume_removes_what_is_left) {
    kill_and_stop();
    put("killed/.x.part999999999-0.hair", "left by an earlier version");
    const Outcome outcome = run_well(in_folder(words_, "killed"));
    EXPECT_NE(outcome.err.find("removing the checkpoint of an earlier run"), std::string::npos)
        << outcome.err;
    expect_equal_outputs();
}

TEST_F(Damaged, a_stopped_run_keeps_its_checkpoint) {
    run_well(in_folder(words_, "whole"));
    const pid_t child = start(with(in_folder(words_, "killed"), {"--checkpoint-every", "1e-9"}));
    ASSERT_TRUE(wait_until([&] { return has_checkpoint(); }));
    kill(child, SIGINT);
    const Outcome stopped = finish(child);
    EXPECT_EQ(stopped.code, 130);
    EXPECT_NE(stopped.err.find("; --resume continues at frame "), std::string::npos) << stopped.err;
    EXPECT_EQ(resume().code, 0);
    expect_equal_outputs();
}

// A limit on the size of files fails a write in the middle, as a full disk does.
TEST_F(Damaged, a_full_disk_is_a_warning) {
    run_well(in_folder(words_, "whole"));
    const Outcome outcome = run_shell(
        "ulimit -f 1; exec \"$RINGLET\" simulate tiny.toml -o killed/x.hair "
        "--checkpoint-every 1e-9 --frames " +
        frames(3000));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::string warning = "warning: killed/x.hair: no checkpoint could be written: ";
    const std::size_t at = outcome.err.find(warning);
    ASSERT_NE(at, std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find(warning, at + 1), std::string::npos) << "once";
    expect_equal_outputs();
}

TEST_F(Damaged, a_video_whose_unfinished_file_is_missing_starts_again) {
    const Words video{"render", "tiny.toml", "--frames", "60", "-o", "OUT/x.mp4"};
    run_well(in_folder(video, "whole"));
    ASSERT_TRUE(kill_run(video, [] { return true; }));
    fs::remove(file("killed/.x.partial.mp4"));
    // The log is empty until a segment is complete.
    for (const char* name : {"killed/.x.mp4.checkpoint", "killed/.x.mp4.checkpoint-before"})
        if (fs::exists(file(name))) flip_a_bit(file(name));
    const Outcome outcome = run_well(in_folder(with(video, {"--resume"}), "killed"));
    EXPECT_NE(outcome.err.find("starting from the beginning"), std::string::npos) << outcome.err;
    expect_equal_outputs();
}

TEST_F(Damaged, two_runs_do_not_write_one_video) {
    const Words video{"render", "tiny.toml", "--frames", "100000", "-o", "killed/x.mp4"};
    const pid_t child = start(video);
    ASSERT_TRUE(wait_until([&] { return fs::exists(file("killed/.x.partial.mp4")); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const Outcome second =
        run_shell("exec \"$RINGLET\" render tiny.toml --frames 2 -o killed/x.mp4 --quiet");
    EXPECT_EQ(second.code, 1);
    EXPECT_NE(second.err.find("another run is writing it"), std::string::npos) << second.err;
    kill(child, SIGTERM);
    EXPECT_EQ(finish(child).code, 143);
    EXPECT_TRUE(hidden().empty());
}

TEST_F(Damaged, resume_needs_an_output) {
    expect_refused({"simulate", "tiny.toml", "--frames", "2", "--resume"},
                   {"--resume", "-o or --report"});
}

}  // namespace
}  // namespace ringlet
