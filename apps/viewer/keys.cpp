#include "viewer/keys.h"

#include <algorithm>

#include "base/lower_case.h"

namespace ringlet {

namespace {

constexpr KeyBinding kKeys[] = {
    {"Space", Action::pause, "Pause or continue"},
    {"H", Action::single_step, "One step, then pause"},
    {"R", Action::reset, "Restart from time 0"},
    {"G", Action::gravity_on, "Gravity on"},
    {"Alt+G", Action::gravity_off, "Gravity off"},
    {"W", Action::zoom_in, "Zoom in"},
    {"S", Action::zoom_out, "Zoom out"},
    {"A", Action::orbit_left, "Orbit left"},
    {"D", Action::orbit_right, "Orbit right"},
    {"Q", Action::raise, "Move the camera up"},
    {"E", Action::lower, "Move the camera down"},
    {"F", Action::frame_all, "Frame everything"},
    {"Right", Action::longer_fur, "Longer fur", true},
    {"Left", Action::shorter_fur, "Shorter fur", true},
    {"Up", Action::denser_fur, "Denser fur", true},
    {"Down", Action::thinner_fur, "Thinner fur", true},
    {"C", Action::record, "Start and stop recording to renders/"},
    {"T", Action::trace, "Trace the picture while it stands still"},
    {"P", Action::paint, "Paint where hair grows"},
    {"Ctrl+Z", Action::undo, "Undo"},
    {"Ctrl+Shift+Z", Action::redo, "Redo"},
    {"Ctrl+S", Action::save, "Save the scene"},
    {"Tab", Action::show_panels, "Hide or show the panels"},
    {"B", Action::show_colliders, "Hide or show the colliders"},
    {"F1", Action::help, "This list"},
    {"Escape", Action::close, "Close the window"},
};

constexpr MouseBinding kMouse[] = {
    {"Drag the backdrop", "Orbit; with the middle button anywhere"},
    {"Right drag", "Pan"},
    {"Scroll", "Zoom"},
    {"Drag the hair", "Push and comb it; Shift for a wider brush"},
    {"Drag the head", "Move it; with Shift turn it"},
    {"Drag a collider", "Move it, if colliders are shown"},
    {"Click a strand", "Show its values"},
    {"Ctrl+click a slider", "Type a value"},
    {"Drag the head while painting", "Paint; the panel Paint selects the brush"},
    {"Drop a file", "Open a scene, a head or a hairstyle"},
};

}  // namespace

std::span<const KeyBinding> all_keys() { return kKeys; }
std::span<const MouseBinding> all_mouse_moves() { return kMouse; }

std::optional<Action> action_of(std::string_view key, Modifiers with) {
    std::string all = with.ctrl ? "Ctrl+" : "";
    if (with.alt) all += "Alt+";
    if (with.shift) all += "Shift+";
    return action_of(all + std::string(key));
}

std::optional<Action> action_of(std::string_view keys) {
    const std::string wanted = lower_case(keys);
    for (const KeyBinding& binding : kKeys)
        if (lower_case(binding.keys) == wanted) return binding.action;
    return std::nullopt;
}

}  // namespace ringlet
