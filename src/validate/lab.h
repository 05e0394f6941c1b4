// Helpers shared by the checks and the physics tests: strands from vertices, settings, momenta and
// energies.
#pragma once

#include <cmath>
#include <string_view>
#include <vector>

#include "math/noise.h"
#include "sim/models/registry.h"
#include "sim/simulation.h"

namespace ringlet::lab {

inline StrandSet strands_of(const std::vector<std::vector<Vec3f>>& lines) {
    std::vector<int> counts;
    for (const auto& line : lines) counts.push_back(static_cast<int>(line.size()));
    StrandSet out{StrandLayout(counts)};
    for (std::size_t s = 0; s < lines.size(); ++s)
        for (std::size_t i = 0; i < lines[s].size(); ++i)
            out.position.set_vec3(static_cast<int>(s), static_cast<int>(i), lines[s][i]);
    return out;
}

inline std::vector<Vec3f> straight_line(Vec3f root, Vec3f direction, float length, int vertices) {
    std::vector<Vec3f> out;
    for (int i = 0; i < vertices; ++i)
        out.push_back(
            root + direction * (length * static_cast<float>(i) / static_cast<float>(vertices - 1)));
    return out;
}

inline std::vector<Vec3f> helix(Vec3f root, float radius, float pitch, float length, int vertices) {
    std::vector<Vec3f> out;
    for (int i = 0; i < vertices; ++i) {
        const float s = length * static_cast<float>(i) / static_cast<float>(vertices - 1);
        const SinCos<float> turn = sin_cos(2 * kPi * s / pitch);
        out.push_back(root + Vec3f{radius * turn.cos, -s, radius * turn.sin});
    }
    return out;
}

// The value of SimSettings::model for the model with this name. Precondition: it exists.
inline int model_named(std::string_view name) {
    int index = 0;
    while (all_models()[static_cast<std::size_t>(index)].name != name) ++index;
    return index;
}

// Free strands without gravity, drag and random variation.
inline SimSettings bare_settings() {
    SimSettings out;
    out.gravity = {0, 0, 0};
    out.damping = 0;
    out.hold_roots = false;
    out.pbd.mass_variation = 0;
    return out;
}

inline const TaskPool& pool() {
    static const TaskPool one(1);
    return one;
}

struct Vec3d {
    double x = 0, y = 0, z = 0;
};
inline Vec3d operator+(Vec3d a, Vec3d b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3d operator-(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3d operator*(Vec3d a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double norm(Vec3d a) { return std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }
inline Vec3d cross(Vec3d a, Vec3d b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec3d wide(Vec3f a) {
    return {static_cast<double>(a.x), static_cast<double>(a.y), static_cast<double>(a.z)};
}

// Momenta and energy of one strand, per unit of vertex mass, about the origin.
inline Vec3d linear_momentum(const SimState& state, int strand = 0) {
    Vec3d sum;
    for (int i = 0; i < state.x.layout().vertex_count(strand); ++i)
        sum = sum + wide(state.v.vec3(strand, i));
    return sum;
}
inline Vec3d angular_momentum(const SimState& state, int strand = 0) {
    Vec3d sum;
    for (int i = 0; i < state.x.layout().vertex_count(strand); ++i)
        sum = sum + cross(wide(state.x.vec3(strand, i)), wide(state.v.vec3(strand, i)));
    return sum;
}
inline double kinetic_energy(const SimState& state, int strand = 0) {
    double sum = 0;
    for (int i = 0; i < state.x.layout().vertex_count(strand); ++i) {
        const double speed = norm(wide(state.v.vec3(strand, i)));
        sum += 0.5 * speed * speed;
    }
    return sum;
}

// Sets random velocities of about `speed` m/s plus a common drift.
inline void kick(SimState& state, float speed, Vec3f drift = {0, 0, 0}, std::uint32_t seed = 7) {
    std::uint32_t id = 0;
    for (int s = 0; s < state.v.layout().strand_count(); ++s)
        for (int i = 0; i < state.v.layout().vertex_count(s); ++i, ++id)
            state.v.set_vec3(s, i,
                             drift + Vec3f{counter_signed(seed, id, 0), counter_signed(seed, id, 1),
                                           counter_signed(seed, id, 2)} *
                                         speed);
}

inline bool all_finite(const SimState& state) {
    for (const Vec3f& a : unpack(state.x))
        if (!std::isfinite(a.x + a.y + a.z)) return false;
    for (const Vec3f& a : unpack(state.v))
        if (!std::isfinite(a.x + a.y + a.z)) return false;
    return true;
}

inline void run(Simulation& simulation, double seconds, const TaskPool& tasks = pool()) {
    const int steps =
        static_cast<int>(std::lround(seconds / static_cast<double>(simulation.settings().dt)));
    for (int k = 0; k < steps; ++k) simulation.step(tasks);
}

}  // namespace ringlet::lab
