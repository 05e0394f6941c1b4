// Dear ImGui in the viewer's window: frames, style, and a mouse that a script can control.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/messages.h"
#include "session/control/control.h"
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

// Mouse state set by a script instead of the input device.
struct ScriptedMouse {
    ScreenPoint at;
    bool left = false, right = false;
};

// Actions requested through the panels. The app executes them after the panels are drawn.
struct RequestedActions {
    std::vector<Action> actions;
    std::string open, preset, save;  // a name or path; empty: not requested
};

// The brush that paints where hair grows.
struct PaintTool {
    bool is_active = false;
    BrushMode mode = BrushMode::grow;
    float radius = 0.02f;  // m
    float strength = 1;    // 0 to 1; low values take several passes
    float softness = 1;    // 0 to 1, the share of the radius over which the effect falls to zero
    bool mirror = true;
};

// State of the panels that persists between frames.
struct Ui {
    Layout layout;
    std::string filter;      // shows only parameters whose key or sentence contains this
    std::string reveal;      // key to scroll into view
    std::string open_panel;  // panel to open and scroll into view
    std::string save_name;
    std::string typed;  // content of the text field being edited
    bool show_help = false;
    std::string message;
    bool message_is_error = false;
    double message_time = -1e9;                 // s
    Messages dismissed;                         // messages about the scene that the user closed
    std::map<std::string, ScreenRect> widgets;  // last drawn rectangle of each key's widget
    bool is_editing = false;                    // a widget is active
    RequestedActions requested;
    PaintTool paint;
};

class Gui {
public:
    explicit Gui(Window& window);
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    void begin_frame(const std::optional<ScriptedMouse>& mouse);
    void end_frame();

    bool wants_text() const;
    float scale() const { return scale_; }

private:
    float scale_;
};

}  // namespace ringlet
