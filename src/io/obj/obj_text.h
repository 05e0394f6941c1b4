// Validates the text of an OBJ file before tinyobjloader parses it. tinyobjloader does not
// validate: it reads a missing number as 0 and accepts any index. Errors found here have a line
// number.
#pragma once

#include <string>
#include <vector>

#include "math/vec3.h"
#include "ringlet/result.h"

namespace ringlet {

struct ObjText {
    std::string text;                    // every face has 3 or more corners, every index is valid
    std::vector<std::string> libraries;  // the arguments of the mtllib lines, each once
    // Linear, one per vertex; empty if no vertex has one. An extension that many programs write:
    // "v x y z r g b", in sRGB from 0 to 1 or from 0 to 255. Vertices without one are white.
    std::vector<Vec3f> colours{};
};

// Error messages use `name` as the file.
Result<ObjText> check_obj(std::string text, const std::string& name);

}  // namespace ringlet
