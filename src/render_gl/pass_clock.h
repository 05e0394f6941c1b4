// How long each pass of a frame takes, by the clock of the one who draws. Answers are asked for a
// few frames late, so that measuring never makes anyone wait.
#pragma once

#include <array>
#include <chrono>
#include <span>
#include <vector>

#include "render_gl/gl_objects.h"
#include "render_gl/renderer.h"

namespace ringlet {

class PassClock {
public:
    PassClock() = default;
    ~PassClock();
    PassClock(const PassClock&) = delete;
    PassClock& operator=(const PassClock&) = delete;

    // Every pass ends only when it is drawn. The software renderer puts off and mixes what is asked
    // of it: only so do its passes have times of their own.
    void wait_for_passes(bool wait) { waits_ = wait; }

    void begin_frame();
    // What was asked for since the last call (or begin_frame) was this pass. `name` must live on.
    void end_pass(const char* name);
    void end_frame();

    // Of the newest frame whose answers are there.
    std::span<const PassTime> passes() const { return passes_; }

private:
    static constexpr std::size_t kFrames = 4;  // under way at most
    static constexpr std::size_t kMarks = 16;  // per frame

    struct Frame {
        std::array<GLuint, kMarks> queries{};
        std::array<PassTime, kMarks> passes{};
        std::size_t marks = 0;
        bool asked = false;
    };
    double lap();
    void read(Frame& frame);

    std::array<Frame, kFrames> frames_;
    std::size_t current_ = 0;
    bool waits_ = false;
    std::chrono::steady_clock::time_point start_{};
    std::vector<PassTime> passes_;
};

}  // namespace ringlet
