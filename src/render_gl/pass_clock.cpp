#include "render_gl/pass_clock.h"

namespace ringlet {

PassClock::~PassClock() {
    for (const Frame& frame : frames_)
        if (frame.queries[0] != 0)
            glDeleteQueries(static_cast<GLsizei>(kMarks), frame.queries.data());
}

double PassClock::lap() {
    const auto now = std::chrono::steady_clock::now();
    const double ms = std::chrono::duration<double, std::milli>(now - start_).count();
    start_ = now;
    return ms;
}

// Leaves passes_ alone while the driver has no answer.
void PassClock::read(Frame& frame) {
    if (!frame.asked || frame.marks < 2) return;
    GLuint there = GL_FALSE;
    glGetQueryObjectuiv(frame.queries[frame.marks - 1], GL_QUERY_RESULT_AVAILABLE, &there);
    if (!there) return;
    frame.asked = false;
    passes_.clear();
    GLuint64 before = 0;
    glGetQueryObjectui64v(frame.queries[0], GL_QUERY_RESULT, &before);
    for (std::size_t i = 1; i < frame.marks; ++i) {
        GLuint64 after = 0;
        glGetQueryObjectui64v(frame.queries[i], GL_QUERY_RESULT, &after);
        frame.passes[i].gpu_ms = after > before ? static_cast<double>(after - before) * 1e-6 : 0;
        before = after;
        passes_.push_back(frame.passes[i]);
    }
}

void PassClock::begin_frame() {
    // The oldest first, so that the newest is kept.
    for (std::size_t i = 1; i <= kFrames; ++i) read(frames_[(current_ + i) % kFrames]);
    current_ = (current_ + 1) % kFrames;
    Frame& frame = frames_[current_];
    if (frame.queries[0] == 0)
        glCreateQueries(GL_TIMESTAMP, static_cast<GLsizei>(kMarks), frame.queries.data());
    frame.asked = false;
    frame.marks = 1;
    glQueryCounter(frame.queries[0], GL_TIMESTAMP);
    start_ = std::chrono::steady_clock::now();
}

void PassClock::end_pass(const char* name) {
    Frame& frame = frames_[current_];
    if (frame.marks == kMarks) return;
    glQueryCounter(frame.queries[frame.marks], GL_TIMESTAMP);
    if (waits_) glFinish();
    frame.passes[frame.marks++] = {name, lap(), 0};
}

void PassClock::end_frame() { frames_[current_].asked = true; }

}  // namespace ringlet
