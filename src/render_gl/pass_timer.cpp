#include "render_gl/pass_timer.h"

namespace ringlet {

PassTimer::~PassTimer() {
    for (const Frame& frame : frames_)
        if (frame.queries[0] != 0)
            glDeleteQueries(static_cast<GLsizei>(kStamps), frame.queries.data());
}

double PassTimer::lap() {
    const auto now = std::chrono::steady_clock::now();
    const double ms = std::chrono::duration<double, std::milli>(now - start_).count();
    start_ = now;
    return ms;
}

// Leaves passes_ unchanged while the driver has no result.
void PassTimer::read(Frame& frame) {
    if (!frame.pending || frame.stamps < 2) return;
    GLuint available = GL_FALSE;
    glGetQueryObjectuiv(frame.queries[frame.stamps - 1], GL_QUERY_RESULT_AVAILABLE, &available);
    if (!available) return;
    frame.pending = false;
    passes_.clear();
    GLuint64 before = 0;
    glGetQueryObjectui64v(frame.queries[0], GL_QUERY_RESULT, &before);
    for (std::size_t i = 1; i < frame.stamps; ++i) {
        GLuint64 after = 0;
        glGetQueryObjectui64v(frame.queries[i], GL_QUERY_RESULT, &after);
        frame.passes[i].gpu_ms = after > before ? static_cast<double>(after - before) * 1e-6 : 0;
        before = after;
        passes_.push_back(frame.passes[i]);
    }
}

void PassTimer::begin_frame() {
    // Oldest first, so that passes_ ends up with the newest.
    for (std::size_t i = 1; i <= kFrames; ++i) read(frames_[(current_ + i) % kFrames]);
    current_ = (current_ + 1) % kFrames;
    Frame& frame = frames_[current_];
    if (frame.queries[0] == 0)
        glCreateQueries(GL_TIMESTAMP, static_cast<GLsizei>(kStamps), frame.queries.data());
    frame.pending = false;
    frame.stamps = 1;
    glQueryCounter(frame.queries[0], GL_TIMESTAMP);
    start_ = std::chrono::steady_clock::now();
}

void PassTimer::end_pass(const char* name) {
    Frame& frame = frames_[current_];
    if (frame.stamps == kStamps) return;
    glQueryCounter(frame.queries[frame.stamps], GL_TIMESTAMP);
    if (waits_) glFinish();
    frame.passes[frame.stamps++] = {name, lap(), 0};
}

void PassTimer::end_part(const char* name) {
    if (times_parts_ && frames_[current_].stamps < kParts) end_pass(name);
}

void PassTimer::end_frame() { frames_[current_].pending = true; }

}  // namespace ringlet
