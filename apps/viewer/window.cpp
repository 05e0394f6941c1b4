#include "viewer/window.h"

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>

namespace ringlet {

namespace {

Window& self(GLFWwindow* window) { return *static_cast<Window*>(glfwGetWindowUserPointer(window)); }

std::string name_of(int key) {
    if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) return std::string(1, static_cast<char>(key));
    switch (key) {
        case GLFW_KEY_SPACE:
            return "Space";
        case GLFW_KEY_TAB:
            return "Tab";
        case GLFW_KEY_LEFT:
            return "Left";
        case GLFW_KEY_RIGHT:
            return "Right";
        case GLFW_KEY_UP:
            return "Up";
        case GLFW_KEY_DOWN:
            return "Down";
        case GLFW_KEY_F1:
            return "F1";
        case GLFW_KEY_ESCAPE:
            return "Escape";
        default:
            return "";
    }
}

}  // namespace

Window::Window() : ready_(glfwInit() == GLFW_TRUE) {}

Window::~Window() {
    if (handle_) glfwDestroyWindow(handle_);
    if (ready_) glfwTerminate();
}

Result<void> Window::open(int width, int height, const std::string& title) {
    if (!ready_) return Error{"no display to open a window on; use `ringlet render` instead"};
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    handle_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
    if (!handle_) return Error{"no window with OpenGL 4.5; a newer graphics driver may help"};
    glfwMakeContextCurrent(handle_);
    glfwSwapInterval(1);
    glfwSetWindowSizeLimits(handle_, 320, 240, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwSetWindowUserPointer(handle_, this);
    glfwSetKeyCallback(handle_, [](GLFWwindow* window, int key, int, int action, int mods) {
        const std::string name = name_of(key);
        if (action == GLFW_RELEASE || name.empty() || !self(window).on_key) return;
        self(window).on_key(name, {(mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_SHIFT) != 0,
                                   (mods & GLFW_MOD_ALT) != 0});
    });
    glfwSetDropCallback(handle_, [](GLFWwindow* window, int count, const char** files) {
        if (self(window).on_drop) self(window).on_drop({files, files + count});
    });
    return {};
}

void Window::poll() { glfwPollEvents(); }
void Window::swap() { glfwSwapBuffers(handle_); }
bool Window::is_closing() const { return glfwWindowShouldClose(handle_) == GLFW_TRUE; }
void Window::close() { glfwSetWindowShouldClose(handle_, GLFW_TRUE); }
void Window::set_title(const std::string& title) { glfwSetWindowTitle(handle_, title.c_str()); }
void Window::resize(int width, int height) { glfwSetWindowSize(handle_, width, height); }
double Window::now() const { return glfwGetTime(); }
void Window::size(int& width, int& height) const { glfwGetWindowSize(handle_, &width, &height); }
void Window::pixels(int& width, int& height) const {
    glfwGetFramebufferSize(handle_, &width, &height);
}

float Window::scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(handle_, &x, &y);
    // Where mouse units are larger than pixels, the scale is already part of them.
    int width = 1, height = 1, wide = 1, high = 1;
    size(width, height);
    pixels(wide, high);
    const float ratio = static_cast<float>(wide) / static_cast<float>(std::max(width, 1));
    return std::clamp(std::max(x, y) / std::max(ratio, 1.0f), 1.0f, 4.0f);
}

Modifiers Window::modifiers() const {
    const auto held = [&](int left, int right) {
        return glfwGetKey(handle_, left) == GLFW_PRESS || glfwGetKey(handle_, right) == GLFW_PRESS;
    };
    return {held(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL),
            held(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT),
            held(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT)};
}

Image Window::screenshot() const {
    int width = 0, height = 0;
    pixels(width, height);
    Image image{width, height, {}};
    const std::size_t row = static_cast<std::size_t>(width) * 4;
    image.rgba.resize(row * static_cast<std::size_t>(height));
    if (image.rgba.empty()) return image;
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    for (std::size_t k = 3; k < image.rgba.size(); k += 4) image.rgba[k] = 255;
    for (int y = 0; y < height / 2; ++y)
        std::swap_ranges(image.pixel(0, y), image.pixel(0, y) + row,
                         image.pixel(0, height - 1 - y));
    return image;
}

}  // namespace ringlet
