// Which panel shows which parameter, by its key alone: what is added to the table of parameters
// finds its place by itself.
#pragma once

#include <string>
#include <vector>

#include "scene/parameters.h"

namespace ringlet {

// "Groom" for groom.length, "Model" for sim.rod.radius; a table nobody thought of here is its own
// panel.
std::string panel_of(const std::string& key);
// Within its panel: "curl" for groom.curl.radius, "rod" for sim.rod.radius, "" for groom.length.
std::string group_of(const std::string& key);
// "length variation" for groom.length_variation.
std::string label_of(const std::string& key);

// All panels that have something to show, in the order people work in.
std::vector<std::string> panels_of(const ParameterTable& table);

// What a slider goes through. Typing reaches the whole range of the parameter.
struct SliderRange {
    double low, high;
    bool logarithmic;
};
// `usual` is a value that should lie well within: the scene's own when it was opened.
SliderRange slider_range(double low, double high, double usual);

}  // namespace ringlet
