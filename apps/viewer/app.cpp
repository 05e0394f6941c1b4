#include "viewer/app.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "io/image/image_file.h"
#include "session/draw.h"
#include "viewer/orbit.h"
#include "viewer/panel_list.h"

namespace ringlet {

namespace {

constexpr double kMaxBacklog = 0.1;    // s; a slow machine shows slow motion rather than freezing
constexpr double kFrameBudget = 0.06;  // s of simulation per drawn frame
constexpr double kMessageTime = 12;    // s; errors stay until the next message
constexpr float kBrushShare = 0.035f;  // brush radius as a fraction of the picture's height
constexpr float kClickReach = 4;       // px

Bounds bounds_of_all(const Session::Impl& parts) {
    Vec3f low{1e9f, 1e9f, 1e9f}, high = -low;
    const auto include = [&](Vec3f p) {
        if (!std::isfinite(p.x + p.y + p.z)) return;
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    };
    for (const Actor& actor : parts.actors)
        for (const Vec3f p : actor.drawn_body.positions)
            include(apply(actor.place * actor.head_shown, p));
    for (const Vec3f p : unpack(*parts.shown_strands().position)) include(p);
    return low.x > high.x ? Bounds{{-0.1f, -0.1f, -0.1f}, {0.1f, 0.1f, 0.1f}} : Bounds{low, high};
}

}  // namespace

App::App(Window& window, RendererGl& renderer, Document document, const SessionOptions& options,
         Layout layout, const Listener& listener)
    : window_(window),
      renderer_(renderer),
      document_(std::move(document)),
      options_(options),
      listener_(listener),
      gui_(window) {
    ui_.layout = std::move(layout);
    options_.overrides.clear();  // They apply to the first scene only, not to scenes opened later.
    window_.on_key = [this](std::string_view key, Modifiers with) {
        if (gui_.wants_text() && key != "F1") return;
        if (const std::optional<Action> action = action_of(key, with)) act(*action);
    };
    window_.on_drop = [this](const std::vector<std::string>& files) {
        for (const std::string& file : files) open(file);
    };
    document_.session().impl().advance_to(time_);
}

void App::run() {
    double last = window_.now();
    while (!window_.is_closing()) {
        const double now = window_.now();
        do_frame(now - last);
        last = now;
    }
}

void App::do_frame(double elapsed) {
    const double start = window_.now();
    window_.poll();
    if (listener_.stop_requested && listener_.stop_requested()) window_.close();
    gui_.begin_frame(mouse_);
    run_.recording = recorder_.is_recording();
    run_.recorded_frames = recorder_.frame_count();
    run_.time = time_;
    if (!ui_.message_is_error && start - ui_.message_time > kMessageTime) ui_.message.clear();
    const PanelSizes panels = draw_side_panels(document_, run_, statistics_, ui_, gui_.scale());
    handle_mouse();
    do_requested_actions();
    if (!ui_.is_editing) document_.finish_change();
    check(document_.apply_when_due(window_.now(), ui_.is_editing));
    advance(elapsed);
    draw_picture(panels);
    draw_brush();
    gui_.end_frame();
    if (!screenshot_.empty()) {
        check(write_image(screenshot_, window_.screenshot()));
        screenshot_.clear();
    }
    window_.swap();
    statistics_.frame_ms.add(static_cast<float>((window_.now() - start) * 1000));
}

// Limits the simulated time per frame so that input stays responsive. At least one step.
double App::longest_advance() const {
    const double cost = static_cast<double>(statistics_.step_ms.mean()) / 1000;
    const double steps = std::max(1.0, kFrameBudget / std::max(cost, 1e-6));
    return std::min(kMaxBacklog, steps * static_cast<double>(document_.scene().sim.dt));
}

// Accumulates real time, takes whole steps, and interpolates the remainder for display. A recording
// advances by exactly one frame interval instead.
void App::advance(double elapsed) {
    Session::Impl& parts = document_.session().impl();
    if (!run_.gravity)
        for (Actor& actor : parts.actors) actor.simulation->set_gravity({0, 0, 0});
    const int steps_before = parts.totals.frames;
    const double seconds_before = parts.totals.seconds;
    is_moving_ = !run_.paused && !(scripted_ && elapsed <= 0);
    if (is_moving_)
        time_ = recorder_.is_recording()
                    ? recorder_.next_time()
                    : time_ + (scripted_ ? elapsed : std::min(elapsed, longest_advance()));
    parts.advance_to(time_);
    const int steps = parts.totals.frames - steps_before;
    if (steps <= 0) return;
    statistics_.step_ms.add(
        static_cast<float>((parts.totals.seconds - seconds_before) * 1000 / steps));
    for (std::size_t k = 0; k < parts.actors.front().simulation->stage_times().size(); ++k) {
        double seconds = 0;
        for (const Actor& actor : parts.actors)
            seconds += actor.simulation->stage_times()[k].seconds;
        statistics_.add_stage(std::string(parts.actors.front().simulation->stage_times()[k].name),
                              static_cast<float>(seconds * 1000));
    }
    statistics_.stretch_percent.add(static_cast<float>(parts.latest.max_stretch * 100));
    statistics_.penetrating.add(static_cast<float>(parts.latest.penetrating_vertices));
}

void App::mark_selected(Picture& picture) const {
    const Session::Impl& parts = document_.session().impl();
    const auto which = static_cast<std::size_t>(run_.selected_actor);
    const int strand = run_.selected_strand;
    if (strand < 0 || which >= parts.actors.size()) return;
    const Actor& actor = parts.actors[which];
    const Channel<3>& x = actor.simulation->state().x;
    if (strand >= x.layout().strand_count()) return;
    for (int i = 0; i + 1 < x.layout().vertex_count(strand); ++i)
        picture.marks.push_back({apply(actor.place, x.vec3(strand, i)),
                                 apply(actor.place, x.vec3(strand, i + 1)),
                                 {1, 0.75f, 0.1f},
                                 1,
                                 0,
                                 2.2f * gui_.scale()});
}

void App::draw_picture(const PanelSizes& panels) {
    int width = 0, height = 0, wide = 0, high = 0;
    window_.size(width, height);
    window_.pixels(wide, high);
    if (wide < 1 || high < 1 || width < 1 || height < 1) return;
    picture_ = {panels.left, panels.top, static_cast<float>(width) - panels.left - panels.right,
                static_cast<float>(height) - panels.top - panels.bottom};
    const float x = static_cast<float>(wide) / static_cast<float>(width),
                y = static_cast<float>(high) / static_cast<float>(height);
    const PixelRect where{static_cast<int>(panels.left * x), static_cast<int>(panels.bottom * y),
                          static_cast<int>(picture_.width * x),
                          static_cast<int>(picture_.height * y)};
    const double start = window_.now();
    Picture picture = picture_of(document_.session());
    picture.camera = document_.scene().camera;
    if (recorder_.is_recording() && is_moving_) {
        const Result<Image> image =
            renderer_.draw_to_image(picture, recorder_.width(), recorder_.height());
        check(image ? recorder_.add(*image) : image.error());
    }
    mark_selected(picture);
    clear_window(wide, high);
    viewport_.draw(renderer_, picture, where);
    statistics_.draw_ms.add(static_cast<float>((window_.now() - start) * 1000));
    statistics_.add_passes(renderer_.pass_times());
    statistics_.drawn_from_gpu = renderer_.drew_from_device();
}

void App::show_message(const std::string& message, bool is_error) {
    ui_.message = message;
    ui_.message_is_error = is_error;
    ui_.message_time = window_.now();
    if (is_error) failed_ = true;
    listener_.notify(message);
}

bool App::check(const Result<void>& done) {
    if (!done) show_message(done.error().text(), true);
    return static_cast<bool>(done);
}

void App::orbit(const std::function<void(Orbit&)>& move) {
    Orbit around(document_.scene().camera);
    move(around);
    document_.set_camera(around.camera());
}

void App::reset() {
    document_.session().reset();
    time_ = 0;
    if (!run_.gravity) act(Action::gravity_off);
    document_.session().impl().advance_to(time_);
}

void App::frame_all() {
    const Bounds box = bounds_of_all(document_.session().impl());
    Camera camera = document_.scene().camera;
    const Vec3f away = unit_or(camera.eye - camera.target, Vec3f{0, 0, 1});
    const float radius = norm(box.high - box.low) / 2;
    camera.target = (box.low + box.high) * 0.5f;
    camera.eye =
        camera.target + away * (radius / std::sin(0.5f * camera.field_of_view_degrees * kPi / 180));
    document_.set_camera(camera);
}

void App::toggle_recording() {
    if (!recorder_.is_recording()) {
        if (check(recorder_.start(document_.scene().record, time_)))
            show_message("recording to renders/, " + std::to_string(recorder_.width()) + " x " +
                         std::to_string(recorder_.height()));
        return;
    }
    const Result<std::string> done = recorder_.stop();
    done ? show_message(*done) : show_message(done.error().text(), true);
}

void App::undo_or_redo(bool redo) {
    const Result<std::string> what = redo ? document_.redo() : document_.undo();
    if (!what)
        show_message(what.error().text(), true);
    else if (!what->empty())
        show_message((redo ? "redone: " : "undone: ") + *what);
}

void App::change_fur(const std::string& key, float factor) {
    const ParameterTable table = document_.table();
    for (const Parameter& p : table.parameters) {
        if (p.key != key || !has_fur(table)) continue;
        if (auto* const* value = std::get_if<float*>(&p.target))
            **value =
                std::clamp(**value * factor, static_cast<float>(p.low), static_cast<float>(p.high));
        else if (auto* const* count = std::get_if<int*>(&p.target))
            **count =
                std::clamp(static_cast<int>(std::lround(static_cast<float>(**count) * factor)),
                           static_cast<int>(p.low), static_cast<int>(p.high));
        document_.changed(key);
        show_message(key + " = " + format_value(p));
        return;
    }
    show_message("this scene has no fur");
}

void App::open(const std::string& name_or_file) {
    namespace fs = std::filesystem;
    std::error_code none;
    const bool scene = name_or_file.ends_with(".toml") || !fs::exists(name_or_file, none);
    if (!scene) {
        const auto assignments = assignments_for(name_or_file, document_.scene());
        if (!check(assignments ? Result<void>() : assignments.error())) return;
        if (check(document_.set_all(*assignments, fs::path(name_or_file).filename().string())))
            frame_all();
        return;
    }
    Result<Document> opened = Document::open(name_or_file, options_, listener_);
    if (!opened) {
        show_message(opened.error().text(), true);
        return;
    }
    if (recorder_.is_recording()) toggle_recording();
    document_ = std::move(*opened);
    statistics_ = Statistics{};
    run_ = {};
    ui_.save_name.clear();
    time_ = 0;
    document_.session().impl().advance_to(time_);
    window_.set_title("Ringlet: " + name_or_file);
    show_message("opened " + name_or_file);
}

void App::save(const std::string& path) {
    if (!check(document_.save(path))) return;
    ui_.save_name = path;
    show_message("saved " + path);
}

void App::do_requested_actions() {
    RequestedActions requested;
    std::swap(requested, ui_.requested);
    for (const Action action : requested.actions) act(action);
    if (!requested.save.empty()) save(requested.save);
    if (!requested.preset.empty() && check(document_.apply_preset(requested.preset)))
        show_message("hairstyle: " + requested.preset);
    if (!requested.open.empty()) open(requested.open);
}

void App::act(Action action) {
    Session::Impl& parts = document_.session().impl();
    switch (action) {
        case Action::pause:
            run_.paused = !run_.paused;
            break;
        case Action::single_step:
            run_.paused = true;
            document_.session().step();
            time_ = document_.session().time();
            break;
        case Action::reset:
            reset();
            break;
        case Action::gravity_on:
            run_.gravity = true;
            for (Actor& actor : parts.actors)
                actor.simulation->set_gravity(actor.scene.sim.gravity);
            break;
        case Action::gravity_off:
            run_.gravity = false;
            break;
        case Action::zoom_in:
            orbit([](Orbit& o) { o.zoom(0.95f); });
            break;
        case Action::zoom_out:
            orbit([](Orbit& o) { o.zoom(1 / 0.95f); });
            break;
        case Action::orbit_left:
            orbit([](Orbit& o) { o.turn(-0.05f, 0); });
            break;
        case Action::orbit_right:
            orbit([](Orbit& o) { o.turn(0.05f, 0); });
            break;
        case Action::raise:
            orbit([](Orbit& o) { o.raise(0.01f); });
            break;
        case Action::lower:
            orbit([](Orbit& o) { o.raise(-0.01f); });
            break;
        case Action::frame_all:
            frame_all();
            break;
        case Action::longer_fur:
            change_fur("fur.length", 1.1f);
            break;
        case Action::shorter_fur:
            change_fur("fur.length", 1 / 1.1f);
            break;
        case Action::denser_fur:
            change_fur("fur.density", 1.1f);
            break;
        case Action::thinner_fur:
            change_fur("fur.density", 1 / 1.1f);
            break;
        case Action::record:
            toggle_recording();
            break;
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
        case Action::help:
            ui_.show_help = !ui_.show_help;
            break;
        case Action::close:
            window_.close();
            break;
    }
}

// The mouse on the picture.

void App::handle_mouse() {
    const ImGuiIO& io = ImGui::GetIO();
    const ScreenPoint at{io.MousePos.x, io.MousePos.y};
    const float height = std::max(picture_.height, 1.0f);
    const float dx = (at.x - last_at_.x) / height, dy = (at.y - last_at_.y) / height;
    const bool is_dragging = grabbed_.grip != Grip::none;
    if (is_dragging) {
        has_moved_ |= std::hypot(at.x - grabbed_at_.x, at.y - grabbed_at_.y) > kClickReach;
        if (!io.MouseDown[0])
            end_drag();
        else if (has_moved_ && grabbed_.grip == Grip::orbit)
            orbit([&](Orbit& o) { o.turn(-3 * dx, 3 * dy); });
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
    grabbed_ =
        grab(document_.session().impl(), ray, kClickReach * pixel_slope(camera, picture.height));
    if (window_.modifiers().alt) grabbed_ = {.grip = Grip::orbit};
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
    Session::Impl& parts = document_.session().impl();
    if (grabbed_.grip == Grip::hair) {
        const float reach = 2 * kBrushShare * (shift ? 2.0f : 1.0f);
        const float radius = reach * pixel_slope(camera, 1) * norm(grabbed_.point - camera.eye) / 2;
        comb_hair(parts, camera, point, way,
                  std::max(1e-3, static_cast<double>(ImGui::GetIO().DeltaTime)), radius);
        last_point_ = point;
        return;
    }
    Actor& actor = parts.actors[static_cast<std::size_t>(grabbed_.actor)];
    if (grabbed_.grip == Grip::head) {
        const Rigidf& offset = actor.simulation->head_offset();
        const float size = std::max(picture.height, 1.0f);
        actor.simulation->set_head_offset(shift ? turned_head(offset, actor, camera,
                                                              3 * (at.x - last_at_.x) / size,
                                                              3 * (at.y - last_at_.y) / size)
                                                : moved_head(offset, actor, way));
    } else if (document_.scene().actors.empty()) {
        const Scene& scene = document_.scene();
        const auto which = static_cast<std::size_t>(grabbed_.collider);
        if (which < scene.world.colliders.size()) {
            document_.change_collider(
                which, [&](Collider& collider) { move_collider(collider, actor, way); });
            ui_.is_editing = true;
        }
    }
    last_point_ = point;
}

void App::end_drag() {
    if (!has_moved_ && grabbed_.grip == Grip::hair) {
        run_.selected_actor = grabbed_.actor;
        run_.selected_strand = grabbed_.strand;
        run_.selected_vertex = grabbed_.vertex;
        ui_.open_panel = "Strand";
    } else if (!has_moved_) {
        run_.selected_strand = -1;
    }
    stop_combing(document_.session().impl());
    grabbed_ = {};
}

void App::draw_brush() {
    if (grabbed_.grip != Grip::hair || !has_moved_) return;
    const float radius = kBrushShare * picture_.height * (window_.modifiers().shift ? 2.0f : 1.0f);
    ImGui::GetForegroundDrawList()->AddCircle({last_at_.x, last_at_.y}, radius,
                                              IM_COL32(255, 255, 255, 170), 48, 1.5f);
}

}  // namespace ringlet
