// Painting of growth weights on the head with the mouse.
#include <imgui.h>

#include <algorithm>

#include "viewer/app.h"

namespace ringlet {

void App::toggle_painting() {
    if (!document_.scene().actors.empty()) {
        const std::string& own = document_.scene().actors.front().scene;
        show_message("painting works on a scene with one head, and this one has " +
                     std::to_string(document_.scene().actors.size()) +
                     (own.empty() ? ": remove its [[actor]] entries" : ": open " + own));
        return;
    }
    ui_.paint.is_active = !ui_.paint.is_active;
    if (ui_.paint.is_active) ui_.open_panel = "Paint";
}

std::optional<SkinHit> App::surface_under(ScreenPoint at) const {
    const Ray ray = ray_through(document_.scene().camera, at.x - picture_.x, at.y - picture_.y,
                                picture_.width, picture_.height);
    return document_.control().surface_at(ray);
}

// Adds a dab of the brush where the mouse is, unless it is too close to the last one.
void App::paint_at(ScreenPoint at, bool is_first) {
    const PaintTool& tool = ui_.paint;
    const std::optional<SkinHit> hit = surface_under(at);
    if (!hit) return;
    if (!is_first && norm(hit->rest - last_dab_) < tool.radius / 4) return;
    last_dab_ = hit->rest;
    document_.paint({hit->rest, tool.radius, tool.strength, tool.mode, tool.softness}, tool.mirror);
    ui_.is_editing = true;
}

// The outline of the brush on the head under the mouse.
void App::draw_paint_brush() {
    const ImGuiIO& io = ImGui::GetIO();
    const ScreenPoint at{io.MousePos.x, io.MousePos.y};
    if (!ui_.paint.is_active || io.WantCaptureMouse || !picture_.contains(at)) return;
    const std::optional<SkinHit> hit = surface_under(at);
    if (!hit) return;
    const float pixel = pixel_slope(document_.scene().camera, picture_.height) *
                        norm(hit->world - document_.scene().camera.eye);
    const ImU32 colour = ui_.paint.mode == BrushMode::grow    ? IM_COL32(255, 170, 60, 230)
                         : ui_.paint.mode == BrushMode::shave ? IM_COL32(90, 150, 255, 230)
                                                              : IM_COL32(240, 240, 240, 230);
    ImDrawList* const drawing = ImGui::GetForegroundDrawList();
    drawing->AddCircle({at.x, at.y}, ui_.paint.radius / pixel, colour, 48, 2);
    // Inside the second circle the brush has its full effect.
    const float full = (1 - ui_.paint.softness) * ui_.paint.radius / pixel;
    if (full > 2) drawing->AddCircle({at.x, at.y}, full, colour, 48, 1);
}

}  // namespace ringlet
