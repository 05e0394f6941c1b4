// What a scene may say about the simulation. Meaning, unit, range and default of each entry are
// written once, in scene/parameters.cpp.
#pragma once

#include <vector>

#include "math/vec3.h"

namespace ringlet {

enum class PairReach { along, ends };

// A distance kept between two vertices of a strand that are not neighbours.
struct PbdPair {
    PairReach reach = PairReach::along;
    int span = 2;    // segments between the two vertices (along); ends: first to last vertex
    float rest = 0;  // kept distance in segment lengths; 0: as groomed
    float stiffness = 0.6f;  // [0, 1]
};

struct PbdSettings {
    float stretch_stiffness = 1;      // [0, 1]
    int length_solves = 3;            // direct solves of all lengths, where stretch_stiffness is 1
    std::vector<PbdPair> pairs;       // what makes it curl
    float bend_stiffness = 0;         // [0, 1], of the angle between consecutive chunks
    int bend_chunk = 1;               // segments in such a chunk
    float shape_stiffness = 0;        // [0, 1], pull to the groomed place at the root
    float shape_reach = 0.5f;         // share of the strand over which that pull fades
    bool iteration_corrected = true;  // k' = 1 - (1-k)^(1/n) instead of k
    float mass = 0.425f;              // of a vertex; only its ratio to sim.force matters
    float mass_variation = 0.1765f;   // per strand, relative: 0.35 to 0.5
    float rigid_damping = 0;          // 1/s; damps all but the strand's rigid motion
    float imperfection = 0.01f;       // of a segment, sideways, where a straight strand must curl
};

// Human hair by default.
struct RodSettings {
    float radius = 40e-6f;          // m, of the section, a full circle
    float youngs_modulus = 3.8e9f;  // Pa
    float poisson_ratio = 0.35f;    // GJ = EI / (1 + it)
    float density = 1300;           // kg/m^3
    int solves = 2;                 // Newton steps per substep
    float damping = 0;              // s; Rayleigh: torque = K (c + damping dc/dt)
    bool sag_free = true;           // the groomed pose is the equilibrium under gravity
};

// Forces are over the strand's weight per metre, so that they mean the same for any vertex count.
struct SpringSettings {
    float stretch_stiffness = 2000;  // m^2/s^2: the force that would double a length
    float stretch_damping = 0.5f;    // m^2/s
    float stretch_limit = 0.005f;    // relative, both ways
    float bend_stiffness = 40;       // m^2/s^2
    float bend_damping = 0.04f;      // m^2/s
    float bend_smoothing = 0.03f;    // m, of the curve that carries frames
    float core_stiffness = 60;       // m^2/s^2
    float core_damping = 0.1f;       // m^2/s
    float core_smoothing = 0.05f;    // m
    float line_density = 6.5e-6f;    // kg/m; only its ratio to sim.force matters
    int max_steps = 64;              // inner steps per substep
    bool sag_free = true;            // the groomed pose is the equilibrium under gravity
};

struct SimSettings {
    int model = 0;         // index into all_models()
    float dt = 1.0f / 60;  // s
    int substeps = 8;
    int iterations = 5;
    Vec3f gravity{0, -9.81f, 0};      // m/s^2
    Vec3f force{0, 0, 0};             // N, on every vertex
    float damping = 1;                // 1/s, relative to the wind
    float collision_radius = 0.001f;  // m, kept between hair and bodies
    float keep_gap = 0;               // m; up to this much of the groomed gap to bodies is kept
    bool hold_roots = true;           // roots follow the head; otherwise strands are free
    bool clamp_root = true;           // hold the direction in which a strand leaves the skin
    PbdSettings pbd;
    RodSettings rod;
    SpringSettings spring;
};

struct Wind {
    Vec3f velocity{0, 0, 0};  // m/s
    float oscillation = 0;    // 0 steady, 1 from nothing to twice the speed
    float frequency = 0.5f;   // 1/s
    float gust = 0;           // m/s, along velocity's direction, added at gust_time
    float gust_time = 1;      // s
    float gust_duration = 1;  // s
};

// The wind at a time; the same everywhere.
Vec3f wind_at(const Wind& wind, double time);

}  // namespace ringlet
