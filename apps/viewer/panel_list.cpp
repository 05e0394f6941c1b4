#include "viewer/panel_list.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace ringlet {

namespace {

struct Named {
    std::string_view table;
    std::string_view panel;
};

constexpr Named kPanels[] = {
    {"title", "Scene"},    {"groom", "Groom"},     {"fur", "Fur"},
    {"sim", "Simulation"}, {"model", "Model"},     {"hair_hair", "Hair against hair"},
    {"wind", "Wind"},      {"head", "Head"},       {"collider", "Colliders"},
    {"actor", "Actors"},   {"camera", "Camera"},   {"light", "Light"},
    {"render", "Render"},  {"record", "Recording"}};

std::vector<std::string> parts_of(const std::string& key) {
    std::vector<std::string> out(1);
    for (const char c : key)
        if (c == '.')
            out.emplace_back();
        else
            out.back() += c;
    return out;
}

}  // namespace

std::string panel_of(const std::string& key) {
    const std::vector<std::string> parts = parts_of(key);
    std::string table = parts[0];
    if (table == "sim" && parts.size() > 2) table = "model";
    for (const Named& named : kPanels)
        if (named.table == table) return std::string(named.panel);
    table[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(table[0])));
    return table;
}

std::string group_of(const std::string& key) {
    const std::vector<std::string> parts = parts_of(key);
    if (key.starts_with("groom.file")) return "import";  // many keys that are rarely needed
    return parts.size() > 2 ? parts[1] : "";
}

std::string label_of(const std::string& key) {
    std::string out = parts_of(key).back();
    std::replace(out.begin(), out.end(), '_', ' ');
    return out;
}

std::vector<std::string> panels_of(const ParameterTable& table) {
    std::vector<std::string> there;
    for (const Parameter& p : table.parameters) there.push_back(panel_of(p.key));
    for (const ParameterList& list : table.lists) there.push_back(panel_of(list.key));
    std::vector<std::string> out;
    for (const Named& named : kPanels)
        if (std::find(there.begin(), there.end(), named.panel) != there.end())
            out.emplace_back(named.panel);
    for (const std::string& panel : there)
        if (std::find(out.begin(), out.end(), panel) == out.end()) out.push_back(panel);
    return out;
}

std::string model_of(const ParameterTable& table) {
    for (const Parameter& p : table.parameters)
        if (const auto* choice = std::get_if<Choice>(&p.target); choice && p.key == "sim.model")
            return choice->words[static_cast<std::size_t>(choice->get())];
    return "";
}

bool has_fur(const ParameterTable& table) {
    return std::any_of(table.parameters.begin(), table.parameters.end(), [](const Parameter& p) {
        return p.key == "fur.style" && format_value(p) != "\"none\"";
    });
}

SliderRange slider_range(double low, double high, double usual) {
    const double size = std::abs(usual);
    if (low < 0) {
        const double reach = std::min(std::max(4 * size, 1.0), std::max(-low, high));
        return {std::max(low, -reach), std::min(high, reach), false};
    }
    if (high - low <= 1 && high >= 0.5) return {low, high, false};  // a fraction
    if (size > low) return {low, std::min(high, 4 * size), false};
    // The magnitude is unknown, so the slider covers the whole range, logarithmically if it is
    // wide.
    return {low, high, high > 100 * std::max(low, 1e-3)};
}

}  // namespace ringlet
