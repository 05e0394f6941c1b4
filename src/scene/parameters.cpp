#include "scene/parameters.h"

#include <fmt/format.h>

#include <cmath>

#include "scene/parameters/declarations.h"

namespace ringlet {

namespace {

// A TOML basic string.
std::string quoted_text(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += {'\\', c};
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            out += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out + '"';
}

std::string number(double value) {
    // The shortest text that reads back as the same float. TOML integers have no -0.
    if (value == 0 && std::signbit(value)) return "-0.0";
    return fmt::format("{}", static_cast<float>(value));
}

std::string key_row(const std::string& prefix, const Parameter& p) {
    const bool bounded = p.low < p.high;
    const std::string range = bounded ? fmt::format("{} to {}", number(p.low), number(p.high)) : "";
    return fmt::format("| `{}{}` | {} | {} | {} | `{}` | {} |\n", prefix, p.key, type_of(p), range,
                       p.unit, format_value(p), p.sentence);
}

}  // namespace

ParameterTable parameters_of(Scene& scene) {
    ParameterTable table;
    ParameterGroup<Scene>(table.parameters, "", scene)
        .text("title", &Scene::title)
        .says("One line about what the scene shows.");
    for (const auto declare : kDeclarations) declare(table, scene);
    return table;
}

std::string format_value(const Parameter& parameter) {
    struct Format {
        std::string operator()(const float* v) const { return number(*v); }
        std::string operator()(const int* v) const { return fmt::format("{}", *v); }
        std::string operator()(const std::uint32_t* v) const { return fmt::format("{}", *v); }
        std::string operator()(const bool* v) const { return *v ? "true" : "false"; }
        std::string operator()(const std::string* v) const { return quoted_text(*v); }
        std::string operator()(const Texts* v) const {
            std::string out;
            for (const std::string& text : *v) out += (out.empty() ? "" : ", ") + quoted_text(text);
            return "[" + out + "]";
        }
        std::string operator()(const Vec3f* v) const {
            return fmt::format("[{}, {}, {}]", number(v->x), number(v->y), number(v->z));
        }
        std::string operator()(const Choice& c) const {
            return '"' + c.words[static_cast<std::size_t>(c.get())] + '"';
        }
    };
    if (parameter.automatic && *parameter.automatic) return "\"auto\"";
    if (parameter.words && parameter.words->get() >= 0)
        return quoted_text(
            parameter.words->words[static_cast<std::size_t>(parameter.words->get())]);
    return std::visit(Format{}, parameter.target);
}

void set_word(const Parameter& parameter, int word) {
    if (parameter.words) parameter.words->set(word);
    if (parameter.after_set) parameter.after_set();
}

std::string type_of(const Parameter& parameter) {
    if (parameter.is_colour) return "[r, g, b], \"#rrggbb\" or a colour name";
    struct Name {
        std::string operator()(const float*) const { return "number"; }
        std::string operator()(const int*) const { return "whole number"; }
        std::string operator()(const std::uint32_t*) const { return "whole number"; }
        std::string operator()(const bool*) const { return "true or false"; }
        std::string operator()(const std::string*) const { return "text"; }
        std::string operator()(const Texts*) const { return "list of texts"; }
        std::string operator()(const Vec3f*) const { return "[x, y, z]"; }
        std::string operator()(const Choice& c) const {
            std::string out;
            for (const std::string& word : c.words) out += (out.empty() ? "" : ", ") + word;
            return out;
        }
    };
    std::string out = std::visit(Name{}, parameter.target);
    if (parameter.words) out += ", " + Name{}(*parameter.words);
    return out + (parameter.automatic ? " or auto" : "");
}

void copy_value(const Parameter& from, const Parameter& to) {
    std::visit(
        [&](auto& target) {
            using T = std::decay_t<decltype(target)>;
            const T& value = std::get<T>(from.target);
            if constexpr (std::is_pointer_v<T>)
                *target = *value;
            else
                target.set(value.get());
        },
        to.target);
    if (to.automatic) *to.automatic = *from.automatic;
    set_word(to, from.words ? from.words->get() : -1);
}

std::string describe_keys() {
    const std::string head =
        "| key | type | range | unit | default | meaning |\n|---|---|---|---|---|---|\n";
    Scene defaults;
    const ParameterTable table = parameters_of(defaults);
    std::string out = head;
    out +=
        "| `base` | text | | | | A built-in scene whose values apply unless this scene sets them. "
        "|\n";
    out +=
        "| `groom.preset` | text | | | | A built-in scene whose `[groom]` values apply unless this "
        "scene sets them. |\n";
    for (const Parameter& parameter : table.parameters) out += key_row("", parameter);
    for (const ParameterList& entries : table.lists) {
        out += fmt::format("\n`[[{}]]` (up to {}): {}\n\n{}", entries.key, entries.most,
                           entries.sentence, head);
        for (const Parameter& parameter : entries.append()) out += key_row("", parameter);
    }
    return out;
}

}  // namespace ringlet
