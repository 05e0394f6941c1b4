#include "scene/write_scene.h"

#include <algorithm>
#include <filesystem>

#include "scene/parameters.h"
#include "sim/materials.h"

namespace ringlet {

namespace {

namespace fs = std::filesystem;

// From one folder to another, where names of files are concerned.
class Moved {
public:
    Moved(const std::string& from, const std::string& to) : from_(whole(from)), to_(whole(to)) {}

    // A relative name from the new folder; "builtin:..." and absolute names stay.
    std::string file(const std::string& name) const {
        const bool stays = name.empty() || name.starts_with("builtin:") || name[0] == '/';
        return stays ? name : (from_ / name).lexically_normal().lexically_relative(to_).string();
    }
    // Built-in scenes have no ending.
    std::string scene(const std::string& name) const {
        return name.ends_with(".toml") ? file(name) : name;
    }
    // "key=value" of an actor.
    std::string setting(const std::string& text) const {
        const auto equals = text.find('=');
        if (equals == std::string::npos || !names_file(text.substr(0, equals))) return text;
        std::string name = text.substr(equals + 1);
        if (name.size() > 1 && name.front() == '"' && name.back() == '"')
            name = name.substr(1, name.size() - 2);
        return text.substr(0, equals + 1) + file(name);
    }

private:
    static fs::path whole(const std::string& folder) {
        std::error_code none;  // where there is no current folder, names stay as they are
        const fs::path path = fs::absolute(folder.empty() ? "." : folder, none);
        return none ? fs::path(folder) : path.lexically_normal();
    }

    fs::path from_, to_;
};

void move_files(Scene& scene, const Moved& moved) {
    const auto move = [&](const Parameter& p, const std::string& key) {
        if (auto* const* text = std::get_if<std::string*>(&p.target); text && names_file(key))
            **text = moved.file(**text);
    };
    ParameterTable table = parameters_of(scene);
    for (const Parameter& p : table.parameters) move(p, p.key);
    for (const ParameterList& list : table.lists)
        for (const std::vector<Parameter>& entry : list.entries())
            for (const Parameter& p : entry) move(p, list.key + "." + p.key);
    for (ActorSettings& actor : scene.actors) {
        actor.scene = moved.scene(actor.scene);
        for (std::string& text : actor.set) text = moved.setting(text);
    }
}

// What a scene says where nobody said anything; a material speaks for the keys beside it.
Scene defaults_beside(const Scene& scene) {
    Scene out;
    set_material(out.sim.rod, scene.sim.rod.material);
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

// Lines of the tables, each table once, in the order in which they come up.
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
                       const std::vector<Parameter>& fresh) {
    std::string out = "\n[[" + list.key + "]]\n";
    for (std::size_t k = 0; k < entry.size(); ++k) {
        const std::string value = format_value(entry[k]);
        if (value != format_value(fresh[k])) out += entry[k].key + " = " + value + "\n";
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
    Scene moved = scene;
    if (folder != scene.folder) move_files(moved, Moved(scene.folder, folder));
    Scene plain = defaults_beside(scene), unsaid;
    const ParameterTable table = parameters_of(moved), beside = parameters_of(plain),
                         defaults = parameters_of(unsaid);
    Tables tables;
    for (std::size_t k = 0; k < table.parameters.size(); ++k) {
        const Parameter& p = table.parameters[k];
        const bool decides = p.key == "sim.rod.material";
        const std::string value = format_value(p);
        const Parameter& other = decides ? defaults.parameters[k] : beside.parameters[k];
        if (value != format_value(other)) tables.add(p.key, value);
    }
    std::string out = tables.text();
    for (std::size_t k = 0; k < table.lists.size(); ++k) {
        const std::vector<Parameter> fresh = defaults.lists[k].append();
        for (const std::vector<Parameter>& entry : table.lists[k].entries())
            out += entry_text(table.lists[k], entry, fresh);
    }
    return out;
}

std::vector<std::string> changed_keys(const Scene& a, const Scene& b) {
    Scene one = a, other = b;
    const ParameterTable left = parameters_of(one), right = parameters_of(other);
    std::vector<std::string> out;
    for (std::size_t k = 0; k < left.parameters.size(); ++k)
        if (format_value(left.parameters[k]) != format_value(right.parameters[k]))
            out.push_back(left.parameters[k].key);
    for (std::size_t k = 0; k < left.lists.size(); ++k)
        if (values_of(left.lists[k]) != values_of(right.lists[k])) out.push_back(left.lists[k].key);
    return out;
}

}  // namespace ringlet
