#include "render_rt/skin_walk.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"
#include "math/quat.h"

namespace ringlet {

namespace {

// The distances that green and blue light travel in skin over that of red light (Christensen,
// "An approximate reflectance profile for efficient subsurface scattering", 2015).
constexpr Vec3f kDepthByColour{1, 0.37f, 0.19f};
constexpr float kInside = 1e-6f;              // m below the surface, where a walk begins
constexpr std::uint32_t kSureSteps = 32;      // before Russian roulette
constexpr float kLargestReflectance = 0.98f;  // a white medium would keep its light for too long

Vec3f product(Vec3f a, Vec3f b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
float sum(Vec3f a) { return a.x + a.y + a.z; }
float largest(Vec3f a) { return std::max({a.x, a.y, a.z}); }
Vec3f exp_of(Vec3f a) { return {std::exp(a.x), std::exp(a.y), std::exp(a.z)}; }

// Per colour: the share of light that a scattering keeps, and the density of scatterings, 1/m.
struct Medium {
    Vec3f albedo, density;
};

Medium medium_of(Vec3f reflectance, float depth) {
    const auto colour = [&](float a, float share) {
        a = std::clamp(a, 0.0f, kLargestReflectance);
        const float albedo = 1 - std::exp(-5.09406f * a + 2.61188f * a * a - 4.31805f * a * a * a);
        const float scale = 1.9f - a + 3.5f * (a - 0.8f) * (a - 0.8f);
        return std::pair{albedo, 1 / (depth * share * scale)};
    };
    const auto [red, red_density] = colour(reflectance.x, kDepthByColour.x);
    const auto [green, green_density] = colour(reflectance.y, kDepthByColour.y);
    const auto [blue, blue_density] = colour(reflectance.z, kDepthByColour.z);
    return {{red, green, blue}, {red_density, green_density, blue_density}};
}

// A unit direction with a density in proportion to its cosine to `axis`.
Vec3f cosine_direction(Vec3f axis, float u, float v) {
    const float sine = std::sqrt(u), around = 2 * kPi * v;
    return to_world(frame_along(axis), Vec3f{sine * std::cos(around), sine * std::sin(around),
                                             std::sqrt(std::max(1 - u, 0.0f))});
}

Vec3f even_direction(float u, float v) {
    const float z = 1 - 2 * u, sine = std::sqrt(std::max(1 - z * z, 0.0f)), around = 2 * kPi * v;
    return {sine * std::cos(around), sine * std::sin(around), z};
}

struct ChosenColour {
    float density;  // of scatterings
    float rest;     // uniform in [0, 1), independent of the choice
};

// Chooses a colour by a uniform number.
ChosenColour choose(Vec3f chances, Vec3f densities, float number) {
    if (number < chances.x) return {densities.x, number / chances.x};
    number -= chances.x;
    if (number < chances.y) return {densities.y, number / chances.y};
    return {densities.z, std::clamp((number - chances.y) / std::max(chances.z, kTiny), 0.0f, 1.0f)};
}

}  // namespace

SkinWalk::Exit SkinWalk::follow(const RayScene& scene, const RayHit& entry,
                                const RandomStream& random, std::uint32_t first) const {
    const Medium medium = medium_of(entry.colour, depth_);
    Vec3f weight{1, 1, 1};
    const RandomStream::Four start = random.set(first);
    Ray ray{entry.position - entry.face_normal * kInside,
            cosine_direction(-entry.normal, start[0], start[1])};
    ray.time = entry.time;
    if (dot(ray.direction, entry.face_normal) >= 0) return {entry, {0, 0, 0}};
    for (std::uint32_t step = 1; step < kSets; ++step) {
        const RandomStream::Four numbers = random.set(first + step);
        // One colour chooses the distance. All colours weigh it by the mean of their densities, so
        // that no weight is large (Wrenninge et al. 2017).
        const Vec3f chances = weight * (1 / sum(weight));
        const ChosenColour chosen = choose(chances, medium.density, numbers[0]);
        const float distance = -std::log(1 - numbers[1]) / chosen.density;
        ray.far = distance;
        RayHit exit = scene.exit(ray);
        const bool leaves = exit.kind != RayHit::Kind::nothing;
        const Vec3f passed = exp_of(medium.density * -(leaves ? exit.distance : distance));
        if (leaves) {
            weight = product(weight, passed) * (1 / sum(product(chances, passed)));
            return {exit, weight};
        }
        const Vec3f scattered = product(passed, medium.density);
        weight = product(product(weight, medium.albedo), scattered) *
                 (1 / sum(product(chances, scattered)));
        if (step >= kSureSteps) {
            const float survival = std::min(largest(weight), 0.99f);
            if (chosen.rest >= survival) break;
            weight = weight * (1 / survival);
        }
        ray.origin += ray.direction * distance;
        ray.direction = even_direction(numbers[2], numbers[3]);
    }
    return {entry, {0, 0, 0}};
}

}  // namespace ringlet
