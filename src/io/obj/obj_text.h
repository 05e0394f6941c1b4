// The text of an OBJ file, checked. tinyobjloader takes every line for good: a missing number is 0
// to it and an index goes unquestioned. So whatever it is given has passed here first, where a
// mistake can still be named by its line.
#pragma once

#include <string>
#include <vector>

#include "ringlet/result.h"

namespace ringlet {

struct ObjText {
    std::string text;                    // every face has 3 corners or more, every index is good
    std::vector<std::string> libraries;  // what the mtllib lines say, each once
};

// `name` stands for the file in error messages.
Result<ObjText> check_obj(std::string text, const std::string& name);

}  // namespace ringlet
