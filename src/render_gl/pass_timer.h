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
    // Measures the parts of passes as well.
    void time_parts(bool wanted) { times_parts_ = wanted; }

    void begin_frame();
    // Attributes all commands since the last call (or begin_frame) to this pass. `name` must be a
    // string literal.
    void end_pass(const char* name);
    // The same for a part of the current pass, if parts are measured. The pass then has the time
    // that no part of it has. A name may occur more than once in a frame.
    void end_part(const char* name);
    void end_frame();

    // The passes of the newest frame whose results are available.
    std::span<const PassTime> passes() const { return passes_; }

private:
    static constexpr std::size_t kFrames = 4;                 // in flight
    static constexpr std::size_t kPasses = 16, kParts = 240;  // per frame, at most
    static constexpr std::size_t kStamps = kPasses + kParts;

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
    bool waits_ = false, times_parts_ = false;
    std::chrono::steady_clock::time_point start_{};
    std::vector<PassTime> passes_;
};

}  // namespace ringlet
