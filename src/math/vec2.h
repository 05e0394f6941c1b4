// A vector of two floats, for texture coordinates.
#pragma once

namespace ringlet {

struct Vec2f {
    float x, y;
};

}  // namespace ringlet
