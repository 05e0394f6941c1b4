// Owns GLFW and one window, and destroys them in the right order.
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

    // Opens the window. `width` and `height` are pixels at scale 1; high-density screens use more.
    Result<void> open(int width, int height, const std::string& title);

    // Event callbacks, called from poll().
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
    // Window size in mouse units, and in pixels.
    void size(int& width, int& height) const;
    void pixels(int& width, int& height) const;
    // Scale factor of the user interface, 1 on an ordinary screen.
    float scale() const;
    Modifiers modifiers() const;
    // Reads the back buffer: the frame drawn since the last swap.
    Image screenshot() const;

private:
    bool ready_ = false;
    GLFWwindow* handle_ = nullptr;
};

}  // namespace ringlet
