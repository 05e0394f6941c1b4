#include "base/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <vector>

namespace ringlet {

namespace {

using Clock = std::chrono::steady_clock;

// How often a running process is checked for its time limit and for `is_stopped`.
constexpr int kPollMilliseconds = 20;

class FileDescriptor {
public:
    explicit FileDescriptor(int value = -1) : value_(value) {}
    ~FileDescriptor() { close(); }
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    int get() const { return value_; }
    void close() {
        if (value_ >= 0) ::close(value_);
        value_ = -1;
    }

private:
    int value_;
};

// A running process. The destructor kills it and collects its exit status, so no zombie remains.
class Process {
public:
    explicit Process(pid_t id) : id_(id) {}
    ~Process() {
        if (id_ <= 0) return;
        ::kill(id_, SIGKILL);
        wait(0);
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    pid_t id() const { return id_; }
    // True if the process has exited; `status` is then that of waitpid(). A host program that
    // ignores SIGCHLD gets no status: it counts as 0, and the output decides.
    bool wait(int options) {
        pid_t done = 0;
        do done = ::waitpid(id_, &status, options);
        while (done < 0 && errno == EINTR);
        if (done == 0) return false;
        if (done < 0) status = 0;
        id_ = -1;
        return true;
    }
    int status = 0;

private:
    pid_t id_;
};

struct SpawnActions {
    SpawnActions() { posix_spawn_file_actions_init(&actions); }
    ~SpawnActions() { posix_spawn_file_actions_destroy(&actions); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    posix_spawn_file_actions_t actions;
};

struct SpawnAttributes {
    SpawnAttributes() { posix_spawnattr_init(&attributes); }
    ~SpawnAttributes() { posix_spawnattr_destroy(&attributes); }
    SpawnAttributes(const SpawnAttributes&) = delete;
    SpawnAttributes& operator=(const SpawnAttributes&) = delete;
    posix_spawnattr_t attributes;
};

// Starts the program with its standard output connected to `output`. Returns an error number.
int start(const std::filesystem::path& program, std::span<const std::string> arguments, int output,
          pid_t& id) {
    SpawnActions spawn;
    posix_spawn_file_actions_addopen(&spawn.actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&spawn.actions, output, 1);
    posix_spawn_file_actions_addopen(&spawn.actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&spawn.actions, 3);
    // The caller's signal mask and ignored signals would make the process harder to stop.
    SpawnAttributes with;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&with.attributes, &none);
    posix_spawnattr_setsigdefault(&with.attributes, &all);
    posix_spawnattr_setflags(&with.attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    return ::posix_spawn(&id, program.c_str(), &spawn.actions, &with.attributes, argv.data(),
                         environ);
}

void limit(pid_t id, const ProcessLimits& limits) {
    const auto set = [id](__rlimit_resource resource, std::uint64_t value) {
        const rlimit bound{value, value};
        // Fails only if the process has already exited.
        ::prlimit(id, resource, &bound, nullptr);
    };
    set(RLIMIT_AS, limits.memory_bytes);
    set(RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(limits.seconds)) + 1);
    set(RLIMIT_CORE, 0);
}

std::string number(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

// Reads until the process closes its output. An empty string, or what went wrong.
std::string collect(int output, Clock::time_point end, const ProcessLimits& limits,
                    const std::function<bool()>& is_stopped, std::string& bytes) {
    std::vector<char> piece(1 << 16);
    for (;;) {
        if (is_stopped && is_stopped()) return "was stopped";
        if (Clock::now() >= end) return "did not finish within " + number(limits.seconds) + " s";
        pollfd ready{output, POLLIN, 0};
        const int count = ::poll(&ready, 1, kPollMilliseconds);
        if (count == 0 || (count < 0 && errno == EINTR)) continue;
        if (count < 0) return std::string("cannot be read: ") + std::strerror(errno);
        const ssize_t got = ::read(output, piece.data(), piece.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return std::string("cannot be read: ") + std::strerror(errno);
        if (got == 0) return {};
        bytes.append(piece.data(), static_cast<std::size_t>(got));
        if (bytes.size() > limits.output_bytes)
            return "returned more than " + std::to_string(limits.output_bytes >> 20) + " MiB";
    }
}

// A process may close its output and go on; it has the rest of its time to exit.
std::string await_exit(Process& process, Clock::time_point end, const ProcessLimits& limits,
                       const std::function<bool()>& is_stopped) {
    for (int wait_ms = 1; !process.wait(WNOHANG); wait_ms = std::min(2 * wait_ms, 20)) {
        if (is_stopped && is_stopped()) return "was stopped";
        if (Clock::now() >= end) return "did not finish within " + number(limits.seconds) + " s";
        ::poll(nullptr, 0, wait_ms);
    }
    return {};
}

std::string fault_of(int status, const ProcessLimits& limits) {
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        if (signal == SIGXCPU || signal == SIGKILL)
            return "was killed; it may have used more than " + number(limits.seconds) + " s";
        return std::string("crashed (") + ::strsignal(signal) + ")";
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
        return "failed with status " + std::to_string(WEXITSTATUS(status));
    return {};
}

}  // namespace

Result<std::string> run_program(const std::filesystem::path& program,
                                std::span<const std::string> arguments, const ProcessLimits& limits,
                                const std::function<bool()>& is_stopped) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return Error{std::string("cannot be started: ") + std::strerror(errno)};
    FileDescriptor output(ends[0]), input(ends[1]);
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(limits.seconds));
    pid_t id = -1;
    if (const int failure = start(program, arguments, input.get(), id); failure != 0)
        return Error{std::string("cannot be started: ") + std::strerror(failure)};
    Process process(id);
    limit(process.id(), limits);
    input.close();
    std::string bytes;
    std::string fault = collect(output.get(), end, limits, is_stopped, bytes);
    output.close();
    if (fault.empty()) fault = await_exit(process, end, limits, is_stopped);
    if (fault.empty()) fault = fault_of(process.status, limits);
    if (!fault.empty()) return Error{fault};
    return bytes;
}

}  // namespace ringlet
