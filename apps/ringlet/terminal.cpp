#include "terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>

namespace {

using Clock = std::chrono::steady_clock;

int output_failure = 0;  // errno

int columns_of(int stream, int otherwise) {
    winsize size{};
    return ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : otherwise;
}

void write_to_stderr(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

// "3:07", or "2:03:07" from one hour on.
std::string clock_text(double seconds) {
    constexpr double kMax = 1e9;  // 30 years: an estimate after the first frames may be anything
    const std::int64_t whole = std::llround(std::clamp(seconds, 0.0, kMax));
    const std::int64_t minutes = whole / 60;
    if (minutes < 60) return fmt::format("{}:{:02}", minutes, whole % 60);
    return fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, whole % 60);
}

class ProgressDisplay {
public:
    explicit ProgressDisplay(bool terminal) : terminal_(terminal) {}

    // Messages quote names from files, which may contain control characters.
    void log(std::string_view message) {
        std::string line(message);
        std::ranges::replace_if(
            line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
        write_to_stderr(fmt::format("{}{}\n", bar_is_open_ ? "\r\x1b[K" : "", line));
        bar_is_open_ = false;
    }

    void show(std::string_view activity, int done, int total) {
        const auto now = Clock::now();
        if (activity != activity_) {
            activity_ = activity;
            start_ = now;
            last_ = {};
            last_tenth_ = -1;
        }
        terminal_ ? draw_bar(now, done, total) : print_line(done, total);
    }

private:
    // Redraws at most ten times a second: a bar that flickers cannot be read.
    void draw_bar(Clock::time_point now, int done, int total) {
        const bool finished = done >= total;
        if (!finished && now - last_ < std::chrono::milliseconds(100)) return;
        last_ = now;
        const double seconds = std::chrono::duration<double>(now - start_).count();
        const int columns = columns_of(STDERR_FILENO, 80) - 1;
        write_to_stderr(fmt::format("\r\x1b[K{}{}",
                                    progress_bar(activity_, done, total, seconds, columns),
                                    finished ? "\n" : ""));
        bar_is_open_ = !finished;
    }

    void print_line(int done, int total) {
        const std::int64_t tenth = total > 0 ? std::int64_t{done} * 10 / total : 10;
        if (tenth == last_tenth_) return;
        last_tenth_ = tenth;
        write_to_stderr(fmt::format("{} {}/{}\n", activity_, done, total));
    }

    bool terminal_;
    bool bar_is_open_ = false;  // the cursor is at the end of a bar
    std::string activity_;
    Clock::time_point start_, last_;
    std::int64_t last_tenth_ = -1;
};

// Progress is not worth a failure: a job goes on when there is no memory to show it.
template <class Call>
void ignoring_exceptions(const Call& call) {
    try {
        call();
    } catch (...) {
    }
}

}  // namespace

void open_standard_streams() {
    // open() returns the lowest free number, so the streams are visited in order.
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) (void)!open("/dev/null", O_RDWR);
}

void print(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && output_failure == 0)
        output_failure = errno;
}

void print_error(std::string_view message) {
    ignoring_exceptions([&] { write_to_stderr(fmt::format("ringlet: {}\n", message)); });
}

int finish_output() {
    if (std::fflush(stdout) != 0 && output_failure == 0) output_failure = errno;
    if (std::ferror(stdout) != 0 && output_failure == 0) output_failure = EIO;
    return output_failure;
}

ringlet::Listener terminal_listener() {
    const auto display = std::make_shared<ProgressDisplay>(isatty(STDERR_FILENO) != 0);
    ringlet::Listener out;
    out.log = [display](std::string_view message) {
        ignoring_exceptions([&] { display->log(message); });
    };
    out.warn = [display](const ringlet::Warning& warning) {
        ignoring_exceptions([&] { display->log("ringlet: warning: " + warning.line()); });
    };
    out.progress = [display](std::string_view activity, int done, int total) {
        ignoring_exceptions([&] { display->show(activity, done, total); });
        return true;
    };
    return out;
}

std::string progress_bar(std::string_view activity, int done, int total, double seconds,
                         int columns) {
    std::string tail = fmt::format(" {}/{} {}", done, total, clock_text(seconds));
    if (done > 0 && done < total) {
        const double left = seconds / done * (static_cast<double>(total) - done);
        tail += fmt::format(", {} left", clock_text(left));
    }
    const int room = columns - static_cast<int>(activity.size() + tail.size()) - 3;
    const int width = std::clamp(room, 4, 40);
    const double share = total > 0 ? static_cast<double>(done) / total : 1;
    const auto filled = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * width);
    return fmt::format("{} [{}{}]{}", activity, std::string(filled, '#'),
                       std::string(static_cast<std::size_t>(width) - filled, '.'), tail);
}

int output_columns() { return columns_of(STDOUT_FILENO, 100); }
