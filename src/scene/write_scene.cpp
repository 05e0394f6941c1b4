#include "scene/write_scene.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "groom/hair_colours.h"
#include "scene/key_aliases.h"
#include "scene/parameters.h"
#include "sim/materials.h"

namespace ringlet {

namespace {

namespace fs = std::filesystem;

// Rewrites file names that are relative to one folder so that they are relative to another.
class Rebase {
public:
    Rebase(const std::string& from, const std::string& to)
        : from_(absolute(from)), to_(absolute(to)) {}

    // "builtin:...", "studio" and absolute names stay as they are.
    std::string file(const std::string& name) const {
        const bool stays = name.empty() || name.starts_with("builtin:") || name[0] == '/' ||
                           name == kStudioEnvironment;
        return stays ? name : (from_ / name).lexically_normal().lexically_relative(to_).string();
    }
    // Names of built-in scenes have no extension and stay as they are.
    std::string scene(const std::string& name) const {
        return name.ends_with(".toml") ? file(name) : name;
    }
    // "key=value" of an actor; `file_keys` are the keys whose values are file names.
    std::string setting(const std::string& text, const std::set<std::string>& file_keys) const {
        const auto equals = text.find('=');
        if (equals == std::string::npos || !file_keys.contains(current_key(text.substr(0, equals))))
            return text;
        std::string name = text.substr(equals + 1);
        if (name.size() > 1 && name.front() == '"' && name.back() == '"')
            name = name.substr(1, name.size() - 2);
        return text.substr(0, equals + 1) + file(name);
    }

private:
    static fs::path absolute(const std::string& folder) {
        std::error_code failure;  // without a current folder, names stay as they are
        const fs::path path = fs::absolute(folder.empty() ? "." : folder, failure);
        return failure ? fs::path(folder) : path.lexically_normal();
    }

    fs::path from_, to_;
};

void rebase_files(Scene& scene, const Rebase& rebase) {
    const auto apply = [&](const Parameter& p) {
        if (auto* const* text = std::get_if<std::string*>(&p.target); text && p.names_file)
            **text = rebase.file(**text);
    };
    ParameterTable table = parameters_of(scene);
    std::set<std::string> file_keys;
    for (const Parameter& p : table.parameters) {
        apply(p);
        if (p.names_file) file_keys.insert(p.key);
    }
    for (const ParameterList& list : table.lists)
        for (const std::vector<Parameter>& entry : list.entries())
            for (const Parameter& p : entry) apply(p);
    for (ActorSettings& actor : scene.actors) {
        actor.scene = rebase.scene(actor.scene);
        for (std::string& text : actor.set) text = rebase.setting(text, file_keys);
    }
}

// Default values, after applying those parameters of `scene` that set others.
Scene defaults_for(const Scene& scene) {
    Scene out;
    set_material(out.sim.rod, scene.sim.rod.material);
    ColourSettings& colour = out.groom.colour;
    colour.eumelanin = scene.groom.colour.eumelanin;
    colour.pheomelanin = scene.groom.colour.pheomelanin;
    if (colour.eumelanin > 0 || colour.pheomelanin > 0)
        set_colour(colour, colour_of_pigments(colour.eumelanin, colour.pheomelanin));
    if (const int name = named_colour_of(scene.groom.colour); name >= 0)
        set_colour(colour, hair_colours()[static_cast<std::size_t>(name)].linear_rgb);
    return out;
}

struct SplitKey {
    std::string table, last;
};

SplitKey split(const std::string& key) {
    const auto dot = key.rfind('.');
    if (dot == std::string::npos) return {"", key};
    return {key.substr(0, dot), key.substr(dot + 1)};
}

// Collects lines by table; tables are written in the order of their first line.
class Tables {
public:
    void add(const std::string& key, const std::string& value) {
        const SplitKey at = split(key);
        auto found = std::find_if(tables_.begin(), tables_.end(),
                                  [&](const Table& table) { return table.name == at.table; });
        if (found == tables_.end()) found = tables_.insert(found, {at.table, ""});
        found->lines += at.last + " = " + value + "\n";
    }
    std::string text() const {
        std::string out;
        for (const Table& table : tables_) {
            if (!table.name.empty()) out += (out.empty() ? "[" : "\n[") + table.name + "]\n";
            out += table.lines;
        }
        return out;
    }

private:
    struct Table {
        std::string name, lines;
    };
    std::vector<Table> tables_;
};

std::string entry_text(const ParameterList& list, const std::vector<Parameter>& entry,
                       const std::vector<Parameter>& defaults) {
    std::string out = "\n[[" + list.key + "]]\n";
    for (std::size_t k = 0; k < entry.size(); ++k) {
        const std::string value = format_value(entry[k]);
        if (value != format_value(defaults[k])) out += entry[k].key + " = " + value + "\n";
    }
    return out;
}

std::vector<std::string> values_of(const ParameterList& list) {
    std::vector<std::string> out;
    for (const std::vector<Parameter>& entry : list.entries()) {
        out.emplace_back();
        for (const Parameter& p : entry) out.back() += format_value(p) + "\n";
    }
    return out;
}

}  // namespace

std::string write_scene(const Scene& scene, const std::string& folder) {
    Scene rebased = scene;
    if (folder != scene.folder) rebase_files(rebased, Rebase(scene.folder, folder));
    Scene empty, with_material = defaults_for(scene);
    const ParameterTable table = parameters_of(rebased), defaults = parameters_of(empty),
                         dependent_defaults = parameters_of(with_material);
    Tables tables;
    for (std::size_t k = 0; k < table.parameters.size(); ++k) {
        const Parameter& p = table.parameters[k];
        const std::string value = format_value(p);
        const ParameterTable& reference = p.sets_others ? defaults : dependent_defaults;
        if (value != format_value(reference.parameters[k])) tables.add(p.key, value);
    }
    std::string out = tables.text();
    for (std::size_t k = 0; k < table.lists.size(); ++k) {
        const std::vector<Parameter> entry_defaults = defaults.lists[k].append();
        for (const std::vector<Parameter>& entry : table.lists[k].entries())
            out += entry_text(table.lists[k], entry, entry_defaults);
    }
    return out;
}

std::vector<std::string> changed_keys(const Scene& a, const Scene& b) {
    Scene copy_a = a, copy_b = b;
    const ParameterTable left = parameters_of(copy_a), right = parameters_of(copy_b);
    std::vector<std::string> out;
    for (std::size_t k = 0; k < left.parameters.size(); ++k)
        if (format_value(left.parameters[k]) != format_value(right.parameters[k]))
            out.push_back(left.parameters[k].key);
    for (std::size_t k = 0; k < left.lists.size(); ++k)
        if (values_of(left.lists[k]) != values_of(right.lists[k])) out.push_back(left.lists[k].key);
    return out;
}

}  // namespace ringlet
