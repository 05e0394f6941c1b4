// A soft edge between 0 and 1.
#pragma once

#include "math/lanes.h"

namespace ringlet {

// 0 up to `from`, 1 beyond `to`, and a cubic with level ends between them.
inline float smooth_step(float from, float to, float at) {
    const float t = min(max((at - from) / max(to - from, 1e-6f), 0.0f), 1.0f);
    return t * t * (3 - 2 * t);
}

}  // namespace ringlet
