#include "terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>

namespace {

using Clock = std::chrono::steady_clock;

int terminal_columns() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string clock_text(double seconds) {
    const int whole = static_cast<int>(seconds + 0.5);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

class ProgressDisplay {
public:
    explicit ProgressDisplay(bool terminal) : terminal_(terminal) {}

    void say(std::string_view sentence) {
        clear();
        fmt::print(stderr, "{}\n", sentence);
    }

    void show(std::string_view activity, int done, int total) {
        const auto now = Clock::now();
        if (activity != activity_) {
            activity_ = activity;
            start_ = now;
            last_ = {};
            last_percent_ = -1;
        }
        const bool finished = done >= total;
        terminal_ ? draw_bar(now, done, total, finished) : print_line(done, total);
    }

private:
    // At most ten times a second: a bar that flickers tells less.
    void draw_bar(Clock::time_point now, int done, int total, bool finished) {
        if (!finished && now - last_ < std::chrono::milliseconds(100)) return;
        last_ = now;
        const double elapsed = std::chrono::duration<double>(now - start_).count();
        std::string tail = fmt::format(" {}/{} {}", done, total, clock_text(elapsed));
        if (done > 0 && !finished)
            tail += fmt::format(", {} left", clock_text(elapsed / done * (total - done)));
        const int room = terminal_columns() - 1 - static_cast<int>(activity_.size()) - 3 -
                         static_cast<int>(tail.size());
        const int width = std::clamp(room, 4, 40);
        const int filled = total > 0 ? width * done / total : width;
        fmt::print(stderr, "\r\x1b[K{} [{}{}]{}", activity_,
                   std::string(static_cast<std::size_t>(filled), '#'),
                   std::string(static_cast<std::size_t>(width - filled), '.'), tail);
        drawn_ = true;
        if (finished) {
            fmt::print(stderr, "\n");
            drawn_ = false;
        }
        std::fflush(stderr);
    }

    void print_line(int done, int total) {
        const int percent = total > 0 ? done * 10 / total * 10 : 100;
        if (percent == last_percent_) return;
        last_percent_ = percent;
        fmt::print(stderr, "{} {}/{}\n", activity_, done, total);
    }

    void clear() {
        if (drawn_) fmt::print(stderr, "\r\x1b[K");
        drawn_ = false;
    }

    bool terminal_;
    bool drawn_ = false;
    std::string activity_;
    Clock::time_point start_, last_;
    int last_percent_ = -1;
};

}  // namespace

ringlet::Listener terminal_listener(bool quiet) {
    if (quiet) return {};
    const auto display = std::make_shared<ProgressDisplay>(isatty(STDERR_FILENO) != 0);
    return {[display](std::string_view sentence) { display->say(sentence); },
            [display](std::string_view activity, int done, int total) {
                display->show(activity, done, total);
                return true;
            }};
}

int output_columns() {
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 100;
}
