// Every parameter of a scene, declared once: key, unit, range, meaning, and where its value lives.
// The TOML reader, --set, the list of keys, the scene writer and the viewer's panels use this
// table. The declarations are in src/scene/parameters.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scene/scene.h"

namespace ringlet {

// A value that is one of a few words.
struct Choice {
    std::vector<std::string> words;
    std::function<int()> get;  // index of the current word
    std::function<void(int)> set;
};

using Texts = std::vector<std::string>;
// Where a value lives; also defines its type.
using Target =
    std::variant<float*, int*, std::uint32_t*, bool*, std::string*, Texts*, Vec3f*, Choice>;

struct Parameter {
    std::string key;  // dotted: "sim.pbd.bend_stiffness"; in a list entry without prefix: "span"
    Target target;
    double low = 0, high = 0;  // inclusive range of numbers and of each component of a vector
    std::string unit = {};     // SI unless stated otherwise; empty for none
    std::string sentence = {};
    bool names_file = false;    // a file name, relative to the scene file
    bool sets_others = false;   // sets other parameters too, so it is applied before them
    bool is_direction = false;  // a vector that must not be zero
    // Not null: the value may be "auto". True while it is; the session then stores the value that
    // it chose in the target.
    bool* automatic = nullptr;
    bool is_colour = false;  // linear RGB, which may also be written as "#rrggbb" (sRGB)
    // Words that a number or a vector accepts instead of its value. Its index is -1 while none of
    // them is in effect.
    std::optional<Choice> words = {};
    std::function<void()> after_set = {};  // called after the value was changed; may be empty
};

// An array of tables, such as [[collider]].
struct ParameterList {
    std::string key;
    int most = 0;  // largest number of entries
    std::string sentence;
    std::function<void()> clear;
    std::function<std::vector<Parameter>()> append;  // adds an entry, returns its parameters
    std::function<std::vector<std::vector<Parameter>>()> entries;
    std::function<void(std::size_t)> erase;
    // Stores the file and line of the last entry for later error messages; may be empty.
    std::function<void(const std::string& file, int line)> set_source = {};
};

struct ParameterTable {
    std::vector<Parameter> parameters;
    std::vector<ParameterList> lists;
};

// The table of a scene. Its targets point into the scene, which must outlive the table and not
// move.
ParameterTable parameters_of(Scene& scene);

// The value in TOML syntax.
std::string format_value(const Parameter& parameter);

// Sets a number or vector to one of its words; -1: to its value.
void set_word(const Parameter& parameter, int word);

// "number", "whole number", "true or false", "text", "list of texts", "[x, y, z]", the words of a
// choice separated by commas, or the type of the value and its words; with " or auto" where that is
// allowed.
std::string type_of(const Parameter& parameter);

// Copies a value, and whether it is automatic, between two parameters of the same key.
void copy_value(const Parameter& from, const Parameter& to);

// All keys with type, range, unit, default and sentence, as a Markdown table.
std::string describe_keys();

}  // namespace ringlet
