// The viewer's main loop: input, simulation, drawing, and scripted control.
#pragma once

#include <deque>
#include <functional>

#include "render_gl/renderer.h"
#include "ringlet/progress.h"
#include "session/control/document.h"
#include "viewer/gui.h"
#include "viewer/recorder.h"
#include "viewer/script.h"
#include "viewer/side_panels.h"
#include "viewer/traced_view.h"
#include "viewer/viewport.h"

namespace ringlet {

class App {
public:
    App(Window& window, RendererGl& renderer, Document document, const SessionOptions& options,
        Layout layout, const Listener& listener);

    // Runs until the window is closed.
    void run();
    // Executes the script's commands instead of reading the mouse and keyboard. Stops at the first
    // command that fails and returns its error.
    Result<void> run(const std::vector<ScriptCommand>& script);

    const Layout& layout() const { return ui_.layout; }

private:
    void do_frame(double elapsed);
    void advance(double elapsed);
    double longest_advance() const;
    void draw_picture(const PanelSizes& panels);
    // Shows the traced picture if it is switched on and the picture stands still.
    bool show_traced(const Picture& picture, const PixelRect& where);

    // User input.
    void act(Action action);
    // Each handles its actions and returns true, or returns false.
    bool move_camera(Action action);
    bool change_fur(Action action);
    bool control_run(Action action);
    void change_ui(Action action);
    void do_requested_actions();
    void handle_mouse();
    void begin_drag(const ScreenRect& picture, ScreenPoint at);
    void continue_drag(const ScreenRect& picture, ScreenPoint at);
    void end_drag();
    void draw_brush();
    void toggle_painting();
    std::optional<SkinHit> surface_under(ScreenPoint at) const;
    void paint_at(ScreenPoint at, bool is_first);
    void draw_paint_brush();
    void toggle_recording();
    void toggle_tracing();
    void undo_or_redo(bool redo);
    void open(const std::string& name_or_file);
    void save(const std::string& path);
    void scale_fur(const std::string& key, float factor);
    void frame_all();
    void reset();
    void orbit(const std::function<void(class Orbit&)>& move);

    // Messages in the status bar. check() shows the error of a failed result and returns success.
    void show_message(const std::string& message, bool is_error = false);
    bool check(const Result<void>& done);

    // Script commands.
    Result<void> do_command(const ScriptCommand& command);
    Result<void> do_on_panels(const ScriptCommand& command);
    void do_on_picture(const std::string& verb, const std::vector<float>& numbers);
    Result<void> slide(const std::string& key, float share);
    Result<void> print(const std::string& what);
    std::string messages_text() const;
    void draw_frames(int count);
    void move_mouse(const std::vector<ScriptedMouse>& path);

    Window& window_;
    RendererGl& renderer_;
    Document document_;
    SessionOptions options_;
    Listener listener_;
    Gui gui_;
    Viewport viewport_;
    TracedView traced_;
    Recorder recorder_;
    Statistics statistics_;
    RunState run_;
    Ui ui_;

    double time_ = 0;     // s, displayed scene time
    ScreenRect picture_;  // the picture's rectangle in the window when last drawn
    Grab grabbed_;
    ScreenPoint grabbed_at_, last_at_;
    Vec3f last_point_{0, 0, 0};
    Vec3f last_dab_{0, 0, 0};  // m, in the head's frame
    bool is_moving_ = true;    // scene time advances in this frame
    bool has_moved_ = false;   // the mouse moved since the button went down: a drag, not a click

    bool scripted_ = false, failed_ = false;
    std::optional<ScriptedMouse> mouse_;
    std::string screenshot_;  // file to write at the end of the frame; empty: none
};

}  // namespace ringlet
