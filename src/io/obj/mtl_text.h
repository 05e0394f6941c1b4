// Reads the parts of a material library (MTL) that Ringlet draws. tinyobjloader is not used for it:
// it does not distinguish a missing colour from black, and it reads a texture's name as the third
// number of an option with two.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "math/vec2.h"
#include "math/vec3.h"

namespace ringlet {

struct MtlMaterial {
    std::optional<Vec3f> colour;  // Kd, each channel in [0, 1]
    float opacity = 1;            // d, or 1 - Tr where there is no d
    std::string texture;          // file name of map_Kd without its options; empty for none
    Vec2f texture_scale{1, 1}, texture_offset{0, 0};
    std::filesystem::path folder;  // the folder of the library
};

using MtlMaterials = std::map<std::string, MtlMaterial, std::less<>>;

// Adds the materials of a library. The first of several materials with the same name is kept.
// Invalid lines are ignored.
void add_materials(std::string_view mtl_text, const std::filesystem::path& folder,
                   MtlMaterials& materials);

}  // namespace ringlet
