// A USD layer in text (.usda): the prims and the attributes that describe curves and meshes.
// Everything else is checked for its syntax and skipped.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ringlet/result.h"

namespace ringlet {

// A value: numbers, or words (tokens, strings and paths).
struct UsdaValue {
    std::vector<float> numbers;          // tuples and matrices in a row; integers exact up to 2^24
    std::vector<std::int32_t> integers;  // instead of `numbers` for attributes of type int
    std::vector<std::string> words;
};

struct UsdaAttribute {
    std::string type;           // "point3f[]"
    std::string interpolation;  // empty if it is not stated
    bool has_value = false;     // without a time
    UsdaValue value;
    std::map<double, UsdaValue> samples;  // by time code
    int line = 0;
};

struct UsdaPrim {
    std::string type;  // "BasisCurves"; may be empty
    std::string name;
    bool is_class = false;  // not part of the scene, like prims whose `active` is false
    bool is_active = true;
    std::map<std::string, UsdaAttribute, std::less<>> attributes;
    std::vector<UsdaPrim> children;
    int line = 0;

    // Null if it is missing or has neither a value nor samples.
    const UsdaAttribute* find(std::string_view attribute) const;
    // The only word of an attribute; empty if there is none.
    std::string word(std::string_view attribute) const;
};

struct UsdaLayer {
    double metres_per_unit = 0;  // 0: not stated
    bool states_axis = false, is_z_up = false;
    double time_codes_per_second = 24;
    // The parts of other layers or variants, which only OpenUSD resolves, for example "subLayers";
    // empty if it is complete.
    std::string needs;
    int needs_line = 0;
    std::vector<UsdaPrim> prims;
};

// `name` is that of the file, for messages. Memory is bounded by a multiple of the text's length.
Result<UsdaLayer> parse_usda(std::string_view text, const std::string& name);

}  // namespace ringlet
