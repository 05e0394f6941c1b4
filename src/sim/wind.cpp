#include "math/elementary.h"
#include "sim/settings.h"

namespace ringlet {

Vec3f wind_at(const Wind& wind, double time) {
    const auto t = static_cast<float>(time);
    const float swing = 1 + wind.oscillation * sin_cos(2 * kPi * wind.frequency * t).sin;
    Vec3f out = wind.velocity * swing;
    const float phase = (t - wind.gust_time) / max(wind.gust_duration, kTiny);
    if (wind.gust != 0 && phase > 0 && phase < 1) {
        // A smooth bump, zero with zero slope at both ends.
        const float bump = 0.5f - 0.5f * sin_cos(2 * kPi * phase).cos;
        out += unit_or(wind.velocity, Vec3f{1, 0, 0}) * (wind.gust * bump);
    }
    return out;
}

}  // namespace ringlet
