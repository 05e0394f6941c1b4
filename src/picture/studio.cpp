#include "picture/studio.h"

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>

#include "picture/environment_map.h"

namespace ringlet {

namespace {

// The parts that shaders include, compiled as C++.
namespace shared {

using glm::clamp;
using glm::dot;
using glm::exp;
using glm::max;
using glm::min;
using glm::mix;
using glm::pow;
using glm::smoothstep;
using glm::sqrt;
using glm::step;
using glm::uint;
using glm::uvec2;
using glm::vec2;
using glm::vec3;

#include "picture/studio.glsl"
#include "picture/tone_curve.glsl"

}  // namespace shared

constexpr float kSensorHeight = 0.024f;  // m

glm::vec3 to_glm(Vec3f a) { return {a.x, a.y, a.z}; }
Vec3f from_glm(glm::vec3 a) { return {a.x, a.y, a.z}; }

glm::vec3 unit_or(glm::vec3 a, glm::vec3 otherwise) {
    const float length = glm::length(a);
    return length > kTiny && std::isfinite(length) ? a / length : otherwise;
}

// An up vector for the direction a: +y unless they are parallel.
glm::vec3 upright_across(glm::vec3 a) {
    const glm::vec3 side = glm::cross(a, glm::vec3(0, 1, 0));
    return glm::length(side) > 1e-4f ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, -1);
}

}  // namespace

CameraFrame::CameraFrame(const Camera& wanted) {
    const glm::vec3 ends = to_glm(wanted.eye) + to_glm(wanted.target);
    const bool usable = std::isfinite(ends.x + ends.y + ends.z + wanted.field_of_view_degrees);
    const Camera camera = usable ? wanted : Camera{};
    const glm::vec3 offset = to_glm(camera.target) - to_glm(camera.eye);
    const glm::vec3 ahead = unit_or(offset, {0, 0, -1});
    const glm::vec3 side = glm::normalize(glm::cross(ahead, upright_across(ahead)));
    eye = camera.eye;
    forward = from_glm(ahead);
    right = from_glm(side);
    up = from_glm(glm::cross(side, ahead));
    distance = std::clamp(glm::length(offset), 0.05f, 1000.0f);
    angle = glm::radians(std::clamp(camera.field_of_view_degrees, 1.0f, 150.0f));
    half_height = std::tan(angle / 2);
    const float focal_length = kSensorHeight / 2 / half_height;
    lens_radius = camera.f_stop > 0 ? focal_length / camera.f_stop / 2 : 0;
    focus = camera.focus > 0 ? camera.focus : distance;
}

StudioLights::StudioLights(const Light& light, Vec3f background) {
    const glm::vec3 towards = unit_or(to_glm(light.direction), {0, 1, 0});
    const glm::vec3 colour = to_glm(light.colour);
    key_direction = from_glm(towards);
    key = from_glm(colour * light.key);
    // The rim light is opposite the key light but above the horizon.
    rim_direction =
        from_glm(unit_or({-towards.x, std::max(towards.y * 0.6f, 0.25f), -towards.z}, {0, 0, -1}));
    rim = from_glm(colour * light.rim);
    // The soft light takes on some of the backdrop's colour.
    const glm::vec3 tint = glm::mix(glm::vec3(0.72f), to_glm(background), 0.3f);
    sky = from_glm(tint * light.fill);
    bounce = from_glm(tint * glm::vec3(0.52f, 0.46f, 0.42f) * colour * light.fill);
    if (!light.map) return;
    sky = light.map->above * light.environment_gain;
    bounce = light.map->below * light.environment_gain;
}

Vec3f wall_light(Vec2f screen, Vec2f centre, float aspect, Vec3f background) {
    return from_glm(
        shared::wall_light({screen.x, screen.y}, {centre.x, centre.y}, aspect, to_glm(background)));
}

Vec3f floor_light(float distance, float key, float contact) {
    return from_glm(shared::floor_over_wall(distance, shared::floor_shade(key, contact)));
}

Vec3f tone_mapped(Vec3f light) { return from_glm(shared::developed(to_glm(light))); }

float tone_grain(unsigned x, unsigned y) { return shared::grain({x, y}); }

}  // namespace ringlet
