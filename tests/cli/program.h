// Runs the ringlet program in a folder of its own and collects what it prints, returns and leaves
// behind.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/files.h"
#include "test_paths.h"
#include "unit/temp_folder.h"

namespace ringlet {

using Words = std::vector<std::string>;

struct Outcome {
    int code = -1;  // -1 when a signal ended the program
    std::string out, err;
};

inline std::string read_text(const std::filesystem::path& path) {
    const Result<std::string> text = read_file(path);
    EXPECT_TRUE(text) << text.error().text();
    return text ? *text : "";
}

// Waits up to 60 s.
inline bool wait_until(const std::function<bool()>& condition) {
    const auto start = std::chrono::steady_clock::now();
    while (!condition()) {
        if (std::chrono::steady_clock::now() - start > std::chrono::seconds(60)) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

// The program runs without a display, in work(). Its streams go to files outside that folder.
class Cli : public testing::Test {
protected:
    Cli() { std::filesystem::create_directory(work()); }

    std::filesystem::path work() const { return folder_ / "work"; }
    std::filesystem::path file(const std::string& name) const { return work() / name; }

    std::filesystem::path put(const std::string& name, const std::string& text) const {
        std::ofstream(file(name), std::ios::binary) << text;
        return file(name);
    }

    // Starts a program and returns its process id. finish() waits for it.
    pid_t start_process(Words words) const {
        const std::string out = (folder_ / "out.txt").string(),
                          err = (folder_ / "err.txt").string(), where = work().string();
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        constexpr int kFresh = O_WRONLY | O_CREAT | O_TRUNC;
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), kFresh, 0600);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), kFresh, 0600);
        posix_spawn_file_actions_addchdir_np(&actions, where.c_str());
        // A test run in the background may inherit ignored signals.
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        sigset_t signals;
        sigemptyset(&signals);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ})
            sigaddset(&signals, signal);
        posix_spawnattr_setsigdefault(&attributes, &signals);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

        std::vector<char*> arguments, variables;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        std::string program = std::string("RINGLET=") + kProgramPath;
        for (char** variable = environ; *variable; ++variable) {
            const std::string_view text(*variable);
            if (!text.starts_with("DISPLAY=") && !text.starts_with("WAYLAND_DISPLAY="))
                variables.push_back(*variable);
        }
        variables.insert(variables.end(), {program.data(), nullptr});

        pid_t child = 0;
        const int failure = posix_spawn(&child, words[0].c_str(), &actions, &attributes,
                                        arguments.data(), variables.data());
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        EXPECT_EQ(failure, 0) << "cannot start " << words[0];
        return failure == 0 ? child : 0;
    }

    pid_t start(Words words) const {
        words.insert(words.begin(), kProgramPath);
        return start_process(std::move(words));
    }

    Outcome finish(pid_t child) const {
        int status = 0;
        if (child > 0) waitpid(child, &status, 0);
        EXPECT_TRUE(WIFEXITED(status)) << "the program crashed, signal " << WTERMSIG(status);
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(folder_ / "out.txt"),
                read_text(folder_ / "err.txt")};
    }

    std::string errors_so_far() const { return read_text(folder_ / "err.txt"); }

    Outcome run(const Words& words) const { return finish(start(words)); }

    // Runs a line of shell, in which "$RINGLET" is the program.
    Outcome run_shell(const std::string& line) const {
        return finish(start_process({"/bin/sh", "-c", line}));
    }

    // Runs a command that must succeed.
    Outcome run_well(const Words& words) const {
        Outcome outcome = run(words);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome;
    }

    std::set<std::string> listing() const {
        std::set<std::string> out;
        list_folder(work(), out);
        return out;
    }

    // Hidden files are unfinished outputs.
    bool has_hidden_files() const {
        const std::set<std::string> all = listing();
        return std::any_of(all.begin(), all.end(), [](const std::string& name) {
            return std::filesystem::path(name).filename().string().starts_with(".");
        });
    }

    // An error is one line on stderr that begins with the program's name and holds all `expected`.
    static void expect_error_line(const Outcome& outcome, const Words& expected) {
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
        EXPECT_TRUE(outcome.err.starts_with("ringlet: ")) << outcome.err;
        for (const std::string& word : expected)
            EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err << "lacks " << word;
    }

    // Wrong input: exit code 1, an error line, and no file created or removed.
    void expect_refused(const Words& words, const Words& expected) const {
        Words all = words;
        all.insert(all.begin(), kProgramPath);
        expect_process_refused(std::move(all), expected);
    }

    void expect_refused_in_shell(const std::string& line, const Words& expected) const {
        expect_process_refused({"/bin/sh", "-c", line}, expected);
    }

private:
    void expect_process_refused(Words words, const Words& expected) const {
        const std::set<std::string> before = listing();
        const Outcome outcome = finish(start_process(std::move(words)));
        EXPECT_EQ(outcome.code, 1) << outcome.err;
        expect_error_line(outcome, expected);
        EXPECT_EQ(listing(), before) << "something was left behind";
    }

    // A running program may remove or rename an entry while it is listed. Such an entry is listed
    // or not; it is never an error.
    void list_folder(const std::filesystem::path& folder, std::set<std::string>& out) const {
        std::error_code gone;
        for (auto entry = std::filesystem::directory_iterator(folder, gone);
             entry != std::filesystem::directory_iterator(); entry.increment(gone)) {
            out.insert(entry->path().lexically_relative(work()).string());
            if (entry->is_directory(gone)) list_folder(entry->path(), out);
        }
    }

    TempFolder folder_;
};

// A scene that needs no mesh and no time.
inline const std::string kTinyScene =
    "[[groom.strand]]\nroot = [0, 0.3, 0]\ndirection = [1, 0, 0]\nlength = 0.1\nvertices = 8\n"
    "[[groom.strand]]\nroot = [0.1, 0.3, 0]\ndirection = [0, 0, 1]\nlength = 0.2\nvertices = 5\n";

}  // namespace ringlet
