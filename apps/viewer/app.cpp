#include "viewer/app.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "io/image/image_file.h"
#include "viewer/orbit.h"
#include "viewer/panel_list.h"

namespace ringlet {

namespace {

constexpr double kMaxBacklog = 0.1;    // s; a slow machine shows slow motion rather than freezing
constexpr double kFrameBudget = 0.06;  // s of simulation per drawn frame
constexpr double kMessageTime = 12;    // s; errors stay until the next message

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
    document_.control().advance_to(time_);
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
    SessionControl& control = document_.control();
    const StepStatistics before = control.statistics();
    is_moving_ = !run_.paused && !(scripted_ && elapsed <= 0);
    if (is_moving_)
        time_ = recorder_.is_recording()
                    ? recorder_.next_time()
                    : time_ + (scripted_ ? elapsed : std::min(elapsed, longest_advance()));
    control.advance_to(time_);
    statistics_.add_steps(before, control.statistics());
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
    Picture picture = document_.control().picture();
    picture.camera = document_.scene().camera;
    if (recorder_.is_recording() && is_moving_) {
        const Result<Image> image =
            renderer_.draw_to_image(picture, recorder_.width(), recorder_.height());
        check(image ? recorder_.add(*image) : image.error());
    }
    if (ui_.paint.is_active) document_.control().show_growth(document_.painting(), picture);
    document_.control().highlight(run_.selected, 2.2f * gui_.scale(), picture);
    clear_window(wide, high);
    if (!show_traced(picture, where)) viewport_.draw(renderer_, picture, where);
    statistics_.draw_ms.add(static_cast<float>((window_.now() - start) * 1000));
    statistics_.add_passes(renderer_.pass_times());
    statistics_.drawn_from_gpu = renderer_.drew_from_device() || renderer_.drew_computed_children();
}

bool App::show_traced(const Picture& picture, const PixelRect& where) {
    if (!traced_.is_on()) return false;
    const Result<const Image*> image =
        traced_.update(document_.control().revision(), picture, where.width, where.height);
    if (!image) return check(image.error());
    if (!ui_.message_is_error) {
        ui_.message = "path tracer: " + traced_.state();
        ui_.message_time = window_.now();
    }
    if (*image) viewport_.show(**image, where);
    return *image != nullptr;
}

void App::toggle_tracing() {
    if (traced_.is_on()) {
        traced_.switch_off();
        show_message("path tracer: off");
    } else {
        check(traced_.switch_on());
    }
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
    document_.control().reset();
    time_ = 0;
}

void App::frame_all() {
    const Bounds box = document_.control().bounds();
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

void App::scale_fur(const std::string& key, float factor) {
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
    if (!scene && fits_other_heads(document_.scene())) {
        const auto assignments = assignments_for(name_or_file, document_.scene());
        if (!check(assignments ? Result<void>() : assignments.error())) return;
        check(document_.set_all(*assignments, fs::path(name_or_file).filename().string()));
        return;
    }
    Result<Document> opened = Document::open(name_or_file, options_, listener_);
    if (!opened) {
        show_message(opened.error().text(), true);
        return;
    }
    if (recorder_.is_recording()) toggle_recording();
    traced_.switch_off();
    document_ = std::move(*opened);
    statistics_ = Statistics{};
    run_ = {};
    ui_.save_name.clear();
    time_ = 0;
    document_.control().advance_to(time_);
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

}  // namespace ringlet
