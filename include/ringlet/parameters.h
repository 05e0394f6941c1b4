// The settings of a simulation by the keys of scene files, for programs that read settings from
// text or show them to a user: "sim.rod.radius" is SimSettings::rod.radius, "wind.gust" is
// Wind::gust. All functions are thread-safe as long as no two calls share an object, and return
// every failure as an Error.
//
//     ringlet::SimSettings settings;
//     ringlet::Wind wind;
//     auto done = ringlet::set_parameter(settings, wind, "sim.model", "rod");
//     if (done) done = ringlet::set_parameter(settings, wind, "sim.rod.radius", 35e-6);
//     if (!done) return fail(done.error().text());
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ringlet/export.h"
#include "ringlet/result.h"
#include "ringlet/settings.h"

namespace ringlet {

// The value of a parameter: a number, true or false, one of a few words, or a vector. Whole numbers
// are passed as double, too.
using ParameterValue = std::variant<double, bool, std::string, Vec3f>;

// One parameter. A plain value.
struct ParameterInfo {
    std::string key;                 // "sim.rod.radius"
    ParameterValue usual;            // its default
    bool is_whole = false;           // true: a whole number
    double low = 0, high = 0;        // inclusive range of numbers and of components of a vector
    std::string unit;                // SI; empty: none
    std::vector<std::string> words;  // the words that are allowed; empty unless it is a word
    std::string sentence;            // what it means
};

// Describes all parameters of SimSettings and Wind, in the order of docs/scene_keys.md, except the
// list PbdSettings::pairs.
RINGLET_API Result<std::vector<ParameterInfo>> sim_parameters();

// Sets one entry. Returns an Error without effect if the key is unknown, or the value has the wrong
// type or is out of range. sim.rod.material also sets the other properties of the material.
RINGLET_API Result<void> set_parameter(SimSettings& settings, Wind& wind, std::string_view key,
                                       const ParameterValue& value);

// Returns one entry, or an Error if the key is unknown.
RINGLET_API Result<ParameterValue> get_parameter(const SimSettings& settings, const Wind& wind,
                                                 std::string_view key);

}  // namespace ringlet
