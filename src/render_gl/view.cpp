#include "render_gl/view.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

#include "picture/studio.h"
#include "shade/fibre.h"

namespace ringlet {

namespace {

glm::vec3 unit_or(glm::vec3 a, glm::vec3 otherwise) {
    const float length = glm::length(a);
    return length > kTiny && std::isfinite(length) ? a / length : otherwise;
}

// An up vector for the direction a: +y unless they are parallel.
glm::vec3 upright_across(glm::vec3 a) {
    const glm::vec3 side = glm::cross(a, glm::vec3(0, 1, 0));
    return glm::length(side) > 1e-4f ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, -1);
}

// Rounds up to steps of a quarter octave.
float snapped_size(float size) {
    return std::exp2(std::ceil(std::log2(std::max(size, 1e-3f)) * 4) / 4);
}

}  // namespace

View view_of(const Camera& wanted, int width, int height) {
    const CameraFrame camera(wanted);
    View view;
    view.eye = to_glm(camera.eye);
    view.forward = to_glm(camera.forward);
    view.right = to_glm(camera.right);
    view.up = to_glm(camera.up);
    view.near_distance = camera.distance * 0.02f;
    view.half_height = camera.half_height;
    const float aspect = static_cast<float>(width) / static_cast<float>(height);
    view.matrix = glm::lookAt(view.eye, view.eye + view.forward, view.up);
    view.projection =
        glm::perspective(camera.angle, aspect, view.near_distance, camera.distance * 50);
    return view;
}

float longest_side(const Bounds& box) {
    const Vec3f extent = box.high - box.low;
    return std::max({extent.x, extent.y, extent.z, 1e-3f});
}

PixelBox united(const PixelBox& a, const PixelBox& b) {
    if (a.is_empty()) return b;
    if (b.is_empty()) return a;
    return {glm::min(a.low, b.low), glm::max(a.high, b.high)};
}

PixelBox pixels_of(const Bounds& box, const glm::mat4& to_clip, const View& view, glm::ivec2 size) {
    const PixelBox whole{{0, 0}, size};
    glm::vec2 low(1), high(-1);
    for (int corner = 0; corner < 8; ++corner) {
        const glm::vec4 clip = to_clip * glm::vec4(corner & 1 ? box.high.x : box.low.x,
                                                   corner & 2 ? box.high.y : box.low.y,
                                                   corner & 4 ? box.high.z : box.low.z, 1);
        if (!(clip.w >= view.near_distance)) return whole;
        const glm::vec2 screen = glm::vec2(clip) / clip.w;
        if (!std::isfinite(screen.x + screen.y)) return whole;
        low = glm::min(low, screen);
        high = glm::max(high, screen);
    }
    // A pixel more than the samples of a pixel and the rounding of the rasteriser need.
    const glm::vec2 half = glm::vec2(size) * 0.5f, margin(2);
    const glm::vec2 from = (low + 1.0f) * half - margin, to = (high + 1.0f) * half + margin;
    const auto within = [&](glm::vec2 p) {
        return glm::ivec2(glm::clamp(p, glm::vec2(0), glm::vec2(size)));
    };
    return {within(from), within(to)};
}

int map_detail(const Subject& subject) {
    constexpr float kFinest = 3;
    const float heads = longest_side(subject.bounds) / std::max(subject.head_size, 1e-3f);
    return static_cast<int>(std::clamp(std::round(heads), 1.0f, kFinest));
}

LightBox light_box(glm::vec3 towards_light, glm::vec3 centre, float radius, int detail) {
    LightBox box;
    box.side = snapped_size(radius * 2.1f);
    box.depth = box.side;
    const glm::vec3 towards = unit_or(towards_light, {0, 1, 0});
    const glm::mat4 turn = glm::lookAt(glm::vec3(0), -towards, upright_across(towards));
    const float texel = box.side / static_cast<float>(kOpacityMapSize * detail);
    const glm::vec3 middle =
        glm::round(glm::vec3(turn * glm::vec4(centre, 1)) / (texel * 8)) * (texel * 8);
    const float half = box.side / 2;
    const glm::mat4 flatten = glm::ortho(middle.x - half, middle.x + half, middle.y - half,
                                         middle.y + half, -middle.z - half, -middle.z + half);
    const glm::mat4 to_unit =
        glm::translate(glm::mat4(1), glm::vec3(0.5f)) * glm::scale(glm::mat4(1), glm::vec3(0.5f));
    box.to_map = to_unit * flatten * turn;
    return box;
}

FrameBlock frame_block(const View& view, const Light& light, const RenderSettings& settings,
                       int width, int height, const Subject& subject) {
    const float aspect = static_cast<float>(width) / static_cast<float>(height);
    const glm::vec3 low = to_glm(subject.bounds.low), high = to_glm(subject.bounds.high);
    const glm::vec3 centre = (low + high) / 2.0f;
    const float radius = std::max(glm::length(high - low) / 2, 0.01f);
    const StudioLights lights(light, settings.background);

    FrameBlock frame{};
    frame.view_projection = view.projection * view.matrix;
    frame.eye = glm::vec4(view.eye, view.near_distance);
    frame.camera_right = glm::vec4(view.right * (view.half_height * aspect), 0);
    frame.camera_up = glm::vec4(view.up * view.half_height, 0);
    frame.camera_forward = glm::vec4(view.forward, 0);
    frame.viewport = glm::vec4(width, height, static_cast<float>(height) / 2 / view.half_height, 0);
    const auto set_lamp = [&](int lamp, Vec3f direction, Vec3f colour) {
        const LightBox box = light_box(to_glm(direction), centre, radius, map_detail(subject));
        frame.lamp_matrix[lamp] = box.to_map;
        frame.lamp_direction[lamp] = glm::vec4(to_glm(direction), box.depth);
        frame.lamp_colour[lamp] = glm::vec4(to_glm(colour), box.side);
    };
    set_lamp(shader::kKeyLamp, lights.key_direction, lights.key);
    set_lamp(shader::kRimLamp, lights.rim_direction, lights.rim);
    const float head = std::min(subject.head_size / longest_side(subject.bounds), 1.0f);
    frame.sizes = glm::vec4(radius * head, 1, 0, 0);
    frame.sky_colour = glm::vec4(to_glm(lights.sky), 0);
    frame.bounce_colour = glm::vec4(to_glm(lights.bounce), 0);
    frame.background = glm::vec4(to_glm(settings.background), settings.exposure);
    frame.ground = glm::vec4(settings.ground_height, settings.ground ? 1 : 0,
                             settings.shadows ? 1 : 0, settings.flat ? 1 : 0);
    const Fibre fibre = fibre_of(settings.roughness);
    const FibreLobes variances = lobe_variances(fibre);
    frame.hair = glm::vec4(settings.specular, fibre.rough_along, std::max(settings.width, 0.0f), 0);
    frame.lobes = glm::vec4(variances[0], variances[1], variances[2], fibre.tilt);
    const float side = snapped_size(radius * 3);
    const glm::vec2 corner =
        glm::round((glm::vec2(centre.x, centre.z) - side / 2) * 64.0f / side) * side / 64.0f;
    frame.contact = glm::vec4(corner, 1 / side, side);
    frame.subject = glm::vec4(centre, radius);
    return frame;
}

}  // namespace ringlet
