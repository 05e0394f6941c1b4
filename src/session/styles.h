// Words that describe a hairstyle for `ringlet new`: "shoulder-length auburn waves in wind".
#pragma once

#include <string>
#include <vector>

#include "ringlet/result.h"

namespace ringlet {

inline constexpr const char* kDefaultStyle = "waves";

// A hairstyle in the terms of a scene file.
struct Style {
    std::string base;                      // built-in scene
    std::vector<std::string> assignments;  // "key=value"
};

// Parses words separated by anything but letters, digits and underscores. Later words override
// earlier ones. The error for an unknown word suggests the nearest known one.
Result<Style> parse_style(const std::string& words);

// Every word with its meaning, one line each, by kind.
std::string describe_styles();

}  // namespace ringlet
