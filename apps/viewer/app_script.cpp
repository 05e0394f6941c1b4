// Executes script commands in the viewer.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "viewer/app.h"

namespace ringlet {

namespace {

Result<float> number(const std::string& text) {
    float value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size())
        return Error{"\"" + text + "\" is not a number"};
    if (!std::isfinite(value) || std::abs(value) > 1e6f)
        return Error{"\"" + text + "\" is out of range"};
    return value;
}

// Limits of what window systems and OpenGL can allocate.
Result<void> check_size(const std::vector<float>& sides) {
    for (const float side : sides)
        if (side < 64 || side > 8192)
            return Error{fmt::format("{} pixels; a side must be 64 to 8192", side)};
    return {};
}

}  // namespace

Result<void> App::run(const std::vector<ScriptCommand>& script) {
    scripted_ = true;
    mouse_ = ScriptedMouse{{-1, -1}};
    for (const ScriptCommand& command : script) {
        // A leading `size` takes effect before the first frame is drawn.
        if (picture_.width <= 0 && command.verb != "size") draw_frames(2);
        if (command.verb == "quit" || window_.is_closing()) return {};
        failed_ = false;
        Result<void> done = do_command(command);
        if (done && failed_) done = Error{ui_.message};
        if (!done) return Error{command.verb + ": " + done.error().text(), {}, command.line};
    }
    return {};
}

// Draws frames without advancing the scene time.
void App::draw_frames(int count) {
    for (int k = 0; k < count && !window_.is_closing(); ++k) do_frame(0);
}

void App::move_mouse(const std::vector<ScriptedMouse>& path) {
    for (const ScriptedMouse& mouse : path) {
        mouse_ = mouse;
        draw_frames(1);
    }
}

Result<void> App::slide(const std::string& key, float share) {
    ui_.widgets.clear();
    ui_.reveal = key;
    draw_frames(4);
    const auto found = ui_.widgets.find(key);
    if (found == ui_.widgets.end()) return Error{"no slider of \"" + key + "\" is visible"};
    const ScreenRect& at = found->second;
    const ScreenPoint start{at.x + at.width / 2, at.y + at.height / 2};
    const float margin = 6;
    const ScreenPoint end{at.x + margin + share * (at.width - 2 * margin), start.y};
    move_mouse({{start}, {start, true}, {end, true}, {end, true}, {end}, {{-1, -1}}});
    return {};
}

// The messages that the window shows, in one line.
std::string App::messages_text() const {
    const Messages& messages = document_.control().messages();
    std::string out;
    if (messages == ui_.dismissed) return "none";
    for (const Warning& warning : messages.warnings) out += " [" + warning.line() + "]";
    for (const std::string& text : messages.assumptions) out += " [" + text + "]";
    return out.empty() ? "none" : out.substr(1);
}

Result<void> App::print(const std::string& what) {
    std::string text;
    const SessionControl& control = document_.control();
    if (what == "hash") {
        text = fmt::format("{} after {} steps", control.hash(), control.step_count());
    } else if (what == "time") {
        text = fmt::format("{:.6f}", time_);
    } else if (what == "strands") {
        text = fmt::format("{}", control.strand_count());
    } else if (what == "selected") {
        text = fmt::format("{} {}", run_.selected.strand, run_.selected.vertex);
    } else if (what == "tracing") {
        text = traced_.state();
    } else if (what == "messages") {
        text = messages_text();
    } else if (what == "panels") {
        for (const std::string& name : ui_.layout.open) text += (text.empty() ? "" : ", ") + name;
    } else {
        for (const Parameter& p : document_.table().parameters)
            if (p.key == what) text = format_value(p);
        if (text.empty())
            return Error{
                "no such value; print hash, time, strands, selected, tracing, messages, panels or "
                "a key",
                what};
    }
    fmt::print("{} {}\n", what, text);
    return {};
}

// Verbs whose arguments are all numbers.
void App::do_on_picture(const std::string& verb, const std::vector<float>& numbers) {
    const double frame = 1 / static_cast<double>(document_.scene().record.fps);
    const auto point = [&](std::size_t k) {
        return ScreenPoint{picture_.x + numbers[k] * picture_.width,
                           picture_.y + numbers[k + 1] * picture_.height};
    };
    if (verb == "frames") {
        for (int k = 0; k < static_cast<int>(numbers[0]) && !window_.is_closing(); ++k)
            do_frame(frame);
    } else if (verb == "size") {
        window_.resize(static_cast<int>(numbers[0]), static_cast<int>(numbers[1]));
        draw_frames(4);
    } else if (verb == "click") {
        const ScreenPoint at = point(0);
        move_mouse({{at}, {at, true}, {at}, {at}});
    } else {
        constexpr int kPieces = 8;
        const ScreenPoint from = point(0), to = point(2);
        move_mouse({{from}, {from, true}});
        for (int k = 1; k <= kPieces; ++k) {
            const float t = static_cast<float>(k) / kPieces;
            mouse_ = {{from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t}, true};
            do_frame(frame);
        }
        move_mouse({{to}, {to}});
    }
}

Result<void> App::do_on_panels(const ScriptCommand& command) {
    const std::string& name = command.words[0];
    if (command.verb == "press") {
        ui_.widgets.clear();
        draw_frames(2);
        const auto found = ui_.widgets.find(name);
        if (found == ui_.widgets.end()) return Error{"no button \"" + name + "\" is visible"};
        const ScreenRect& at = found->second;
        const ScreenPoint middle{at.x + at.width / 2, at.y + at.height / 2};
        move_mouse({{middle}, {middle, true}, {middle}, {{-1, -1}}});
        return {};
    }
    if (command.verb == "slide") {
        const Result<float> share = number(command.words[1]);
        return share ? slide(name, *share) : share.error();
    }
    if (command.verb == "panel") {
        ui_.open_panel = name;
        draw_frames(3);
        return ui_.open_panel.empty() ? Result<void>() : Error{"no panel \"" + name + "\""};
    }
    if (command.verb == "close") {
        const bool was_open = ui_.layout.open.erase(name) > 0;
        draw_frames(1);
        return was_open ? Result<void>() : Error{"no panel \"" + name + "\" is open"};
    }
    ui_.filter = name == "-" ? "" : name;
    draw_frames(2);
    return {};
}

Result<void> App::do_command(const ScriptCommand& command) {
    const auto is_one_of = [&](std::initializer_list<const char*> verbs) {
        return std::find(verbs.begin(), verbs.end(), command.verb) != verbs.end();
    };
    if (is_one_of({"frames", "click", "drag", "size"})) {
        std::vector<float> numbers;
        for (const std::string& word : command.words) {
            const Result<float> value = number(word);
            if (!value) return value.error();
            numbers.push_back(*value);
        }
        if (command.verb == "size")
            if (Result<void> sound = check_size(numbers); !sound) return sound;
        do_on_picture(command.verb, numbers);
        return {};
    }
    if (is_one_of({"slide", "press", "panel", "close", "find"})) return do_on_panels(command);
    const std::string& word = command.words[0];
    if (command.verb == "set") return document_.set(word);
    if (command.verb == "preset") return document_.apply_preset(word);
    if (command.verb == "print") return print(word);
    if (command.verb == "key") {
        const std::optional<Action> action = action_of(word);
        if (!action) return Error{"no action is bound to the key \"" + word + "\""};
        act(*action);
    } else if (command.verb == "open") {
        open(word);
    } else if (command.verb == "save") {
        save(word);
    } else {
        screenshot_ = word;
    }
    draw_frames(1);
    return {};
}

}  // namespace ringlet
