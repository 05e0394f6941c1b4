#include "render_gl/message_log.h"

#include <epoxy/gl.h>

namespace ringlet {

namespace {

// Bounds the memory used by a driver that reports something in every frame.
constexpr std::size_t kMaxMessages = 100;

void on_message(GLenum, GLenum type, GLuint, GLenum severity, GLsizei length, const GLchar* text,
                const void* log) {
    if (severity == GL_DEBUG_SEVERITY_NOTIFICATION) return;
    const std::string message =
        length < 0 ? std::string(text) : std::string(text, static_cast<std::size_t>(length));
    static_cast<MessageLog*>(const_cast<void*>(log))
        ->add(message, type == GL_DEBUG_TYPE_PERFORMANCE);
}

}  // namespace

MessageLog::MessageLog() {
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(on_message, this);
}

MessageLog::~MessageLog() {
    void* listener = nullptr;
    glGetPointerv(GL_DEBUG_CALLBACK_USER_PARAM, &listener);
    if (listener == this) glDebugMessageCallback(nullptr, nullptr);
}

void MessageLog::add(std::string message, bool is_performance) {
    std::vector<std::string>& list = is_performance ? performance_ : messages_;
    if (list.size() < kMaxMessages) list.push_back(std::move(message));
}

void MessageLog::collect_errors() {
    for (GLenum error = glGetError(); error != GL_NO_ERROR; error = glGetError()) {
        add("GL error " + std::to_string(error));
        if (error == GL_CONTEXT_LOST) return;  // glGetError() would return it forever
    }
}

}  // namespace ringlet
