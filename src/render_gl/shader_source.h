// The shaders' text, put into the program at build time (embed_shaders.cmake).
#pragma once

#include <string_view>

namespace ringlet {

// `name` is a file under shaders/, "body.frag" say; empty when there is none of that name.
std::string_view shader_source(std::string_view name);

}  // namespace ringlet
