// The numbers that C++ shares with the shaders, from the text that every shader begins with.
#pragma once

namespace ringlet::shader {

using uint = unsigned int;

#include "render_gl/shaders/constants.glsl"

}  // namespace ringlet::shader
