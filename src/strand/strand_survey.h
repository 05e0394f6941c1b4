// Properties of strands that a renderer needs in addition to their positions.
#pragma once

#include <vector>

#include "math/vec3.h"

namespace ringlet {

struct StrandSurvey {
    // Bounds of all vertices of strands whose root is within reach; low > high if there are none.
    Vec3f low, high;
    // The vertices of the sampled strands, strand by strand.
    std::vector<Vec3f> sample;
};

}  // namespace ringlet
