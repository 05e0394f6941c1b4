// Dear ImGui in our window: its frames, its looks, and a mouse that a script may move.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "viewer/keys.h"
#include "viewer/layout.h"
#include "viewer/window.h"

namespace ringlet {

struct ScreenPoint {
    float x = 0, y = 0;
};
struct ScreenRect {
    float x = 0, y = 0, width = 0, height = 0;
    bool contains(ScreenPoint p) const {
        return p.x >= x && p.x < x + width && p.y >= y && p.y < y + height;
    }
};

// A mouse moved by a script instead of a hand.
struct ScriptedMouse {
    ScreenPoint at;
    bool left = false, right = false;
};

// What people asked the panels for, to be done when the frame is drawn.
struct Wishes {
    std::vector<Action> actions;
    std::string open, preset, save;  // a name or path, or nothing
};

// What the panels keep between frames.
struct Ui {
    Layout layout;
    std::string filter;      // only parameters whose key or sentence has this
    std::string reveal;      // a key to be brought into view
    std::string open_panel;  // a panel to be opened and brought into view
    std::string save_name, open_name;
    std::string typed;  // in the text that is being edited
    bool show_help = false;
    std::string message;
    bool message_is_error = false;
    double message_time = -1e9;                 // s
    std::map<std::string, ScreenRect> widgets;  // where each key was last seen
    bool is_editing = false;                    // a widget is held
    Wishes wishes;
};

class Gui {
public:
    explicit Gui(Window& window);
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    void begin_frame(const std::optional<ScriptedMouse>& mouse);
    void end_frame();

    bool wants_mouse() const;
    bool wants_text() const;
    float scale() const { return scale_; }

private:
    float scale_;
};

// Text on the picture, easy to read on anything.
void draw_label(ScreenPoint at, const std::string& text);

}  // namespace ringlet
