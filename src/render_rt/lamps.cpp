#include "render_rt/lamps.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"
#include "math/quat.h"

namespace ringlet {

namespace {

// A smaller lamp is a point: floats cannot represent the directions within it.
constexpr float kSmallest = 0.05f;  // degrees

Lamp lamp_of(Vec3f direction, Vec3f irradiance, float size_degrees) {
    Lamp lamp{.direction = direction, .irradiance = irradiance};
    if (!(size_degrees >= kSmallest)) return lamp;
    const float half = std::min(size_degrees, 180.0f) / 2 * kPi / 180;
    const float sine = std::sin(half), quarter = std::sin(half / 2);
    lamp.one_minus_cosine = 2 * quarter * quarter;
    lamp.density = 1 / (2 * kPi * lamp.one_minus_cosine);
    // A disc of radiance L causes the irradiance pi L sin^2(half).
    lamp.radiance = irradiance * (1 / (kPi * sine * sine));
    return lamp;
}

}  // namespace

bool Lamp::is_seen(Vec3f d) const {
    const Vec3f away = d - direction;
    return density > 0 && dot(away, away) <= 2 * one_minus_cosine;
}

Vec3f Lamp::sample(float u, float v) const {
    if (!(density > 0)) return direction;
    const float fall = u * one_minus_cosine, cosine = 1 - fall;
    const float sine = std::sqrt(std::max(fall * (2 - fall), 0.0f));
    const Framef frame = frame_along(direction);
    return to_world(frame,
                    Vec3f{sine * std::cos(2 * kPi * v), sine * std::sin(2 * kPi * v), cosine});
}

Lamps::Lamps(const Light& light, Vec3f background) : all{}, chances{} {
    const StudioLights lights(light, background);
    all = {lamp_of(lights.key_direction, lights.key, light.size),
           lamp_of(lights.rim_direction, lights.rim, light.size)};
    sky = lights.sky;
    bounce = lights.bounce;
    if (light.map) map.emplace(*light.map, light.environment_gain, light.environment_rotation);
    const auto sum_of = [](Vec3f a) { return a.x + a.y + a.z; };
    for (std::size_t i = 0; i < kLampCount; ++i) chances[i] = sum_of(all[i].irradiance);
    if (map) chances[kLampCount] = sum_of(map->mean()) * kPi;
    float sum = 0;
    for (const float chance : chances) sum += chance;
    for (float& chance : chances) chance = sum > 0 ? chance / sum : 0;
}

LightSample Lamps::sample(std::size_t source, float u, float v) const {
    if (source >= kLampCount) return map->sample(u, v);
    const Lamp& lamp = all[source];
    return {lamp.sample(u, v), lamp.density > 0 ? lamp.radiance : lamp.irradiance, lamp.density};
}

Vec3f Lamps::environment(Vec3f d) const {
    if (map) return map->radiance(d);
    return d.y > 0 ? sky : bounce;
}

}  // namespace ringlet
