// The keys of the viewer, declared once: what they do, and what F1 says of them.
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
    bool needs_fur = false;  // where the scene has such a key
};
std::span<const KeyBinding> all_keys();

struct Modifiers {
    bool ctrl = false, shift = false, alt = false;
};
// `key` as the table spells it: "G", "Space", "Left", "F1", "Escape".
std::optional<Action> action_of(std::string_view key, Modifiers with);
// "ctrl+shift+z", letters of any case.
std::optional<Action> action_of(std::string_view keys);

// What the mouse does, in the same way.
struct MouseBinding {
    std::string_view how, sentence;
};
std::span<const MouseBinding> all_mouse_moves();

}  // namespace ringlet
