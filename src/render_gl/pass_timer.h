// Measures the CPU and GPU time of each pass of a frame. GPU results are read a few frames late, so
// that measuring never blocks.
#pragma once

#include <array>
#include <chrono>
#include <span>
#include <vector>

#include "render_gl/gl_objects.h"
#include "render_gl/renderer.h"

namespace ringlet {

class PassTimer {
public:
    PassTimer() = default;
    ~PassTimer();
    PassTimer(const PassTimer&) = delete;
    PassTimer& operator=(const PassTimer&) = delete;

    // Blocks at the end of each pass until it is drawn. A software renderer defers and interleaves
    // commands, so only then do its passes have separate times.
    void wait_for_passes(bool wait) { waits_ = wait; }

    void begin_frame();
    // Attributes all commands since the last call (or begin_frame) to this pass. `name` must be a
    // string literal.
    void end_pass(const char* name);
    void end_frame();

    // The passes of the newest frame whose results are available.
    std::span<const PassTime> passes() const { return passes_; }

private:
    static constexpr std::size_t kFrames = 4;   // in flight
    static constexpr std::size_t kStamps = 16;  // per frame

    struct Frame {
        std::array<GLuint, kStamps> queries{};
        std::array<PassTime, kStamps> passes{};
        std::size_t stamps = 0;
        bool pending = false;
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
