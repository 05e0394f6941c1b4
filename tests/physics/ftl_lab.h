// Set-ups shared by the tests of the model ftl.
#pragma once

#include "validate/lab.h"

namespace ringlet::lab {

inline SimSettings ftl_settings() {
    SimSettings out;
    out.model = model_named("ftl");
    return out;
}

// Curls as in the scene "curls": 7.6 turns along 0.34 m.
inline std::vector<Vec3f> curl(int vertices = 56) {
    return helix({0, 0, 0}, 0.013f, 0.045f, 0.34f, vertices);
}

// The largest relative error of a segment's length beyond the rounding of stored positions: half a
// unit in the last place of each coordinate.
inline double stretch_beyond_rounding(const Simulation& simulation) {
    const Channel<3>& x = simulation.state().x;
    double worst = 0;
    for (int s = 0; s < x.layout().strand_count(); ++s)
        for (int i = 1; i < x.layout().vertex_count(s); ++i) {
            const Vec3f at = x.vec3(s, i);
            const double rounding = norm(wide(at)) * std::ldexp(1, -24);
            const double l = static_cast<double>(simulation.rest_length(s, i - 1));
            if (l <= 0) continue;
            const double error = std::abs(norm(wide(at) - wide(x.vec3(s, i - 1))) - l);
            worst = std::max(worst, (error - rounding) / l);
        }
    return worst;
}

}  // namespace ringlet::lab
