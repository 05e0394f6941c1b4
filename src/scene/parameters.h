// Every parameter of a scene, declared once: key, unit, range, meaning, and where its value lives.
// The TOML reader, --set, the list of keys and the viewer's panels all walk this table.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "scene/scene.h"

namespace ringlet {

// One of a few words.
struct Choice {
    std::vector<std::string> words;
    std::function<int()> get;  // index of the current word
    std::function<void(int)> set;
};

using Texts = std::vector<std::string>;
using Target =
    std::variant<float*, int*, std::uint32_t*, bool*, std::string*, Texts*, Vec3f*, Choice>;

struct Parameter {
    std::string key;  // dotted: "sim.pbd.bend_stiffness"; inside a list entry: "span"
    Target target;
    double low = 0, high = 0;  // numbers, and each component of a vector
    std::string unit;          // SI unless it says otherwise; empty for none
    std::string sentence;
};

// An array of tables: [[collider]].
struct ParameterList {
    std::string key;
    int most = 0;
    std::string sentence;
    std::function<void()> clear;
    std::function<std::vector<Parameter>()> append;  // adds an entry, returns its parameters
    std::function<std::vector<std::vector<Parameter>>()> entries;
    std::function<void(std::size_t)> erase;
    // Where the last entry was read, for those who complain later; may be empty.
    std::function<void(const std::string& file, int line)> note_place = {};
};

struct ParameterTable {
    std::vector<Parameter> parameters;
    std::vector<ParameterList> lists;
};

// The table of a scene; its targets point into the scene, which must stay where it is.
ParameterTable parameters_of(Scene& scene);

// The value as TOML writes it.
std::string format_value(const Parameter& parameter);

// "number", "whole number", "true or false", "text", "list of texts", "[x, y, z]" or the words of a
// choice.
std::string type_of(const Parameter& parameter);

// Whether a text names a file, relative to the scene; keys of list entries count only in full
// ("collider.file").
bool names_file(const std::string& key);

// All keys with type, range, unit, default and sentence, as a Markdown table.
std::string describe_keys();

}  // namespace ringlet
