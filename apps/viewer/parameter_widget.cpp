#include "viewer/parameter_widget.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "viewer/panel_list.h"

namespace ringlet {

namespace {

// Escapes percent signs for a printf format.
std::string for_format(const std::string& unit) {
    std::string out;
    for (const char c : unit) out += c == '%' ? std::string("%%") : std::string(1, c);
    return out;
}

float to_srgb(float c) {
    return c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f;
}
float to_linear(float c) {
    return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
}

// One widget without a label, as wide as the available space.
struct Widget {
    const Parameter& p;
    const Parameter* original;
    Ui& ui;

    double usual(double now) const {
        double out = now;
        if (original) {
            if (auto* const* f = std::get_if<float*>(&original->target)) out = **f;
            if (auto* const* i = std::get_if<int*>(&original->target)) out = **i;
        }
        return out;
    }
    bool operator()(float* value) const {
        const double now = static_cast<double>(*value);
        SliderRange range = slider_range(p.low, p.high, usual(now));
        // Extends the slider to a typed value outside its range.
        range.low = std::min(range.low, now);
        range.high = std::max(range.high, now);
        std::string format = "%.4g" + (p.unit.empty() ? "" : " " + for_format(p.unit));
        const int word = p.words ? p.words->get() : -1;
        if (word >= 0) format = p.words->words[static_cast<std::size_t>(word)];
        const bool changed = ImGui::SliderFloat(
            "##value", value, static_cast<float>(range.low), static_cast<float>(range.high),
            format.c_str(), range.logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
        if (changed)
            *value = std::clamp(*value, static_cast<float>(p.low), static_cast<float>(p.high));
        if (changed) set_word(p, -1);
        return changed;
    }
    bool operator()(int* value) const {
        SliderRange range = slider_range(p.low, p.high, usual(*value));
        range.high = std::max(range.high, std::max<double>(*value, p.low + 4));
        const std::string format = "%d" + (p.unit.empty() ? "" : " " + for_format(p.unit));
        const bool changed =
            ImGui::SliderInt("##value", value, static_cast<int>(range.low),
                             static_cast<int>(std::min(range.high, p.high)), format.c_str(),
                             range.logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
        if (changed) *value = std::clamp(*value, static_cast<int>(p.low), static_cast<int>(p.high));
        return changed;
    }
    bool operator()(std::uint32_t* value) const {
        const std::uint32_t step = 1;
        return ImGui::InputScalar("##value", ImGuiDataType_U32, value, &step);
    }
    bool operator()(bool* value) const { return ImGui::Checkbox("##value", value); }
    // Applies text only when editing ends, because half a file name is invalid. ImGui may
    // deactivate a field that scrolls out of view and lose its text, so `ui.typed` keeps the last
    // input.
    bool typed_text(const std::string& value, std::string& text) const {
        if (ImGui::IsItemActive()) ui.typed = text;
        if (!ImGui::IsItemDeactivatedAfterEdit() ||
            ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)))
            return false;
        if (text == value) text = ui.typed;
        return text != value;
    }
    bool operator()(std::string* value) const {
        std::string text = *value;
        ImGui::InputText("##value", &text);
        if (!typed_text(*value, text)) return false;
        *value = text;
        return true;
    }
    bool operator()(Texts* value) const {
        std::string before;
        for (const std::string& line : *value) before += line + "\n";
        std::string text = before;
        ImGui::InputTextMultiline("##value", &text, {-1, ImGui::GetTextLineHeight() * 4});
        if (!typed_text(before, text)) return false;
        value->clear();
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            if (!line.empty()) value->push_back(line);
        return true;
    }
    bool operator()(Vec3f* value) const {
        float part[3] = {value->x, value->y, value->z};
        bool changed = false;
        if (p.is_colour) {
            for (float& c : part) c = to_srgb(c);
            changed = ImGui::ColorEdit3(
                "##value", part,
                ImGuiColorEditFlags_Float | ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_HDR);
            for (float& c : part) c = to_linear(c);
        } else {
            const float size = std::max({std::abs(part[0]), std::abs(part[1]), std::abs(part[2])});
            changed =
                ImGui::DragFloat3("##value", part, std::max(size, 0.1f) * 0.005f,
                                  static_cast<float>(p.low), static_cast<float>(p.high), "%.4g");
        }
        if (!changed) return false;
        for (float& c : part)
            c = std::clamp(c, static_cast<float>(p.low), static_cast<float>(p.high));
        *value = {part[0], part[1], part[2]};
        return true;
    }
    bool operator()(const Choice& choice) const {
        const int now = choice.get();
        bool changed = false;
        if (!ImGui::BeginCombo("##value", choice.words[static_cast<std::size_t>(now)].c_str()))
            return false;
        for (int k = 0; k < static_cast<int>(choice.words.size()); ++k)
            if (ImGui::Selectable(choice.words[static_cast<std::size_t>(k)].c_str(), k == now)) {
                choice.set(k);
                changed = k != now;
            }
        ImGui::EndCombo();
        return changed;
    }
};

// A menu of the words that the parameter accepts instead of a value.
bool choose_word(const Parameter& p) {
    ImGui::SameLine(0, 0);
    if (!ImGui::BeginCombo("##word", "", ImGuiComboFlags_NoPreview)) return false;
    bool changed = false;
    const int now = p.words->get();
    for (int k = 0; k < static_cast<int>(p.words->words.size()); ++k)
        if (ImGui::Selectable(p.words->words[static_cast<std::size_t>(k)].c_str(), k == now)) {
            set_word(p, k);
            changed = k != now;
        }
    ImGui::EndCombo();
    return changed;
}

void show_tooltip(const Parameter& p, const Parameter* original, const std::string& key) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 24);
    ImGui::TextUnformatted(p.sentence.c_str());
    std::string line = key;
    if (p.low < p.high) line += fmt::format("   {:g} to {:g} {}", p.low, p.high, p.unit);
    ImGui::TextDisabled("%s", line.c_str());
    if (original && format_value(*original) != format_value(p))
        ImGui::TextDisabled("opened with %s; right-click to go back",
                            format_value(*original).c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

}  // namespace

bool edit_parameter(const Parameter& parameter, const Parameter* original, const std::string& key,
                    Ui& ui) {
    ImGui::PushID(key.c_str());
    const bool differs = original && format_value(*original) != format_value(parameter);
    const float room = ImGui::GetContentRegionAvail().x;
    const ImVec2 start = ImGui::GetCursorPos();
    ImGui::AlignTextToFramePadding();
    const std::string label = label_of(parameter.key);
    if (differs)
        ImGui::TextColored({0.93f, 0.62f, 0.42f, 1}, "%s", label.c_str());
    else
        ImGui::TextUnformatted(label.c_str());
    bool hovered = ImGui::IsItemHovered();
    ImGui::SameLine();
    ImGui::SetCursorPosX(start.x + 0.42f * room);
    ImGui::SetNextItemWidth(0.58f * room - (parameter.words ? ImGui::GetFrameHeight() : 0));
    bool changed = std::visit(Widget{parameter, original, ui}, parameter.target);
    if (changed && parameter.automatic) *parameter.automatic = false;
    hovered |= ImGui::IsItemHovered();
    ui.is_editing |= ImGui::IsItemActive();
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ui.widgets[key] = {low.x, low.y, high.x - low.x, high.y - low.y};
    if (parameter.words) changed |= choose_word(parameter);
    if (differs && hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
        copy_value(*original, parameter);
        changed = true;
    }
    if (ui.reveal == key) {
        ImGui::SetScrollHereY(0.4f);
        ui.reveal.clear();
    }
    if (hovered && !ImGui::IsItemActive()) show_tooltip(parameter, original, key);
    ImGui::PopID();
    return changed;
}

bool edit_list(const ParameterList& list, Ui& ui) {
    bool changed = false;
    ImGui::PushID(list.key.c_str());
    std::vector<std::vector<Parameter>> entries = list.entries();
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const std::string name = fmt::format("{} {}", label_of(list.key), k);
        const std::string prefix = fmt::format("{}.{}.", list.key, k);
        if (ui.reveal.starts_with(prefix)) ImGui::SetNextItemOpen(true);
        if (!ImGui::TreeNode(name.c_str())) continue;
        for (const Parameter& p : entries[k])
            changed |= edit_parameter(p, nullptr, prefix + p.key, ui);
        const bool removed = ImGui::SmallButton("Remove");
        ImGui::TreePop();
        if (!removed) continue;
        list.erase(k);
        changed = true;
        break;
    }
    if (entries.size() < static_cast<std::size_t>(list.most) &&
        ImGui::SmallButton(("Add " + label_of(list.key)).c_str())) {
        list.append();
        changed = true;
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", list.sentence.c_str());
    ImGui::PopID();
    return changed;
}

}  // namespace ringlet
