// Pictures painted over the skin's UV that say where hair grows, how long, in which colour.
#pragma once

#include "math/vec2.h"
#include "math/vec3.h"
#include "ringlet/image.h"

namespace ringlet {

// Any may be empty (no pixels): then it is white everywhere.
struct GroomMaps {
    Image density;
    Image length;
    Image colour;
};

// Linear RGB at (u, v), bilinear, repeating; v = 0 is the bottom row, as OBJ has it.
Vec3f sample_colour(const Image& image, Vec2f uv);

// Its brightness as painted (not linearised: half grey is half the hair), 0 to 1.
float sample_grey(const Image& image, Vec2f uv);

}  // namespace ringlet
