// User input: actions of keys and menus, and the mouse on the picture.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "viewer/app.h"
#include "viewer/orbit.h"

namespace ringlet {

namespace {

constexpr float kBrushShare = 0.035f;  // brush radius as a fraction of the picture's height
constexpr float kClickReach = 4;       // px

}  // namespace

void App::act(Action action) {
    if (!move_camera(action) && !change_fur(action) && !control_run(action)) change_ui(action);
}

bool App::move_camera(Action action) {
    switch (action) {
        case Action::zoom_in:
            orbit([](Orbit& o) { o.zoom(0.95f); });
            return true;
        case Action::zoom_out:
            orbit([](Orbit& o) { o.zoom(1 / 0.95f); });
            return true;
        case Action::orbit_left:
            orbit([](Orbit& o) { o.turn(-0.05f, 0); });
            return true;
        case Action::orbit_right:
            orbit([](Orbit& o) { o.turn(0.05f, 0); });
            return true;
        case Action::raise:
            orbit([](Orbit& o) { o.raise(0.01f); });
            return true;
        case Action::lower:
            orbit([](Orbit& o) { o.raise(-0.01f); });
            return true;
        case Action::frame_all:
            frame_all();
            return true;
        default:
            return false;
    }
}

bool App::change_fur(Action action) {
    switch (action) {
        case Action::longer_fur:
            scale_fur("fur.length", 1.1f);
            return true;
        case Action::shorter_fur:
            scale_fur("fur.length", 1 / 1.1f);
            return true;
        case Action::denser_fur:
            scale_fur("fur.density", 1.1f);
            return true;
        case Action::thinner_fur:
            scale_fur("fur.density", 1 / 1.1f);
            return true;
        default:
            return false;
    }
}

bool App::control_run(Action action) {
    SessionControl& control = document_.control();
    switch (action) {
        case Action::pause:
            run_.paused = !run_.paused;
            return true;
        case Action::single_step:
            run_.paused = true;
            control.step();
            time_ = control.time();
            return true;
        case Action::reset:
            reset();
            return true;
        case Action::gravity_on:
        case Action::gravity_off:
            run_.gravity = action == Action::gravity_on;
            control.set_gravity(run_.gravity);
            return true;
        case Action::record:
            toggle_recording();
            return true;
        case Action::trace:
            toggle_tracing();
            return true;
        default:
            return false;
    }
}

void App::change_ui(Action action) {
    switch (action) {
        case Action::undo:
            undo_or_redo(false);
            break;
        case Action::redo:
            undo_or_redo(true);
            break;
        case Action::save:
            save(ui_.save_name.empty() ? document_.save_path() : ui_.save_name);
            break;
        case Action::show_panels:
            ui_.layout.show_panels = !ui_.layout.show_panels;
            break;
        case Action::show_colliders:
            check(document_.set(std::string("render.show_colliders=") +
                                (document_.scene().show_colliders ? "false" : "true")));
            break;
        case Action::paint:
            toggle_painting();
            break;
        case Action::help:
            ui_.show_help = !ui_.show_help;
            break;
        case Action::close:
            window_.close();
            break;
        default:
            break;
    }
}

void App::handle_mouse() {
    const ImGuiIO& io = ImGui::GetIO();
    const ScreenPoint at{io.MousePos.x, io.MousePos.y};
    const float height = std::max(picture_.height, 1.0f);
    const float dx = (at.x - last_at_.x) / height, dy = (at.y - last_at_.y) / height;
    const bool is_dragging = grabbed_.target != GrabTarget::none;
    if (is_dragging) {
        // The whole stroke is one change.
        ui_.is_editing |= grabbed_.target == GrabTarget::skin;
        has_moved_ |= std::hypot(at.x - grabbed_at_.x, at.y - grabbed_at_.y) > kClickReach;
        if (!io.MouseDown[0])
            end_drag();
        else if (has_moved_ && grabbed_.target == GrabTarget::background)
            orbit([&](Orbit& o) { o.turn(-3 * dx, 3 * dy); });
        else if (grabbed_.target == GrabTarget::skin)
            paint_at(at, false);
        else if (has_moved_)
            continue_drag(picture_, at);
    } else if (!io.WantCaptureMouse && picture_.contains(at)) {
        if (io.MouseClicked[0])
            begin_drag(picture_, at);
        else if (io.MouseDown[1])
            orbit([&](Orbit& o) { o.pan(-dx, dy); });
        else if (io.MouseDown[2])
            orbit([&](Orbit& o) { o.turn(-3 * dx, 3 * dy); });
        if (io.MouseWheel != 0) orbit([&](Orbit& o) { o.zoom(std::pow(0.9f, io.MouseWheel)); });
    }
    last_at_ = at;
}

void App::begin_drag(const ScreenRect& picture, ScreenPoint at) {
    const Camera& camera = document_.scene().camera;
    const Ray ray =
        ray_through(camera, at.x - picture.x, at.y - picture.y, picture.width, picture.height);
    grabbed_ = document_.control().pick(ray, kClickReach * pixel_slope(camera, picture.height));
    if (window_.modifiers().alt) grabbed_ = {.target = GrabTarget::background};
    if (ui_.paint.is_active && !window_.modifiers().alt) {
        grabbed_ = {.target = surface_under(at) ? GrabTarget::skin : GrabTarget::background};
        if (grabbed_.target == GrabTarget::skin) paint_at(at, true);
    }
    grabbed_at_ = last_at_ = at;
    last_point_ = grabbed_.point;
    has_moved_ = false;
}

void App::continue_drag(const ScreenRect& picture, ScreenPoint at) {
    const Camera& camera = document_.scene().camera;
    const bool shift = window_.modifiers().shift;
    const Ray ray =
        ray_through(camera, at.x - picture.x, at.y - picture.y, picture.width, picture.height);
    const Vec3f point = on_plane_facing(camera, grabbed_.point, ray), way = point - last_point_;
    SessionControl& control = document_.control();
    if (grabbed_.target == GrabTarget::hair) {
        const float reach = 2 * kBrushShare * (shift ? 2.0f : 1.0f);
        const float radius = reach * pixel_slope(camera, 1) * norm(grabbed_.point - camera.eye) / 2;
        control.comb(camera, point, way,
                     std::max(1e-3, static_cast<double>(ImGui::GetIO().DeltaTime)), radius);
    } else if (grabbed_.target == GrabTarget::head && shift) {
        const float size = std::max(picture.height, 1.0f);
        control.turn_head(grabbed_.actor, camera, 3 * (at.x - last_at_.x) / size,
                          3 * (at.y - last_at_.y) / size);
    } else if (grabbed_.target == GrabTarget::head) {
        control.move_head(grabbed_.actor, way);
    } else if (document_.scene().actors.empty()) {
        const auto which = static_cast<std::size_t>(grabbed_.collider);
        if (which < document_.scene().world.colliders.size()) {
            document_.change_collider(which, [&](Collider& collider) {
                control.move_collider(collider, grabbed_.actor, way);
            });
            ui_.is_editing = true;
        }
    }
    last_point_ = point;
}

void App::end_drag() {
    if (!has_moved_ && grabbed_.target == GrabTarget::hair) {
        run_.selected = grabbed_.hair;
        ui_.open_panel = "Strand";
    } else if (!has_moved_ && grabbed_.target != GrabTarget::skin) {
        run_.selected = {};
    }
    document_.control().stop_combing();
    grabbed_ = {};
}

void App::draw_brush() {
    draw_paint_brush();
    if (grabbed_.target != GrabTarget::hair || !has_moved_) return;
    const float radius = kBrushShare * picture_.height * (window_.modifiers().shift ? 2.0f : 1.0f);
    ImGui::GetForegroundDrawList()->AddCircle({last_at_.x, last_at_.y}, radius,
                                              IM_COL32(255, 255, 255, 170), 48, 1.5f);
}

}  // namespace ringlet
