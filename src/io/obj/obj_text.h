// Validates the text of an OBJ file before tinyobjloader parses it. tinyobjloader does not
// validate: it reads a missing number as 0 and accepts any index. Errors found here have a line
// number.
#pragma once

#include <string>
#include <vector>

#include "ringlet/result.h"

namespace ringlet {

struct ObjText {
    std::string text;                    // every face has 3 or more corners, every index is valid
    std::vector<std::string> libraries;  // the arguments of the mtllib lines, each once
};

// Error messages use `name` as the file.
Result<ObjText> check_obj(std::string text, const std::string& name);

}  // namespace ringlet
