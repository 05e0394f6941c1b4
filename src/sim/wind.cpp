#include <cmath>

#include "math/elementary.h"
#include "sim/settings.h"

namespace ringlet {

Vec3f wind_at(const Wind& wind, double time) {
    const double turns = time * static_cast<double>(wind.frequency);
    const float swing = sin_cos(2 * kPi * static_cast<float>(turns - std::floor(turns))).sin;
    Vec3f out = wind.velocity * (1 + wind.oscillation * swing);
    const float phase = static_cast<float>(time - static_cast<double>(wind.gust_time)) /
                        max(wind.gust_duration, kTiny);
    if (wind.gust != 0 && phase > 0 && phase < 1) {
        // A smooth bump, zero with zero slope at both ends.
        const float bump = 0.5f - 0.5f * sin_cos(2 * kPi * phase).cos;
        out += unit_or(wind.velocity, Vec3f{1, 0, 0}) * (wind.gust * bump);
    }
    return out;
}

}  // namespace ringlet
