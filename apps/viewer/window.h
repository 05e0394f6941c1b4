// GLFW and its window, closed in the right order whatever happens.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ringlet/image.h"
#include "ringlet/result.h"
#include "viewer/keys.h"

struct GLFWwindow;

namespace ringlet {

class Window {
public:
    Window();
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    Result<void> open(int width, int height, const std::string& title);

    // What people do, as it happens.
    std::function<void(std::string_view key, Modifiers with)> on_key;
    std::function<void(const std::vector<std::string>& files)> on_drop;

    GLFWwindow* handle() const { return handle_; }
    void poll();
    void swap();
    bool is_closing() const;
    void close();
    void set_title(const std::string& title);
    void resize(int width, int height);
    double now() const;  // s
    // In the units of the mouse, and in pixels.
    void size(int& width, int& height) const;
    void pixels(int& width, int& height) const;
    // How much larger than usual things must be drawn to be read.
    float scale() const;
    Modifiers modifiers() const;
    // What was drawn since the last swap.
    Image screenshot() const;

private:
    bool ready_ = false;
    GLFWwindow* handle_ = nullptr;
};

}  // namespace ringlet
