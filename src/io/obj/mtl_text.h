// A material library (MTL), as far as it is drawn. Read here and not by tinyobjloader, which cannot
// tell a colour that is missing from black, and takes a texture's name for the third number of an
// option that has two.
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
    std::string texture;          // what map_Kd says, less its options; empty for none
    Vec2f texture_scale{1, 1}, texture_offset{0, 0};
    std::filesystem::path folder;  // where the library is
};

using MtlMaterials = std::map<std::string, MtlMaterial, std::less<>>;

// Adds the materials of a library; of two with one name the first counts. Whatever makes no sense
// is passed over.
void add_materials(std::string_view mtl_text, const std::filesystem::path& folder,
                   MtlMaterials& materials);

}  // namespace ringlet
