// An environment map that a path tracer samples by its brightness.
#pragma once

#include <vector>

#include "math/vec2.h"
#include "picture/environment_map.h"

namespace ringlet {

struct LightSample;

// Texels have a constant radiance. Directions are drawn with a density in proportion to it.
class SkyMap {
public:
    // The map must outlive it.
    SkyMap(const EnvironmentMap& map, float gain, float rotation_degrees);

    // The argument is a unit direction.
    Vec3f radiance(Vec3f d) const;
    // The density of sample(), per solid angle.
    float density(Vec3f d) const;
    // Draws a direction from two uniform numbers. Precondition: mean() is not 0.
    LightSample sample(float u, float v) const;
    // The mean radiance over all directions.
    Vec3f mean() const;

private:
    struct Place {
        int column, row;
    };
    Place place_of(Vec3f d) const;
    float density_at(Place place) const;
    // The sums of the shares of the texels of a row; width + 1 of them.
    const float* row_sums(int row) const;

    const EnvironmentMap* map_;
    float gain_;
    float rotation_;              // radians
    std::vector<float> cosines_;  // at the edges of the rows
    std::vector<float> rows_;     // sums of the shares of the rows
    std::vector<float> in_rows_;  // sums of the shares within each row
};

}  // namespace ringlet
