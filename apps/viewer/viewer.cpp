#include "viewer/viewer.h"

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>

#include "render_gl/renderer.h"
#include "session/draw.h"
#include "session/parts.h"
#include "viewer/orbit.h"

namespace ringlet {

namespace {

constexpr double kMaxBacklog = 0.1;  // s; a slow machine shows slow motion rather than freezing

// GLFW and its window, closed in the right order whatever happens.
class Window {
public:
    Window() : ready_(glfwInit() == GLFW_TRUE) {}
    ~Window() {
        if (handle_) glfwDestroyWindow(handle_);
        if (ready_) glfwTerminate();
    }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    Result<void> open(int width, int height, const std::string& title) {
        if (!ready_) return Error{"no display to open a window on; use `ringlet render` instead"};
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        handle_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
        if (!handle_) return Error{"no window with OpenGL 4.5; a newer graphics driver may help"};
        glfwMakeContextCurrent(handle_);
        return {};
    }
    GLFWwindow* handle() const { return handle_; }

private:
    bool ready_ = false;
    GLFWwindow* handle_ = nullptr;
};

class Viewer {
public:
    Viewer(GLFWwindow* window, Session& session)
        : window_(window), session_(session), orbit_(session.parts().scene.camera) {
        glfwSetWindowUserPointer(window, this);
        glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int, int action, int mods) {
            if (action != GLFW_RELEASE) self(w).on_key(key, mods);
        });
        glfwSetScrollCallback(window, [](GLFWwindow* w, double, double y) {
            self(w).orbit_.zoom(y > 0 ? 0.9f : 1 / 0.9f);
        });
        glfwSetCursorPosCallback(
            window, [](GLFWwindow* w, double x, double y) { self(w).on_cursor(x, y); });
    }

    void run(Renderer& renderer) {
        session_.parts().advance_to(time_);
        double last = glfwGetTime();
        while (!glfwWindowShouldClose(window_)) {
            glfwPollEvents();
            const double now = glfwGetTime();
            advance(now - last);
            last = now;
            Picture picture = picture_of(session_);
            picture.camera = orbit_.camera();
            int width = 0, height = 0;
            glfwGetFramebufferSize(window_, &width, &height);
            if (width > 0 && height > 0) renderer.draw(picture, width, height, 0);
            glfwSwapBuffers(window_);
        }
    }

private:
    static Viewer& self(GLFWwindow* window) {
        return *static_cast<Viewer*>(glfwGetWindowUserPointer(window));
    }

    // Real time is gathered, whole steps are taken, the rest is interpolated for display.
    void advance(double elapsed) {
        if (paused_) return;
        time_ += std::min(elapsed, kMaxBacklog);
        session_.parts().advance_to(time_);
    }

    void on_key(int key, int mods) {
        Session::Parts& parts = session_.parts();
        switch (key) {
            case GLFW_KEY_SPACE:
                paused_ = !paused_;
                break;
            case GLFW_KEY_H:
                paused_ = true;
                session_.step();
                time_ = session_.time();
                parts.advance_to(time_);
                break;
            case GLFW_KEY_R:
                session_.reset();
                time_ = 0;
                parts.advance_to(time_);
                break;
            case GLFW_KEY_G:
                for (Actor& actor : parts.actors)
                    actor.simulation->set_gravity(mods & GLFW_MOD_ALT ? Vec3f{0, 0, 0}
                                                                      : actor.scene.sim.gravity);
                break;
            case GLFW_KEY_W:
                orbit_.zoom(0.95f);
                break;
            case GLFW_KEY_S:
                orbit_.zoom(1 / 0.95f);
                break;
            case GLFW_KEY_A:
                orbit_.turn(-0.05f, 0);
                break;
            case GLFW_KEY_D:
                orbit_.turn(0.05f, 0);
                break;
            case GLFW_KEY_Q:
                orbit_.raise(0.01f);
                break;
            case GLFW_KEY_E:
                orbit_.raise(-0.01f);
                break;
            case GLFW_KEY_ESCAPE:
                glfwSetWindowShouldClose(window_, GLFW_TRUE);
                break;
            default:
                break;
        }
    }

    void on_cursor(double x, double y) {
        int width = 1, height = 1;
        glfwGetWindowSize(window_, &width, &height);
        const auto dx = static_cast<float>((x - cursor_x_) / std::max(height, 1));
        const auto dy = static_cast<float>((y - cursor_y_) / std::max(height, 1));
        cursor_x_ = x;
        cursor_y_ = y;
        if (glfwGetMouseButton(window_, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS)
            orbit_.turn(-3 * dx, 3 * dy);
        else if (glfwGetMouseButton(window_, GLFW_MOUSE_BUTTON_RIGHT) == GLFW_PRESS)
            orbit_.pan(-dx, dy);
    }

    GLFWwindow* window_;
    Session& session_;
    Orbit orbit_;
    bool paused_ = false;
    double time_ = 0;  // s, what is shown
    double cursor_x_ = 0, cursor_y_ = 0;
};

}  // namespace

Result<void> view(const std::string& scene, const SessionOptions& options,
                  const Listener& listener) {
    Result<Session> session = Session::open(scene, options, listener);
    if (!session) return session.error();
    const Record& record = session->parts().scene.record;
    Window window;
    const Result<void> opened = window.open(record.width, record.height, "Ringlet: " + scene);
    if (!opened) return opened;
    Result<Renderer> renderer = Renderer::create();
    if (!renderer) return renderer.error();
    listener.say("drag to orbit, right drag to pan, scroll or W/S to zoom, A/D Q/E to move;");
    listener.say("space pauses, H single step, R reset, G / Alt+G gravity on / off, Esc closes");
    Viewer(window.handle(), *session).run(*renderer);
    return {};
}

}  // namespace ringlet
