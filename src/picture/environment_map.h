// Light from all directions as an image in longitude and latitude, and the built-in one.
#pragma once

#include <vector>

#include "math/vec3.h"

namespace ringlet {

// The upper edge of the image is the zenith (+y). Its middle lies in the direction -z, behind the
// subject of the default camera, and its right half in the directions of +x.
struct EnvironmentMap {
    int width = 0, height = 0;
    std::vector<Vec3f> texels;             // radiance, linear RGB, row by row from the top
    Vec3f above{0, 0, 0}, below{0, 0, 0};  // mean radiance above and below the horizon

    // The cosine of the angle from the zenith at the upper edge of a row, from 1 to -1.
    float edge_cosine(int row) const;
    const Vec3f& at(int column, int row) const {
        return texels[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(column)];
    }
};

// Values that are negative or not finite become 0. Precondition: width * height texels, at least
// one.
EnvironmentMap environment_of(int width, int height, std::vector<Vec3f> texels);

// Soft boxes in a grey room: a large one in front on the right, a dim one on the left, one above,
// and two strips behind.
EnvironmentMap studio_environment();

}  // namespace ringlet
