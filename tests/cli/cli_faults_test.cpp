// The program under faults: closed or full streams, full disks, too little memory, signals.
#include <sys/stat.h>

#include "cli/program.h"
#include "test_level.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

// AddressSanitizer reserves terabytes of address space, so a limit on that cannot be tested.
constexpr bool kCanLimitMemory = !kSanitized;

class Faults : public Cli {
protected:
    Faults() { put("tiny.toml", kTinyScene + "[render]\nshadows = false\n"); }

    // The smallest limit, in KiB, under which a small scene still runs.
    int smallest_memory() const {
        for (int limit = 150000; limit < 4000000; limit += 50000)
            if (run_shell(with_memory(limit, "simulate tiny.toml --frames 2 --quiet")).code == 0)
                return limit;
        return 0;
    }
    static std::string with_memory(int limit, const std::string& words) {
        return "ulimit -v " + std::to_string(limit) + "; exec \"$RINGLET\" " + words;
    }

    // Starts the program, sends the signal once `ready` holds, and returns how it ends.
    Outcome stop(const Words& words, int signal, const std::function<bool()>& ready) const {
        const pid_t child = start(words);
        EXPECT_TRUE(wait_until(ready)) << words[0];
        kill(child, signal);
        return finish(child);
    }
};

TEST_F(Faults, closed_streams_do_not_stop_a_job_and_no_text_enters_its_output) {
    for (const char* streams : {"2>&-", "1>&-", "0<&- 1>&- 2>&-"}) {
        const Outcome outcome = run_shell(
            std::string("exec \"$RINGLET\" render tiny.toml -o x.mp4 --size 64x48 --frames 12 ") +
            streams);
        EXPECT_EQ(outcome.code, 0) << streams << outcome.err;
        EXPECT_EQ(read_text(file("x.mp4")).find("rendering"), std::string::npos) << streams;
        fs::remove(file("x.mp4"));
        EXPECT_EQ(listing(), std::set<std::string>{"tiny.toml"}) << streams;
    }
}

TEST_F(Faults, a_full_stderr_does_not_stop_a_job) {
    const Outcome outcome =
        run_shell("exec \"$RINGLET\" simulate tiny.toml --frames 20 -o x.hair 2>/dev/full");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.out.find("hash "), std::string::npos);
    EXPECT_TRUE(fs::exists(file("x.hair")));
    EXPECT_EQ(run_shell("exec \"$RINGLET\" simulate nothing.toml 2>/dev/full").code, 1);
    EXPECT_EQ(run_shell("exec \"$RINGLET\" simulate --frames 0 2>/dev/full").code, 2);
}

TEST_F(Faults, a_full_stdout_is_an_error) {
    run_well({"groom", "tiny.toml", "-o", "x.hair"});
    for (const char* words :
         {"--help", "--version", "render --help", "scenes", "scenes --keys", "scenes curls",
          "info x.hair", "info x.hair --json", "simulate tiny.toml --frames 2 2>/dev/null",
          "groom tiny.toml -o x.hair", "convert x.hair y.hair"}) {
        const Outcome outcome = run_shell("\"$RINGLET\" " + std::string(words) + " >/dev/full");
        EXPECT_EQ(outcome.code, 1) << words;
        const bool says_why = outcome.err.find("No space left on device") != std::string::npos;
        EXPECT_TRUE(says_why || std::string(words).ends_with("2>/dev/null"))
            << words << ": " << outcome.err;
    }
}

TEST_F(Faults, a_reader_that_leaves_early_is_no_error) {
    const Outcome outcome = run_shell("\"$RINGLET\" scenes --keys | head -n 1");
    EXPECT_EQ(outcome.err, "");
}

TEST_F(Faults, progress_into_a_closed_pipe_does_not_stop_a_job) {
    const Outcome outcome = run_shell(
        "{ \"$RINGLET\" render tiny.toml -o x.mp4 --size 64x48 --frames 24; "
        "echo $? >code; } 2>&1 >/dev/null | true");
    EXPECT_EQ(read_text(file("code")), "0\n") << outcome.err;
    EXPECT_FALSE(has_hidden_files());
}

TEST_F(Faults, too_little_memory_is_one_line) {
    if (!kCanLimitMemory) GTEST_SKIP() << "the sanitizer needs unlimited address space";
    const int limit = smallest_memory();
    ASSERT_GT(limit, 0);
    const std::string large = " --quiet --set groom.strands=900000 --set record.settle=0";
    for (const std::string& words :
         {"simulate curls --frames 2 -o x.hair" + large, "groom curls -o x.hair" + large,
          "simulate bunny --frames 2 --set fur.style=strands" + large})
        expect_refused_in_shell(with_memory(limit, words), {"not enough memory", "groom.strands"});
}

// As on a machine with many cores, whose threads alone could take all the memory.
TEST_F(Faults, too_little_memory_for_the_threads_starts_fewer) {
    RINGLET_TEST_FROM(full);
    if (!kCanLimitMemory) GTEST_SKIP() << "the sanitizer needs unlimited address space";
    for (const int limit : {600000, 1000000}) {
        const Outcome outcome =
            run_shell(with_memory(limit, "simulate tiny.toml --frames 2 --threads 512"));
        EXPECT_EQ(outcome.code, 0) << limit << outcome.err;
        expect_refused_in_shell(with_memory(limit,
                                            "simulate curls --frames 2 --threads 512 --quiet "
                                            "--set groom.strands=900000"),
                                {"not enough memory", "groom.strands"});
    }
}

// Drivers that start with too little memory crash.
TEST_F(Faults, too_little_memory_for_opengl_is_one_line) {
    if (!kCanLimitMemory) GTEST_SKIP() << "the sanitizer needs unlimited address space";
    const int limit = smallest_memory();
    ASSERT_GT(limit, 0);
    for (const int more : {100'000, 300'000, 500'000})  // KiB; the driver needs more
        expect_refused_in_shell(with_memory(limit + more, "render tiny.toml -o x.png --size 64x48"),
                                {"not enough memory for OpenGL", "ulimit -v"});
}

TEST_F(Faults, too_little_memory_for_a_file_is_one_line) {
    if (!kCanLimitMemory) GTEST_SKIP() << "the sanitizer needs unlimited address space";
    const int limit = smallest_memory();
    ASSERT_GT(limit, 0);
    // 600 MB of zeros that take no room on the disk.
    for (const char* name : {"large.hair", "large.obj"}) {
        put(name, "");
        fs::resize_file(file(name), 600'000'000);
        expect_refused_in_shell(with_memory(limit, std::string("info ") + name),
                                {"not enough memory"});
    }
    expect_refused_in_shell(with_memory(limit, "convert large.hair y.hair"), {"not enough memory"});
}

TEST_F(Faults, sigint_keeps_finished_frames_and_removes_the_unfinished) {
    const Outcome outcome =
        stop({"render", "tiny.toml", "-o", "frames/", "--size", "64x48", "--frames", "100000"},
             SIGINT, [&] { return fs::exists(file("frames/render0002.png")); });
    EXPECT_EQ(outcome.code, 130);
    EXPECT_NE(outcome.err.find("ringlet: frames/: stopped after "), std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find("kept"), std::string::npos) << outcome.err;
    EXPECT_FALSE(has_hidden_files());
    int frames = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(file("frames"))) {
        const std::string png = read_text(entry.path());
        EXPECT_NE(png.find("IEND"), std::string::npos) << entry.path();
        ++frames;
    }
    EXPECT_GE(frames, 3);
    EXPECT_NE(outcome.err.find("stopped after " + std::to_string(frames) + " of 100000 frames"),
              std::string::npos)
        << frames << outcome.err;
}

TEST_F(Faults, sigterm_leaves_no_unfinished_video) {
    const Outcome outcome = stop(
        {"render", "tiny.toml", "-o", "x.mp4", "--size", "64x48", "--frames", "100000", "--quiet"},
        SIGTERM, [&] { return has_hidden_files(); });
    EXPECT_EQ(outcome.code, 143);
    expect_error_line(outcome, {"x.mp4", "stopped", "not written"});
    EXPECT_EQ(listing(), std::set<std::string>{"tiny.toml"});
}

TEST_F(Faults, a_signal_stops_encoding) {
    run_well({"render", "tiny.toml", "-o", "frames/", "--size", "64x48", "--frames", "2"});
    for (int k = 2; k < 3000; ++k)
        fs::create_hard_link(file("frames/render0000.png"),
                             file("frames/render" + std::to_string(10000 + k) + ".png"));
    const std::set<std::string> before = listing();
    const Outcome outcome = stop({"video", "frames", "-o", "x.mp4", "--delete-frames", "--quiet"},
                                 SIGINT, [&] { return has_hidden_files(); });
    EXPECT_EQ(outcome.code, 130);
    EXPECT_EQ(listing(), before);
}

TEST_F(Faults, a_signal_stops_grooming_and_settling_within_seconds) {
    const auto start = std::chrono::steady_clock::now();
    const Outcome outcome = stop(
        {"simulate", "curls", "-o", "x.hair", "--frames", "2", "--set", "groom.strands=3000",
         "--set", "groom.guides=0", "--set", "record.settle=60", "--quiet"},
        SIGINT, [&] { return std::chrono::steady_clock::now() - start > std::chrono::seconds(2); });
    EXPECT_EQ(outcome.code, 130);
    expect_error_line(outcome, {"stopped"});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
    EXPECT_EQ(listing(), std::set<std::string>{"tiny.toml"});
}

TEST_F(Faults, a_second_signal_ends_the_program_at_once) {
    // Nobody reads from the pipe, so the program blocks when it opens it.
    ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
    const pid_t child = start({"simulate", "tiny.toml", "--frames", "1", "--report", "pipe"});
    const bool simulated =
        wait_until([&] { return errors_so_far().find("simulating 1/1") != std::string::npos; });
    EXPECT_TRUE(simulated);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    kill(child, SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_EQ(waitpid(child, nullptr, WNOHANG), 0) << "one signal is not enough here";
    kill(child, SIGTERM);
    EXPECT_EQ(finish(child).code, 143);
}

TEST_F(Faults, a_full_disk_leaves_nothing_behind) {
    // A limit on the size of files fails a write in the middle, as a full disk does.
    put("bead.obj",
        "v 0 0 0\nv 0.01 0 0\nv 0 0 0.01\nv 0 0.01 0\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
    put("bead.toml", "[groom]\nmesh = 'bead.obj'\nscalp = ''\nstrands = 100\nvertices = 12\n");
    const std::string limited = "ulimit -f 1; exec \"$RINGLET\" ";
    const std::string drawn = " --frames 24 --size 320x240 --quiet";
    expect_refused_in_shell(limited + "groom bead.toml -o new/x.hair --quiet",
                            {"new/x.hair", "cannot be written", "File too large"});
    expect_refused_in_shell(limited + "simulate bead.toml --frames 2 -o frames/ --quiet",
                            {"frames/frame0000.hair", "File too large"});
    expect_refused_in_shell(limited + "render tiny.toml -o x.png" + drawn,
                            {"x.png", "File too large"});
    expect_refused_in_shell(limited + "render tiny.toml -o x.mp4" + drawn,
                            {"x.mp4", "File too large"});
    expect_refused({"simulate", "tiny.toml", "--frames", "1", "--quiet", "--report", "/dev/full"},
                   {"/dev/full", "No space left on device"});
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Faults, a_folder_that_cannot_be_written_to_is_not_called_missing) {
    // Not even root creates files or folders in /sys.
    for (const Words& words :
         {Words{"groom", "tiny.toml", "-o", "/sys/ringlet/x.hair", "--quiet"},
          Words{"groom", "tiny.toml", "-o", "/sys/x.hair", "--quiet"},
          Words{"render", "tiny.toml", "-o", "/sys/ringlet/x.mp4", "--size", "64x48", "--frames",
                "1", "--quiet"},
          Words{"simulate", "tiny.toml", "-o", "/sys/ringlet/", "--frames", "1", "--quiet"}}) {
        expect_refused(words, {"/sys/", "cannot be written"});
        const std::string message = run(words).err;
        EXPECT_EQ(message.find("No such file"), std::string::npos) << message;
        const bool says_why = message.find("not permitted") != std::string::npos ||
                              message.find("denied") != std::string::npos ||
                              message.find("Read-only") != std::string::npos;
        EXPECT_TRUE(says_why) << message;
    }
}

TEST_F(Faults, outputs_that_cannot_be_written_are_refused_before_the_work) {
    fs::create_directory(file("taken.png"));
    fs::create_directory(file("taken.hair"));
    fs::create_directory(file("taken.json"));
    put("file", "not a folder");
    // Without --quiet: work would show as progress.
    expect_refused({"render", "tiny.toml", "-o", "taken.png"}, {"taken.png", "folder"});
    expect_refused({"simulate", "tiny.toml", "-o", "taken.hair"}, {"taken.hair", "folder"});
    expect_refused({"simulate", "tiny.toml", "--report", "taken.json"}, {"taken.json", "folder"});
    expect_refused({"groom", "tiny.toml", "-o", "taken.hair"}, {"taken.hair", "folder"});
    expect_refused({"render", "tiny.toml", "-o", "file/x.png"}, {"file/x.png", "not a folder"});
    expect_refused({"simulate", "tiny.toml", "-o", "file/"}, {"file/", "not a folder"});
    expect_refused({"video", ".", "-o", "taken.png"}, {"taken.png"});
    expect_refused({"sheet", "tiny.toml", "-o", "taken.png"}, {"taken.png", "folder"});
}

TEST_F(Faults, an_output_that_is_also_the_input_is_refused) {
    run_well({"groom", "tiny.toml", "-o", "x.hair", "--quiet"});
    fs::create_symlink("x.hair", file("link.hair"));
    const std::string strands = read_text(file("x.hair"));
    expect_refused({"convert", "x.hair", "./x.hair"}, {"x.hair", "input"});
    expect_refused({"convert", "x.hair", "link.hair"}, {"link.hair", "input"});
    expect_refused({"simulate", "tiny.toml", "--frames", "1", "--report", "tiny.toml"},
                   {"tiny.toml", "input"});
    EXPECT_EQ(read_text(file("x.hair")), strands);
    EXPECT_TRUE(read_text(file("tiny.toml")).starts_with(kTinyScene));
}

TEST_F(Faults, a_link_as_output_stays_a_link) {
    fs::create_directory(file("elsewhere"));
    fs::create_symlink("elsewhere/x.hair", file("link.hair"));
    run_well({"groom", "tiny.toml", "-o", "link.hair", "--quiet"});
    run_well({"groom", "tiny.toml", "-o", "link.hair", "--quiet"});
    EXPECT_TRUE(fs::is_symlink(file("link.hair")));
    EXPECT_TRUE(fs::is_regular_file(file("elsewhere/x.hair")));
}

}  // namespace
}  // namespace ringlet
