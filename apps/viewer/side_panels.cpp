#include "viewer/side_panels.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "viewer/panel_list.h"

namespace ringlet {

namespace {

constexpr float kLeastPicture = 260;  // px at scale 1; side panels hide below this picture width

void request(Ui& ui, Action action) { ui.requested.actions.push_back(action); }

std::string keys_of(Action action) {
    for (const KeyBinding& binding : all_keys())
        if (binding.action == action) return std::string(binding.keys);
    return "";
}

void menu_item(const char* name, Action action, Ui& ui, bool enabled = true) {
    if (ImGui::MenuItem(name, keys_of(action).c_str(), false, enabled)) request(ui, action);
}

void bar_button(const char* name, Action action, Ui& ui, bool lit = false) {
    if (lit) ImGui::PushStyleColor(ImGuiCol_Button, ImVec4{0.70f, 0.22f, 0.16f, 1});
    if (ImGui::SmallButton(name)) request(ui, action);
    if (lit) ImGui::PopStyleColor();
    if (!ImGui::IsItemHovered()) return;
    for (const KeyBinding& binding : all_keys())
        if (binding.action == action)
            ImGui::SetTooltip("%s (%s)", std::string(binding.sentence).c_str(),
                              std::string(binding.keys).c_str());
}

float draw_top(Document& document, const RunState& run, Ui& ui) {
    if (!ImGui::BeginMainMenuBar()) return 0;
    if (ImGui::BeginMenu("Scene")) {
        menu_item("Save", Action::save, ui);
        menu_item("Close", Action::close, ui);
        ImGui::EndMenu();
    }
    if (ImGui::BeginMenu("Edit")) {
        const History& history = document.history();
        menu_item(("Undo " + history.next_undo()).c_str(), Action::undo, ui, history.can_undo());
        menu_item(("Redo " + history.next_redo()).c_str(), Action::redo, ui, history.can_redo());
        ImGui::EndMenu();
    }
    if (ImGui::BeginMenu("View")) {
        menu_item("Panels", Action::show_panels, ui);
        menu_item("Colliders", Action::show_colliders, ui);
        menu_item("Path tracer", Action::trace, ui);
        menu_item("Frame everything", Action::frame_all, ui);
        ImGui::EndMenu();
    }
    if (ImGui::BeginMenu("Help")) {
        menu_item("Keys", Action::help, ui);
        ImGui::EndMenu();
    }
    ImGui::SameLine(0, ImGui::GetFontSize() * 2);
    bar_button(run.paused ? "Play" : "Pause", Action::pause, ui);
    bar_button("Step", Action::single_step, ui);
    bar_button("Reset", Action::reset, ui);
    bar_button(run.gravity ? "Gravity off" : "Gravity on",
               run.gravity ? Action::gravity_off : Action::gravity_on, ui);
    bar_button(run.recording ? "Stop recording" : "Record", Action::record, ui, run.recording);
    const float height = ImGui::GetWindowHeight();
    ImGui::EndMainMenuBar();
    return height;
}

bool begin_side_panel(const char* name, ScreenRect where) {
    ImGui::SetNextWindowPos({where.x, where.y});
    ImGui::SetNextWindowSize({where.width, where.height});
    constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoTitleBar |
                                        ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                                        ImGuiWindowFlags_NoBringToFrontOnFocus;
    return ImGui::Begin(name, nullptr, kFixed);
}

// The draggable edge between a side panel and the picture.
void draw_edge(const char* name, float x, float top, float height, float scale, float sign,
               float& width) {
    const float half = 3 * scale;
    ImGui::SetNextWindowPos({x - half, top});
    ImGui::SetNextWindowSize({2 * half, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2{1, 1});
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoSavedSettings);
    ImGui::InvisibleButton("edge", {2 * half, height});
    if (ImGui::IsItemHovered() || ImGui::IsItemActive())
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemActive())
        width = std::clamp(width + sign * ImGui::GetIO().MouseDelta.x / scale, 180.0f, 700.0f);
    ImGui::End();
    ImGui::PopStyleVar(2);
}

float draw_bottom(const RunState& run, const Ui& ui, ImVec2 window) {
    const float height = ImGui::GetFrameHeight() + 4;
    if (begin_side_panel("##bottom", {0, window.y - height, window.x, height})) {
        ImGui::SetCursorPosY(4);
        std::string state = fmt::format("{:.2f} s", run.time);
        if (run.paused) state += "   paused";
        if (!run.gravity) state += "   gravity off";
        if (run.recording) state += fmt::format("   recording, {} frames", run.recorded_frames);
        ImGui::TextUnformatted(state.c_str());
        if (!ui.message.empty()) {
            ImGui::SameLine(0, ImGui::GetFontSize() * 2);
            ImGui::TextColored(ui.message_is_error ? ImVec4{0.95f, 0.45f, 0.35f, 1}
                                                   : ImVec4{0.75f, 0.75f, 0.75f, 1},
                               "%s", ui.message.c_str());
        }
        const char* const hint = "F1 keys";
        const float right = window.x - ImGui::CalcTextSize(hint).x - 10;
        if (ImGui::GetCursorPosX() < right) {
            ImGui::SameLine(right);
            ImGui::TextDisabled("%s", hint);
        }
    }
    ImGui::End();
    return height;
}

// Assumptions and warnings about the scene, in the upper left corner of the picture until the user
// dismisses them.
void draw_messages(const Messages& messages, const PanelSizes& panels, ImVec2 window, Ui& ui) {
    if (messages.empty() || messages == ui.dismissed) return;
    const float margin = ImGui::GetFontSize() / 2;
    const float room = window.x - panels.left - panels.right - 2 * margin;
    ImGui::SetNextWindowPos({panels.left + margin, panels.top + margin});
    ImGui::SetNextWindowSize({std::min(room, ImGui::GetFontSize() * 36), 0});
    ImGui::SetNextWindowBgAlpha(0.85f);
    if (ImGui::Begin("##messages", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing)) {
        ImGui::PushTextWrapPos(0);
        for (const Warning& warning : messages.warnings)
            ImGui::TextColored({0.95f, 0.62f, 0.25f, 1}, "%s", warning.line().c_str());
        for (const std::string& text : messages.assumptions) ImGui::TextUnformatted(text.c_str());
        ImGui::PopTextWrapPos();
        if (ImGui::SmallButton("Dismiss")) ui.dismissed = messages;
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        ui.widgets["Dismiss"] = {low.x, low.y, high.x - low.x, high.y - low.y};
    }
    ImGui::End();
}

void two_columns(std::string_view left, std::string_view right) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored({0.93f, 0.62f, 0.42f, 1}, "%s", std::string(left).c_str());
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(std::string(right).c_str());
}

void draw_help(Document& document, Ui& ui, ImVec2 window) {
    ImGui::SetNextWindowPos({window.x / 2, window.y / 2}, ImGuiCond_Appearing, {0.5f, 0.5f});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {window.x * 0.95f, window.y * 0.85f});
    if (ImGui::Begin("Keys and mouse", &ui.show_help,
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse)) {
        const bool fur = has_fur(document.table());
        if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) {
            for (const KeyBinding& binding : all_keys())
                if (fur || !binding.needs_fur) two_columns(binding.keys, binding.sentence);
            for (const MouseBinding& binding : all_mouse_moves())
                two_columns(binding.how, binding.sentence);
            ImGui::EndTable();
        }
    }
    ImGui::End();
}

}  // namespace

PanelSizes draw_side_panels(Document& document, const RunState& run, const Statistics& statistics,
                            Ui& ui, float scale) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    PanelSizes out;
    ui.is_editing = false;
    if (ui.layout.show_panels) {
        out.top = draw_top(document, run, ui);
        out.bottom = draw_bottom(run, ui, window);
        out.left = ui.layout.left_width * scale;
        out.right = ui.layout.right_width * scale;
        if (window.x < out.left + out.right + kLeastPicture * scale) out.right = 0;
        if (window.x < out.left + kLeastPicture * scale) out.left = 0;
        const float height = window.y - out.top - out.bottom;
        if (out.left > 0) {
            if (begin_side_panel("##left", {0, out.top, out.left, height}))
                draw_left_panel(document, ui);
            ImGui::End();
            draw_edge("##left edge", out.left, out.top, height, scale, 1, ui.layout.left_width);
        }
        if (out.right > 0) {
            if (begin_side_panel("##right", {window.x - out.right, out.top, out.right, height}))
                draw_right_panel(document, run, statistics, ui);
            ImGui::End();
            draw_edge("##right edge", window.x - out.right, out.top, height, scale, -1,
                      ui.layout.right_width);
        }
    }
    draw_messages(document.control().messages(), out, window, ui);
    if (ui.show_help) draw_help(document, ui, window);
    return out;
}

}  // namespace ringlet
