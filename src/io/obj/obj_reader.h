// Reads Wavefront OBJ and MTL files: polygons of any size, all index styles, groups and materials.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "geom/mesh.h"
#include "ringlet/result.h"

namespace ringlet {

// Units and axes are those of the file. A triangle's group is that of the last `g` or `o` line (two
// names on one line make one group with a space in its name). The parts are the objects (`o`), or
// the groups (`g`) of a file without objects. Vertex colours ("v x y z r g b") are sRGB. Material
// libraries are searched in the file's folder, textures (map_Kd) in the library's folder. A missing
// library or texture is not an error: it is listed in the mesh's warnings, and its materials have
// their names and their colour (Kd) or the default colour.
Result<Mesh> read_obj(const std::filesystem::path& path);

// Parses a mesh embedded in the program. Opens no file, so there are no textures. `mtl_text` is
// used for every material library that the OBJ names; error messages use `name` as the file.
Result<Mesh> parse_obj(std::string_view obj_text, std::string_view mtl_text,
                       const std::string& name);

}  // namespace ringlet
