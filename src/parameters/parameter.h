// The types of a table of parameters: key, unit, range, meaning, and where the value lives.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ringlet/vectors.h"

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

}  // namespace ringlet
