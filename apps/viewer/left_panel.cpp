#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "base/lower_case.h"
#include "ringlet/jobs.h"
#include "viewer/keys.h"
#include "viewer/panel_list.h"
#include "viewer/parameter_widget.h"
#include "viewer/side_panels.h"

namespace ringlet {

namespace {

void pick_from(const char* title, const std::vector<SceneInfo>& names, std::string& chosen) {
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo((std::string("##") + title).c_str(), title, ImGuiComboFlags_HeightLarge))
        return;
    for (const SceneInfo& scene : names) {
        if (ImGui::Selectable(scene.name.c_str())) chosen = scene.name;
        if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", scene.title.c_str());
    }
    ImGui::EndCombo();
}

void draw_scene_panel(Document& document, Ui& ui) {
    static const std::vector<SceneInfo> scenes = builtin_scenes();
    static const std::vector<SceneInfo> presets = [] {
        std::vector<SceneInfo> out;
        for (const std::string& name : preset_names())
            out.push_back({name, "Replaces the hairstyle of the open scene"});
        return out;
    }();
    ImGui::TextDisabled("%s%s", document.scene().name.c_str(), document.is_saved() ? "" : " *");
    pick_from("open a scene ...", scenes, ui.requested.open);
    pick_from("choose a hairstyle ...", presets, ui.requested.preset);
    if (ui.save_name.empty()) ui.save_name = document.save_path();
    const float button = ImGui::CalcTextSize("Save").x + 3 * ImGui::GetStyle().FramePadding.x;
    ImGui::SetNextItemWidth(-button - ImGui::GetStyle().ItemSpacing.x);
    ImGui::InputText("##save", &ui.save_name);
    ui.is_editing |= ImGui::IsItemActive();
    ImGui::SameLine();
    if (ImGui::Button("Save", {-1, 0})) ui.requested.save = ui.save_name;
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("Writes a scene file that shows what is on screen (Ctrl+S)");
}

class LeftPanel {
public:
    LeftPanel(Document& document, Ui& ui)
        : document_(document),
          ui_(ui),
          table_(document.table()),
          opened_(document.original_table()),
          model_(model_of(table_)) {}

    void draw() {
        ImGui::SetNextItemWidth(-1);
        ImGui::InputTextWithHint("##filter", "find a parameter", &ui_.filter);
        if (!ui_.filter.empty()) {
            draw_found();
            return;
        }
        for (const std::string& panel : panels_of(table_)) {
            if (panel_of(ui_.reveal) == panel && !ui_.reveal.empty()) ui_.open_panel = panel;
            if (!begin_panel(panel, ui_)) continue;
            ImGui::PushID(panel.c_str());
            if (panel == "Scene") draw_scene_panel(document_, ui_);
            draw_panel(panel);
            ImGui::PopID();
            ImGui::Spacing();
        }
    }

private:
    void edit(std::size_t k) {
        const Parameter& p = table_.parameters[k];
        if (edit_parameter(p, &opened_.parameters[k], p.key, ui_)) document_.changed(p.key);
    }

    void draw_found() {
        const std::string wanted = lower_case(ui_.filter);
        for (std::size_t k = 0; k < table_.parameters.size(); ++k) {
            const Parameter& p = table_.parameters[k];
            if (lower_case(p.key).find(wanted) == std::string::npos &&
                lower_case(p.sentence).find(wanted) == std::string::npos)
                continue;
            if (k == 0 || group_title(p.key) != last_title_) {
                last_title_ = group_title(p.key);
                ImGui::TextDisabled("%s", last_title_.c_str());
            }
            edit(k);
        }
    }
    static std::string group_title(const std::string& key) {
        const std::string group = group_of(key);
        return panel_of(key) + (group.empty() ? "" : ": " + group);
    }

    void draw_panel(const std::string& panel) {
        std::vector<std::string> groups;
        for (std::size_t k = 0; k < table_.parameters.size(); ++k) {
            const Parameter& p = table_.parameters[k];
            if (panel_of(p.key) != panel) continue;
            const std::string group = group_of(p.key);
            if (group.empty())
                edit(k);
            else if (std::find(groups.begin(), groups.end(), group) == groups.end())
                groups.push_back(group);
        }
        // Lists the active model first.
        std::stable_partition(groups.begin(), groups.end(),
                              [&](const std::string& group) { return group == model_; });
        for (const std::string& group : groups) draw_group(panel, group);
        for (const ParameterList& list : table_.lists) {
            const bool in_group = !group_of(list.key).empty() && panel == "Model";
            if (panel_of(list.key) == panel && !in_group && edit_list(list, ui_))
                document_.changed(list.key);
        }
    }

    void draw_group(const std::string& panel, const std::string& group) {
        const bool in_use = panel == "Model" && group == model_;
        const bool wanted = panel_of(ui_.reveal) == panel && group_of(ui_.reveal) == group;
        if (wanted && !ui_.reveal.empty()) ImGui::SetNextItemOpen(true);
        const std::string title =
            panel == "Model" ? group + (in_use ? "" : " (not in use)") : group;
        if (!ImGui::TreeNodeEx((title + "##" + group).c_str(),
                               in_use ? ImGuiTreeNodeFlags_DefaultOpen : 0))
            return;
        for (std::size_t k = 0; k < table_.parameters.size(); ++k)
            if (panel_of(table_.parameters[k].key) == panel &&
                group_of(table_.parameters[k].key) == group)
                edit(k);
        for (const ParameterList& list : table_.lists)
            if (panel == "Model" && panel_of(list.key) == panel && group_of(list.key) == group &&
                edit_list(list, ui_))
                document_.changed(list.key);
        ImGui::TreePop();
    }

    Document& document_;
    Ui& ui_;
    ParameterTable table_, opened_;
    std::string model_, last_title_;
};

}  // namespace

bool begin_panel(const std::string& name, Ui& ui) {
    const bool wanted = ui.open_panel == name;
    if (wanted) ui.layout.open.insert(name);
    ImGui::SetNextItemOpen(ui.layout.open.contains(name));
    const bool open = ImGui::CollapsingHeader(name.c_str());
    open ? (void)ui.layout.open.insert(name) : (void)ui.layout.open.erase(name);
    if (wanted) {
        ImGui::SetScrollHereY(0);
        ui.open_panel.clear();
    }
    return open;
}

void draw_left_panel(Document& document, Ui& ui) { LeftPanel(document, ui).draw(); }

}  // namespace ringlet
