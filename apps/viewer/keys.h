// Key and mouse bindings of the viewer. One table serves input handling and the F1 help.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ringlet {

enum class Action {
    pause,
    single_step,
    reset,
    gravity_on,
    gravity_off,
    zoom_in,
    zoom_out,
    orbit_left,
    orbit_right,
    raise,
    lower,
    frame_all,
    longer_fur,
    shorter_fur,
    denser_fur,
    thinner_fur,
    record,
    trace,
    paint,
    undo,
    redo,
    save,
    show_panels,
    show_colliders,
    help,
    close
};

struct KeyBinding {
    std::string_view keys;  // "Ctrl+Shift+Z"
    Action action;
    std::string_view sentence;
    bool needs_fur = false;  // listed only if the scene has fur
};
std::span<const KeyBinding> all_keys();

struct Modifiers {
    bool ctrl = false, shift = false, alt = false;
};
// `key` as the table spells it: "G", "Space", "Left", "F1", "Escape".
std::optional<Action> action_of(std::string_view key, Modifiers with);
// Parses "ctrl+shift+z"; case-insensitive.
std::optional<Action> action_of(std::string_view keys);

// A mouse operation, for the help window.
struct MouseBinding {
    std::string_view how, sentence;
};
std::span<const MouseBinding> all_mouse_moves();

}  // namespace ringlet
