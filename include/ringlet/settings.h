// The settings of a simulation: plain values, one struct per model. scene_defaults() returns
// the values of scene files. docs/scene_keys.md lists meaning, unit and range of each entry by key:
// SimSettings::damping is sim.damping, RodSettings::radius is sim.rod.radius, Wind::gust is
// wind.gust.
//
// HairSim::create() copies the settings and returns an Error that names the first entry out of its
// range. A struct owns its values and may be copied freely; like any plain value it must not be
// written by one thread while another one reads it.
//
//     ringlet::SimSettings settings;
//     settings.model = *ringlet::model_named("rod");
//     settings.rod.radius = 35e-6f;
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ringlet/vectors.h"

namespace ringlet {

// Which vertices a PbdPair connects. along: all pairs that are `span` segments apart. ends: the
// root and the tip.
enum class PairReach { along, ends };

// A distance kept between two vertices of a strand that are not neighbours.
struct PbdPair {
    PairReach reach = PairReach::along;
    int span = 2;    // segments between the two vertices (along); ends: first to last vertex
    float rest = 0;  // kept distance in segment lengths; 0: as groomed
    float stiffness = 0.6f;  // [0, 1]
};

// The time integration of rod and pbd. second_order keeps the swing of hair at any step;
// backward_euler damps more with longer steps.
enum class Integrator { second_order, backward_euler };

// Position-based dynamics. Stiffness is the fraction of an error that a substep of stiffness_step
// removes.
struct PbdSettings {
    float stretch_stiffness = 1;  // [0, 1]
    int length_solves = 3;        // direct solves of all lengths, where stretch_stiffness is 1
    std::vector<PbdPair> pairs;   // distance constraints that keep curls
    float bend_stiffness = 0;     // [0, 1], of the angle between consecutive chunks
    int bend_chunk = 1;           // segments in such a chunk
    float shape_stiffness = 0;    // [0, 1], pull to the groomed position at the root
    float shape_reach = 0.5f;     // share of the strand over which that pull fades
    float style_stiffness = 2;    // where sim.keep_style applies: over that of a pendulum
    float stiffness_step = 1.0f / 480;  // s, the substep for which stiffness is given; 0: any
    bool iteration_corrected = true;    // k' = 1 - (1-k)^(1/n) instead of k
    float mass = 0.425f;                // of a vertex; only its ratio to sim.force matters
    float mass_variation = 0.1765f;     // per strand, relative: 0.35 to 0.5
    float rigid_damping = 0;            // 1/s; damps all but the strand's rigid motion
    Integrator integrator = Integrator::backward_euler;  // second_order needs even substeps
    float imperfection = 0.01f;  // of a segment, sideways, where a straight strand must curl
};

// project: each model's own contact; penalty: a force before its substep instead.
enum class ContactKind { project, penalty };

// simple: a rate that does not depend on speed; slender_body: a cylinder in air.
enum class DragKind { simple, slender_body };

// The grooms whose pose is an equilibrium on a still head with every model. Only a scene knows
// whether a groom is imported: for HairSim, `imported` means never.
enum class KeepStyle { imported, always, never };

// An inextensible Kirchhoff rod with the stiffness of real hair; human hair by default.
struct RodSettings {
    int material = 0;  // index into all_materials(), from which these start:
    float radius =
        40e-6f;  // m, of the circular section; of an ellipse, of the circle of equal area
    float aspect_ratio = 1;         // narrow over wide axis of the section
    float section_angle = 0;        // degrees; 0: the softest bending direction is that of the curl
    float youngs_modulus = 3.8e9f;  // Pa
    float poisson_ratio = 0.35f;    // G = E / (2 (1 + it))
    float density = 1300;           // kg/m^3
    float damping = 0;              // s; Rayleigh: torque = K (c + damping dc/dt)

    Integrator integrator = Integrator::second_order;
    int solves = 2;              // Newton steps per substep
    int extra_solves = 2;        // for strands that have not converged after these
    bool sag_free = true;        // the groomed pose is the equilibrium under gravity
    float sag_free_safety = 4;   // multiple of gravity that a sag-free strand withstands; 0: any
    float contact_start = 10;    // stiffness of a new contact over M/h^2
    float contact_limit = 1000;  // ... of one that lasts
    // Dials from 0 to 1; 0.5 leaves the material as it is.
    float stiffness_dial = 0.5f, weight_dial = 0.5f, bounce_dial = 0.5f;
};

// Follow the leader: a single pass from root to tip that never stretches.
struct FtlSettings {
    bool dynamic = true;      // velocity correction of the paper; false: plain follow the leader
    float correction = 0.9f;  // [0, 1], s_damping of the paper
    float bend_stiffness = 0.2f;   // [0, 1], pull to the groomed direction in 1/480 s
    float bend_damping = 20;       // 1/s
    float bend_smoothing = 0.06f;  // m, smoothing length of the centreline
    bool sag_free = true;          // the groomed pose is the equilibrium under gravity
    float mass = 0.425f;           // of a vertex; only its ratio to sim.force matters
};

// Masses and springs. Forces are divided by mass per length, so that they do not depend on the
// vertex count.
struct SpringSettings {
    float stretch_stiffness = 2000;  // m^2/s^2: the force that doubles the length
    float stretch_damping = 0.5f;    // m^2/s
    float stretch_limit = 0.005f;    // relative, both ways
    float bend_stiffness = 40;       // m^2/s^2
    float bend_damping = 0.04f;      // m^2/s
    float bend_smoothing = 0.03f;    // m, of the centreline that transports frames
    float core_stiffness = 60;       // m^2/s^2
    float core_damping = 0.1f;       // m^2/s
    float core_smoothing = 0.05f;    // m
    float line_density = 6.5e-6f;    // kg/m; only its ratio to sim.force matters
    int max_steps = 64;              // inner steps per substep
    bool sag_free = true;            // the groomed pose is the equilibrium under gravity
};

// Hair-hair coupling on a grid. All strengths 0: strands pass through each other.
struct HairHair {
    float cell = 0.01f;            // m
    float friction = 0;            // 1/s, at the groomed density
    float friction_per_step = 0;   // [0, 1], per step, at any density
    float repulsion = 0;           // m/s^2, at the groomed density
    float repulsion_per_step = 0;  // m, per step, at any density
    float volume = 0;              // m^2/s^2
    int couplings = 2;             // per step
};

// Contact between strands: their segments are capsules. radius 0: strands pass through each other.
struct StrandContact {
    float radius = 0;       // m, of a segment
    float clump = 0.005f;   // m; strands with roots in one cell of this size act as one; 0: none do
    float friction = 0.3f;  // Coulomb coefficient
    int sweeps = 64;        // Gauss-Seidel iterations over all contacts per substep, at most
};

// The settings of one simulation. Gravity can be changed while it runs; all others are read when it
// starts.
struct SimSettings {
    int model = 0;         // by model_named(); its own settings are below under its name
    float dt = 1.0f / 60;  // s
    int substeps = 8;
    int iterations = 5;
    Vec3f gravity{0, -9.81f, 0};  // m/s^2
    Vec3f force{0, 0, 0};         // N, on every vertex
    DragKind drag = DragKind::simple;
    float damping = 1;             // 1/s, of simple drag, relative to the wind, across a strand
    float damping_along = 1;       // ... along it, over that
    float follow_head = 0;         // [0, 1], share of the head's motion applied rigidly to the hair
    float follow_head_above = 10;  // m/s; root motion above this speed moves the hair rigidly
    float collision_radius = 0.001f;  // m, distance kept between hair and colliders
    float keep_gap = 0;               // m; the groomed distance to colliders is kept up to this
    KeepStyle keep_style = KeepStyle::imported;
    ContactKind contact = ContactKind::project;
    float penalty_stiffness = 2e4f;  // 1/s^2, acceleration per metre of depth
    bool hold_roots = true;          // roots follow the head; otherwise strands are free
    bool hold_tips = false;          // tips follow the head too
    bool clamp_root = true;          // hold the direction in which a strand leaves the skin
    PbdSettings pbd;
    RodSettings rod;
    FtlSettings ftl;
    SpringSettings spring;
    std::map<std::string, float> model_values;  // of models without a struct of their own here
    HairHair hair_hair;
    StrandContact strand_contact;

    bool keeps_style() const { return keep_style == KeepStyle::always; }
};

// The motion of the air: a mean velocity that may oscillate, one gust, and turbulence. The drag of
// SimSettings couples strands to it.
struct Wind {
    Vec3f velocity{0, 0, 0};       // m/s
    float oscillation = 0;         // 0: steady; 1: from zero to twice the speed
    float frequency = 0.5f;        // 1/s
    float gust = 0;                // m/s, along velocity's direction, added at gust_time
    float gust_time = 1;           // s
    float gust_duration = 1;       // s
    float shelter = 0;             // [0, 1], by which hair of the groomed density reduces drag
    float turbulence = 0;          // m/s, root mean square of the added velocity
    float turbulence_size = 0.3f;  // m, longest wavelength
    std::uint32_t turbulence_seed = 1;
    Rigidf to_air_frame{{0, 0, 0, 1}, {0, 0, 0}};  // from the simulation's frame to the air's frame
};

}  // namespace ringlet
