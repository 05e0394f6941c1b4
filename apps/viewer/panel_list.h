// Assigns parameters to panels by their keys alone, so new parameters need no change here.
#pragma once

#include <string>
#include <vector>

#include "scene/parameters.h"

namespace ringlet {

// "Groom" for groom.length, "Model" for sim.rod.radius: sim.NAME.KEY is a key of the model NAME. An
// unlisted table gets its own panel.
std::string panel_of(const std::string& key);
// The group within the panel: "curl" for groom.curl.radius, "rod" for sim.rod.radius, "" for
// groom.length.
std::string group_of(const std::string& key);
// "length variation" for groom.length_variation.
std::string label_of(const std::string& key);

// All non-empty panels, in the order of a typical workflow.
std::vector<std::string> panels_of(const ParameterTable& table);

// The name of the active model, which is also the group of its parameters.
std::string model_of(const ParameterTable& table);

// True if the scene has fur, so that the fur keys apply.
bool has_fur(const ParameterTable& table);

// The interval of a slider. Typed values can reach the parameter's whole range.
struct SliderRange {
    double low, high;
    bool logarithmic;
};
// `usual` is a typical value that should lie well inside: the scene's value when it was opened.
SliderRange slider_range(double low, double high, double usual);

}  // namespace ringlet
