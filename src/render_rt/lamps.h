// The lights of the studio as a path tracer uses them: two distant lamps and an environment map,
// which are sampled, or instead of the map the soft light of all other directions, which scattered
// rays find by themselves because it is constant above and below the horizon.
#pragma once

#include <array>
#include <optional>

#include "picture/studio.h"
#include "render_rt/sky_map.h"

namespace ringlet {

// A distant disc. It is a point if its density is 0.
struct Lamp {
    Vec3f direction{0, 1, 0};   // towards its centre, unit
    Vec3f irradiance{0, 0, 0};  // of a surface that faces it
    Vec3f radiance{0, 0, 0};
    float one_minus_cosine = 0;  // of half its angular size
    float density = 0;           // 1 / solid angle

    // Whether the unit direction d points to the disc. False for a point.
    bool is_seen(Vec3f d) const;
    // A direction to the disc, uniform over its solid angle, from two uniform numbers.
    Vec3f sample(float u, float v) const;
};

// The light of key, rim and fill, in this order. The fill is the environment map or, without one,
// the soft light.
using LightBySource = std::array<Vec3f, 3>;

inline Vec3f total_of(const LightBySource& light) { return light[0] + light[1] + light[2]; }

// A direction towards a source of light.
struct LightSample {
    Vec3f direction;  // unit
    Vec3f light;      // radiance or, of a point, irradiance
    float density;    // of the direction, per solid angle; 0: a point
};

struct Lamps {
    Lamps(const Light& light, Vec3f background);

    // The sources that are sampled: the lamps, and the environment map after them.
    static constexpr std::size_t kLampCount = 2, kFill = 2, kSourceCount = 3;
    LightSample sample(std::size_t source, float u, float v) const;
    bool is_lit(std::size_t source) const { return chances[source] > 0; }

    // The radiance of a direction that is found by chance, without the lamps.
    Vec3f environment(Vec3f d) const;

    std::array<Lamp, kLampCount> all;         // key and rim
    std::array<float, kSourceCount> chances;  // of choosing each, by brightness; 0 if it is dark
    std::optional<SkyMap> map;
    Vec3f sky, bounce;
};

}  // namespace ringlet
