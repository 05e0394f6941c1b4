// Wavefront OBJ and MTL to a Mesh: any polygons, any index style, groups and materials kept.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "geom/mesh.h"
#include "ringlet/result.h"

namespace ringlet {

// Units and axes are the file's own. A triangle's group is that of the last `g` or `o` line (two
// names on one line make one group with a space in its name). Materials are those the faces name;
// their libraries are looked for beside the file, and textures (map_Kd) beside the library. One
// that is missing is no error: the mesh's warnings name it, and its materials keep their names and
// have their colour (Kd), or the default one.
Result<Mesh> read_obj(const std::filesystem::path& path);

// The same from memory, for meshes embedded in the program: no file is opened, so there are no
// textures. `mtl_text` stands for every material library the OBJ names; `name` stands for the file
// in error messages.
Result<Mesh> parse_obj(std::string_view obj_text, std::string_view mtl_text,
                       const std::string& name);

}  // namespace ringlet
