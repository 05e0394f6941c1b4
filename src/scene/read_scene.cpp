#include "scene/read_scene.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "groom/hair_colours.h"
#include "scene/key_aliases.h"
#include "scene/nearest_name.h"
#include "scene/parameters.h"

namespace ringlet {

namespace {

constexpr int kMaxBaseDepth = 8;

// An error message about a value, without its key; nothing if the value was accepted.
using Complaint = std::optional<std::string>;

std::string kind_of(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::string:
            return "text";
        case toml::node_type::integer:
            return "a whole number";
        case toml::node_type::floating_point:
            return "a number";
        case toml::node_type::boolean:
            return "true or false";
        case toml::node_type::array:
            return "a list";
        case toml::node_type::table:
            return "a table";
        default:
            return "a date or time";
    }
}

Complaint out_of_range(double value, const Parameter& p) {
    const std::string unit = p.unit.empty() ? "" : " " + p.unit;
    return fmt::format("{:g} is out of range; it must be {:g} to {:g}{}", value, p.low, p.high,
                       unit);
}

Complaint wrong_type(const toml::node& node, const Parameter& p) {
    return fmt::format("is {} where {} is needed", kind_of(node), type_of(p));
}

// Stores a TOML value in a parameter's target.
struct Assign {
    const toml::node& node;
    const Parameter& p;

    Complaint number(double& out) const {
        if (!node.is_number()) return wrong_type(node, p);
        const double value = node.is_integer() ? static_cast<double>(**node.as_integer())
                                               : **node.as_floating_point();
        if (!(value >= p.low && value <= p.high)) return out_of_range(value, p);
        out = value;
        return {};
    }
    Complaint component(const toml::node& entry, float& out) const {
        double value = 0;
        if (const Complaint bad = Assign{entry, p}.number(value)) return bad;
        out = static_cast<float>(value);
        return {};
    }
    template <class Int>
    Complaint whole(Int* target) const {
        double value = 0;
        if (const Complaint bad = number(value)) return bad;
        if (std::floor(value) != value) return fmt::format("{:g} is not a whole number", value);
        *target = static_cast<Int>(value);
        return {};
    }
    // Accepts a word, or a colour as "#rrggbb", where the parameter has words. Returns nothing if
    // the value is no text.
    std::optional<Complaint> word() const {
        if (!p.words || !node.is_string()) return {};
        const std::string text = **node.as_string();
        auto* const* colour = std::get_if<Vec3f*>(&p.target);
        if (const auto hex = parse_hex_colour(text); hex && p.is_colour && colour) {
            **colour = *hex;
            return Complaint();
        }
        const std::vector<std::string>& words = p.words->words;
        const auto found = std::find(words.begin(), words.end(), text);
        if (found != words.end()) {
            p.words->set(static_cast<int>(found - words.begin()));
            return Complaint();
        }
        const std::string guess = nearest_name(text, words);
        return Complaint(fmt::format("is the text \"{}\" where {} is needed{}", text, type_of(p),
                                     guess.empty() ? "" : "; did you mean \"" + guess + "\"?"));
    }
    Complaint operator()(float* target) const {
        if (const auto done = word()) return *done;
        double value = 0;
        if (const Complaint bad = number(value)) return bad;
        *target = static_cast<float>(value);
        if (p.words) p.words->set(-1);
        return {};
    }
    Complaint operator()(int* target) const { return whole(target); }
    Complaint operator()(std::uint32_t* target) const { return whole(target); }
    Complaint operator()(bool* target) const {
        if (!node.is_boolean()) return wrong_type(node, p);
        *target = **node.as_boolean();
        return {};
    }
    Complaint operator()(std::string* target) const {
        if (!node.is_string()) return wrong_type(node, p);
        *target = **node.as_string();
        return {};
    }
    Complaint operator()(Texts* target) const {
        const toml::array* array = node.as_array();
        if (!array) return wrong_type(node, p);
        Texts texts;
        for (const toml::node& entry : *array) {
            if (!entry.is_string()) return wrong_type(entry, p);
            texts.push_back(**entry.as_string());
        }
        *target = std::move(texts);
        return {};
    }
    Complaint operator()(Vec3f* target) const {
        if (const auto done = word()) return *done;
        const toml::array* array = node.as_array();
        if (!array || array->size() != 3) return wrong_type(node, p);
        float part[3];
        for (std::size_t k = 0; k < 3; ++k)
            if (const Complaint bad = component(*array->get(k), part[k])) return bad;
        *target = {part[0], part[1], part[2]};
        return {};
    }
    Complaint operator()(const Choice& choice) const {
        if (!node.is_string()) return wrong_type(node, p);
        const std::string word = **node.as_string();
        const auto found = std::find(choice.words.begin(), choice.words.end(), word);
        if (found == choice.words.end())
            return fmt::format("unknown word \"{}\"; use one of {}", word, type_of(p));
        choice.set(static_cast<int>(found - choice.words.begin()));
        return {};
    }
};

// Stores a TOML value in a parameter, which may be "auto".
Complaint assign_value(const toml::node& node, const Parameter& p) {
    if (p.automatic && node.is_string() && **node.as_string() == "auto") {
        *p.automatic = true;
        return {};
    }
    if (const Complaint bad = std::visit(Assign{node, p}, p.target)) return bad;
    if (p.automatic) *p.automatic = false;
    if (const auto* const* v = std::get_if<Vec3f*>(&p.target);
        v && p.is_direction && !(norm(**v) > 0))
        return "has no direction; one of its components must not be 0";
    if (p.after_set) p.after_set();
    return {};
}

Parameter* find(std::vector<Parameter>& parameters, const std::string& key) {
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const Parameter& p) { return p.key == key; });
    return found == parameters.end() ? nullptr : &*found;
}

// Applies TOML documents and overrides to a scene. Notices about renamed keys go to scene.notices.
class Reader {
public:
    Reader(Scene& scene, std::string file)
        : scene_(scene), table_(parameters_of(scene)), file_(std::move(file)) {
        for (const Parameter& p : table_.parameters) known_.push_back(p.key);
        for (const ParameterList& list : table_.lists) known_.push_back(list.key);
    }

    Result<void> apply(const toml::table& from, const std::string& prefix = "") {
        for (const bool sets_others : {true, false})
            for (const auto& [key, node] : from) {
                const std::string written = prefix + std::string(key.str());
                if (written == "base" || written == "groom.preset") continue;  // see read_into
                const std::string name = current_key(written);
                const Parameter* parameter = find(table_.parameters, name);
                if ((parameter && parameter->sets_others) != sets_others) continue;
                if (name != written) add_notice(key.source(), written, name);
                const Result<void> done = apply_entry(name, key, node);
                if (!done) return done;
            }
        return {};
    }

    // "key=value" from the command line or an actor; `by` names the origin in notices.
    Result<void> apply_override(const std::string& text, const std::string& by) {
        const auto equals = text.find('=');
        if (equals == std::string::npos) return Error{"write it as key=value"};
        const std::string written = text.substr(0, equals), value = text.substr(equals + 1);
        const std::string key = current_key(written);
        if (key != written) scene_.notices.push_back(by + " " + renamed(written, key));
        if (const ParameterList* list = find_list(key)) return override_list(*list, value);
        std::vector<Parameter> entry;
        const Parameter* parameter = find_for_override(key, entry);
        if (!parameter) return Error{unknown(key, known_)};
        toml::table parsed;
        try {
            parsed = toml::parse("value = " + value);
        } catch (const toml::parse_error&) {
            parsed = toml::table{{"value", value}};
        }
        const bool wants_text = std::holds_alternative<std::string*>(parameter->target) ||
                                std::holds_alternative<Choice>(parameter->target);
        if (wants_text && !parsed["value"].is_string()) parsed = toml::table{{"value", value}};
        if (const Complaint bad = assign_value(*parsed.get("value"), *parameter))
            return Error{key + ": " + *bad};
        return {};
    }

private:
    static std::string renamed(const std::string& former, const std::string& current) {
        return fmt::format("{} is now {}; please rename it", former, current);
    }

    // A notice for one line of the terminal: "scene.toml:12: sim.carry is now ...".
    void add_notice(const toml::source_region& at, const std::string& former,
                    const std::string& current) {
        scene_.notices.push_back(
            fmt::format("{}:{}: {}", file_, at.begin.line, renamed(former, current)));
    }

    Error located(const toml::source_region& at, const std::string& message) const {
        return Error{message, file_, static_cast<int>(at.begin.line),
                     static_cast<int>(at.begin.column)};
    }

    static std::string unknown(const std::string& key, const std::vector<std::string>& known) {
        const std::string near = nearest_name(key, known);
        return fmt::format("unknown key \"{}\"; {}", key,
                           near.empty() ? "`ringlet scenes --keys` lists all keys"
                                        : fmt::format("did you mean \"{}\"?", near));
    }

    bool is_table_name(const std::string& name) const {
        return std::any_of(known_.begin(), known_.end(), [&](const std::string& key) {
            return key.size() > name.size() && key.compare(0, name.size(), name) == 0 &&
                   key[name.size()] == '.';
        });
    }

    Result<void> apply_entry(const std::string& name, const toml::key& key,
                             const toml::node& node) {
        if (const ParameterList* list = find_list(name)) return apply_list(*list, node);
        if (const Parameter* parameter = find(table_.parameters, name))
            return assign(*parameter, name, node);
        // `colour = "auburn"` is short for the name in the table [groom.colour].
        if (const Parameter* named = find(table_.parameters, name + ".name");
            named && node.is_string())
            return assign(*named, named->key, node);
        if (!is_table_name(name)) return located(key.source(), unknown(name, known_));
        if (!node.is_table())
            return located(node.source(), fmt::format("{}: is {} where a table [{}] is needed",
                                                      name, kind_of(node), name));
        return apply(*node.as_table(), name + ".");
    }

    Result<void> assign(const Parameter& parameter, const std::string& name,
                        const toml::node& node) const {
        if (const Complaint bad = assign_value(node, parameter))
            return located(node.source(), name + ": " + *bad);
        return {};
    }

    const ParameterList* find_list(const std::string& key) const {
        const auto found = std::ranges::find(table_.lists, key, &ParameterList::key);
        return found == table_.lists.end() ? nullptr : &*found;
    }

    // Replaces all entries, for example by none: "head.key=[]".
    Result<void> override_list(const ParameterList& list, const std::string& value) {
        const Error wanted{
            fmt::format("{}: write its entries as [{{...}}, {{...}}], or [] for none", list.key)};
        try {
            const toml::table parsed = toml::parse("value = " + value);
            if (!parsed["value"].is_array()) return wanted;
            const Result<void> done = apply_list(list, *parsed.get("value"));
            return done ? done : Error{done.error().message};
        } catch (const toml::parse_error&) {
            return wanted;
        }
    }

    Result<void> apply_list(const ParameterList& list, const toml::node& node) {
        const toml::array* array = node.as_array();
        const bool tables = array && std::all_of(array->begin(), array->end(),
                                                 [](const toml::node& n) { return n.is_table(); });
        if (!tables)
            return located(node.source(),
                           fmt::format("{}: write each entry as [[{}]]", list.key, list.key));
        if (array->size() > static_cast<std::size_t>(list.most))
            return located(node.source(), fmt::format("{}: {} entries where at most {} are allowed",
                                                      list.key, array->size(), list.most));
        list.clear();
        for (const toml::node& entry : *array) {
            std::vector<Parameter> parameters = list.append();
            if (list.set_source)
                list.set_source(file_, static_cast<int>(entry.source().begin.line));
            const Result<void> done = apply_list_entry(list.key, parameters, *entry.as_table());
            if (!done) return done;
        }
        return {};
    }

    Result<void> apply_list_entry(const std::string& list, std::vector<Parameter>& parameters,
                                  const toml::table& entry) {
        std::vector<std::string> known;
        for (const Parameter& p : parameters) known.push_back(p.key);
        for (const auto& [key, value] : entry) {
            const std::string written = list + "." + std::string(key.str());
            const std::string name = current_key(written);
            const Parameter* parameter = find(parameters, name.substr(list.size() + 1));
            if (!parameter)
                return located(key.source(), list + ": " + unknown(std::string(key.str()), known));
            if (name != written) add_notice(key.source(), written, name);
            const Result<void> done = assign(*parameter, name, value);
            if (!done) return done;
        }
        return {};
    }

    // Finds a parameter, also one of a list's entry by its index, such as "collider.0.radius". The
    // result points into the table or into `entry`.
    const Parameter* find_for_override(const std::string& key, std::vector<Parameter>& entry) {
        if (const Parameter* parameter = find(table_.parameters, key)) return parameter;
        if (const Parameter* named = find(table_.parameters, key + ".name")) return named;
        for (const ParameterList& list : table_.lists) {
            if (key.rfind(list.key + ".", 0) != 0) continue;
            const std::string rest = key.substr(list.key.size() + 1);
            const auto dot = rest.find('.');
            if (dot == std::string::npos) continue;
            std::size_t index = 0;
            const auto parsed = std::from_chars(rest.data(), rest.data() + dot, index);
            std::vector<std::vector<Parameter>> entries = list.entries();
            if (parsed.ec != std::errc() || parsed.ptr != rest.data() + dot ||
                index >= entries.size())
                continue;
            entry = std::move(entries[index]);
            return find(entry, rest.substr(dot + 1));
        }
        return nullptr;
    }

    Scene& scene_;
    ParameterTable table_;
    std::string file_;
    std::vector<std::string> known_;
};

Result<toml::table> parse_document(std::string_view text, const std::string& file) {
    try {
        return toml::parse(text, file);
    } catch (const toml::parse_error& error) {
        return Error{std::string(error.description()), file,
                     static_cast<int>(error.source().begin.line),
                     static_cast<int>(error.source().begin.column)};
    }
}

// Applies the [groom] table of another scene, including those of its base scenes.
Result<void> read_preset(Scene& scene, const std::string& name, const FindScene& find_scene,
                         int depth) {
    if (depth >= kMaxBaseDepth) return Error{"the base scenes refer to each other in a circle"};
    const Result<std::string> text = find_scene(name);
    if (!text) return text.error();
    const Result<toml::table> document = parse_document(*text, name);
    if (!document) return document.error();
    if (const std::optional<std::string> base = (*document)["base"].value<std::string>()) {
        const Result<void> done = read_preset(scene, *base, find_scene, depth + 1);
        if (!done) return done;
    }
    const toml::table* groom = (*document)["groom"].as_table();
    return groom ? Reader(scene, name).apply(*groom, "groom.") : Result<void>();
}

// An automatic eye or target is chosen so that they differ.
bool has_direction(const Scene& scene) {
    const bool chosen = scene.automatic.camera_eye || scene.automatic.camera_target;
    return chosen || norm(scene.camera.eye - scene.camera.target) > 0;
}
constexpr const char* kNoDirection =
    "camera.eye is camera.target, so the camera has no direction; move one of them";

Result<void> read_into(Scene& scene, std::string_view text, const std::string& file,
                       const FindScene& find_scene, int depth) {
    const Result<toml::table> document = parse_document(text, file);
    if (!document) return document.error();
    const auto located = [&](const toml::node& node, const std::string& message) {
        return Error{message, file, static_cast<int>(node.source().begin.line),
                     static_cast<int>(node.source().begin.column)};
    };
    if (const toml::node* base = document->get("base")) {
        const std::string name = base->value_or(std::string());
        if (depth >= kMaxBaseDepth)
            return located(*base, "base: the base scenes refer to each other in a circle");
        const Result<std::string> found = find_scene(name);
        if (!found) return located(*base, "base: " + found.error().text());
        const Result<void> done = read_into(scene, *found, name, find_scene, depth + 1);
        if (!done) return done;
    }
    if (const toml::node* preset = (*document)["groom"]["preset"].node()) {
        const Result<void> done =
            read_preset(scene, preset->value_or(std::string()), find_scene, depth);
        if (!done) return located(*preset, "groom.preset: " + done.error().text());
    }
    const Result<void> done = Reader(scene, file).apply(*document);
    if (const toml::node* camera = document->get("camera"); done && camera && !has_direction(scene))
        return located(*camera, kNoDirection);
    return done;
}

// Checks conditions that involve several parameters.
Result<void> check_consistency(const Scene& scene, const std::string& file) {
    const double vertices = vertices_grown(scene.groom);
    if (vertices > kMaxVertices)
        return Error{fmt::format("groom: {:g} vertices in total, more than {:g}; lower "
                                 "groom.strands or groom.vertices",
                                 vertices, kMaxVertices),
                     file};
    if (scene.groom.strands > 0 && scene.groom.mesh.empty())
        return Error{
            "groom.strands: there is no groom.mesh to grow strands on; set groom.mesh, or add "
            "[[groom.strand]] entries",
            file};
    if (!has_direction(scene)) return Error{kNoDirection, file};
    const std::vector<HeadKey>& keys = scene.world.head.keys;
    for (std::size_t k = 1; k < keys.size(); ++k)
        if (!(keys[k].time > keys[k - 1].time))
            return Error{"head.key: times must increase from key to key", file};
    return {};
}

}  // namespace

double vertices_grown(const GroomSettings& groom) {
    double vertices = static_cast<double>(groom.strands) * groom.vertices;
    for (const PlantedStrand& strand : groom.planted) vertices += strand.vertices;
    return vertices;
}

Result<void> apply_overrides(Scene& scene, std::span<const std::string> overrides,
                             const std::string& by, const FindScene& find_scene) {
    Reader reader(scene, scene.name);
    constexpr std::string_view kPreset = "groom.preset=";
    for (const std::string& text : overrides) {
        const Result<void> done =
            text.starts_with(kPreset)
                ? read_preset(scene, text.substr(kPreset.size()), find_scene, 0)
                : reader.apply_override(text, by);
        if (!done) return Error{by + " " + text + ": " + done.error().text()};
    }
    return check_consistency(scene, scene.name);
}

Result<Scene> read_scene(std::string_view toml_text, const std::string& name,
                         const std::string& folder, std::span<const std::string> overrides,
                         const FindScene& find_scene) {
    Scene scene;
    scene.name = name;
    scene.folder = folder;
    Result<void> done = read_into(scene, toml_text, name, find_scene, 0);
    if (!done) return done.error();
    done = apply_overrides(scene, overrides, "--set", find_scene);
    if (!done) return done.error();
    return scene;
}

}  // namespace ringlet
