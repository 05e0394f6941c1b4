#include "picture/environment_map.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "math/elementary.h"

namespace ringlet {

namespace {

// Brighter texels exceed what floats can sum.
constexpr float kBrightest = 1e8f;

float usable(float c) { return c > 0 && std::isfinite(c) ? std::min(c, kBrightest) : 0; }

// A rectangle of light on the sphere of directions.
struct SoftBox {
    Vec3f direction;      // towards its centre, any length
    float width, height;  // half of its sides at distance 1
    float edge;           // over which the light fades, at distance 1
    Vec3f radiance;
};

constexpr SoftBox kBoxes[] = {
    {{0.75f, 0.55f, 0.8f}, 0.42f, 0.55f, 0.12f, {6.0f, 5.7f, 5.3f}},
    {{-1, 0.2f, 0.55f}, 0.5f, 0.7f, 0.25f, {0.8f, 0.85f, 0.95f}},
    {{0, 1, -0.15f}, 0.6f, 0.4f, 0.2f, {1.6f, 1.6f, 1.6f}},
    {{-0.75f, 0.45f, -0.8f}, 0.14f, 0.7f, 0.08f, {8.0f, 8.2f, 8.6f}},
    {{0.9f, 0.35f, -0.8f}, 0.1f, 0.6f, 0.08f, {5.0f, 5.0f, 5.2f}},
};
constexpr Vec3f kCeiling{0.42f, 0.43f, 0.45f}, kHorizon{0.2f, 0.2f, 0.21f},
    kFloor{0.1f, 0.09f, 0.08f};

// From 1 inside to 0 outside of an interval from -half to half.
float inside(float x, float half, float edge) {
    const float t = std::clamp((half + edge / 2 - std::abs(x)) / edge, 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

Vec3f studio_light(Vec3f d) {
    Vec3f light = d.y > 0 ? kHorizon + (kCeiling - kHorizon) * d.y
                          : kHorizon + (kFloor - kHorizon) * std::min(-d.y * 3, 1.0f);
    for (const SoftBox& box : kBoxes) {
        const Vec3f ahead = unit_or(box.direction, Vec3f{0, 1, 0});
        const float near = dot(d, ahead);
        if (!(near > 0.1f)) continue;
        const Vec3f side = unit_or(cross(Vec3f{0, 1, 0}, ahead), Vec3f{1, 0, 0});
        const float x = dot(d, side) / near, y = dot(d, cross(ahead, side)) / near;
        light += box.radiance * (inside(x, box.width, box.edge) * inside(y, box.height, box.edge));
    }
    return light;
}

}  // namespace

float EnvironmentMap::edge_cosine(int row) const {
    return std::cos(kPi * static_cast<float>(row) / static_cast<float>(height));
}

EnvironmentMap environment_of(int width, int height, std::vector<Vec3f> texels) {
    RINGLET_ASSERT(
        width > 0 && height > 0 &&
            texels.size() == static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
        "an environment map has width * height texels");
    EnvironmentMap out{width, height, std::move(texels)};
    for (Vec3f& texel : out.texels) texel = {usable(texel.x), usable(texel.y), usable(texel.z)};
    for (int row = 0; row < height; ++row) {
        // Shares of a hemisphere; the horizon may divide the middle row.
        const float top = out.edge_cosine(row), bottom = out.edge_cosine(row + 1);
        const float upper = std::max(top, 0.0f) - std::max(bottom, 0.0f);
        const float lower = std::min(top, 0.0f) - std::min(bottom, 0.0f);
        Vec3f sum{0, 0, 0};
        for (int column = 0; column < width; ++column) sum += out.at(column, row);
        const Vec3f mean = sum * (1 / static_cast<float>(width));
        out.above += mean * upper;
        out.below += mean * lower;
    }
    return out;
}

EnvironmentMap studio_environment() {
    constexpr int kWidth = 256, kHeight = 128;
    std::vector<Vec3f> texels;
    texels.reserve(std::size_t{kWidth} * kHeight);
    for (int row = 0; row < kHeight; ++row)
        for (int column = 0; column < kWidth; ++column) {
            const float theta = kPi * (static_cast<float>(row) + 0.5f) / kHeight;
            const float turn = 2 * kPi * ((static_cast<float>(column) + 0.5f) / kWidth - 0.5f);
            const float sine = std::sin(theta);
            texels.push_back(
                studio_light({sine * std::sin(turn), std::cos(theta), -sine * std::cos(turn)}));
        }
    return environment_of(kWidth, kHeight, std::move(texels));
}

}  // namespace ringlet
