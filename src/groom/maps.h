// Images over the mesh's UV and painted weights that control the density, length, colour and
// direction of hair.
#pragma once

#include "groom/growth_paint.h"
#include "math/vec2.h"
#include "math/vec3.h"
#include "ringlet/image.h"

namespace ringlet {

// An empty image (no pixels) counts as white.
struct GroomMaps {
    Image density;
    Image length;
    Image colour;
    Image comb;  // directions (CombMap); empty: none
    GrowthPaint painted{};
};

// The linear value of an sRGB byte. The same bits on every machine.
float linear_from_srgb(std::uint8_t byte);

// Linear RGB at (u, v), bilinear, repeating. v = 0 is the bottom row, as in OBJ files.
Vec3f sample_colour(const Image& image, Vec2f uv);

// Mean of the stored channels times alpha, 0 to 1. Not linearised: 50 % grey halves the value.
float sample_grey(const Image& image, Vec2f uv);

// A direction at (u, v): red and green, from -1 to 1 along U and V, and alpha as its strength, from
// 0 to 1. Not linearised. The image is not empty.
struct FlowSample {
    float u, v, strength;
};
FlowSample sample_flow(const Image& image, Vec2f uv);

}  // namespace ringlet
