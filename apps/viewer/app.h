// What the window shows and does, frame by frame.
#pragma once

#include <deque>
#include <functional>

#include "render_gl/renderer.h"
#include "ringlet/progress.h"
#include "viewer/document.h"
#include "viewer/drag.h"
#include "viewer/gui.h"
#include "viewer/recorder.h"
#include "viewer/script.h"
#include "viewer/sides.h"
#include "viewer/viewport.h"

namespace ringlet {

class App {
public:
    App(Window& window, Renderer& renderer, Document document, const SessionOptions& options,
        Layout layout, const Listener& listener);

    // Until the window is closed.
    void run();
    // The same, doing what the script says and nothing else; stops at the first thing that fails.
    Result<void> run(const std::vector<ScriptCommand>& script);

    const Layout& layout() const { return ui_.layout; }

private:
    void do_frame(double elapsed);
    void advance(double elapsed);
    void draw_picture(const Sides& sides);

    // What people do.
    void act(Action action);
    void do_wishes();
    void handle_mouse(const Sides& sides);
    void begin_drag(const ScreenRect& picture, ScreenPoint at);
    void go_on_dragging(const ScreenRect& picture, ScreenPoint at);
    void end_drag();
    void draw_brush();
    void toggle_recording();
    void undo_or_redo(bool redo);
    void open(const std::string& name_or_file);
    void save(const std::string& path);
    void change_fur(const std::string& key, float factor);
    void frame_all();
    void reset();
    void orbit(const std::function<void(class Orbit&)>& move);

    // What they hear.
    void tell(const std::string& message, bool is_error = false);
    bool check(const Result<void>& done);

    // The script.
    Result<void> do_command(const ScriptCommand& command);
    Result<void> slide(const std::string& key, float share);
    Result<void> print(const std::string& what);
    void draw_frames(int count);
    void move_mouse(const std::vector<ScriptedMouse>& path);

    Window& window_;
    Renderer& renderer_;
    Document document_;
    SessionOptions options_;
    Listener listener_;
    Gui gui_;
    Viewport viewport_;
    Recorder recorder_;
    Statistics statistics_;
    RunState run_;
    Ui ui_;

    double time_ = 0;     // s of the scene, as shown
    ScreenRect picture_;  // where it is, as last drawn
    Grabbed grabbed_;
    ScreenPoint grabbed_at_, last_at_;
    Vec3f last_point_{0, 0, 0};
    bool is_moving_ = true;   // time goes on in this frame
    bool has_moved_ = false;  // since the button went down: a drag, not a click

    bool scripted_ = false, failed_ = false;
    std::optional<ScriptedMouse> mouse_;
    std::string screenshot_;  // to be written at the end of the frame
};

}  // namespace ringlet
