#include <imgui.h>

#include "viewer/side_panels.h"

namespace ringlet {

namespace {

// Lets scripts press the control that was drawn last.
void remember(const char* name, Ui& ui) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ui.widgets[name] = {low.x, low.y, high.x - low.x, high.y - low.y};
}

void mode_button(const char* name, const char* tooltip, BrushMode mode, Ui& ui) {
    if (ImGui::RadioButton(name, ui.paint.mode == mode)) ui.paint.mode = mode;
    remember(name, ui);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", tooltip);
}

}  // namespace

void draw_paint_panel(Ui& ui) {
    PaintTool& tool = ui.paint;
    bool is_active = tool.is_active;
    if (ImGui::Checkbox("Paint where hair grows (P)", &is_active))
        ui.requested.actions.push_back(Action::paint);
    remember("Paint", ui);
    mode_button("Grow", "Adds hair, also outside the scalp", BrushMode::grow, ui);
    ImGui::SameLine();
    mode_button("Shave", "Removes hair", BrushMode::shave, ui);
    ImGui::SameLine();
    mode_button("Erase", "Removes the painting, so that the rules of the scene apply again",
                BrushMode::erase, ui);
    ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 5);
    ImGui::SliderFloat("radius", &tool.radius, 0.002f, 0.2f, "%.3f m",
                       ImGuiSliderFlags_Logarithmic);
    ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 5);
    ImGui::SliderFloat("strength", &tool.strength, 0.02f, 1, "%.2f");
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("Small values change little: pass over a place several times");
    ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 5);
    ImGui::SliderFloat("softness", &tool.softness, 0, 1, "%.2f");
    remember("Softness", ui);
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("How far inside the radius the edge of the brush begins");
    ImGui::Checkbox("Mirror left and right", &tool.mirror);
    remember("Mirror", ui);
    ImGui::TextDisabled("orange: hair grows, blue: it does not");
}

}  // namespace ringlet
