// The text of the shaders, embedded at build time by embed_shaders.cmake.
#pragma once

#include <string_view>

namespace ringlet {

// `name` is a file in shaders/, for example "mesh.frag". Returns an empty view for unknown names.
std::string_view shader_source(std::string_view name);

}  // namespace ringlet
