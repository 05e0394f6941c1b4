// The settings of the [fur] table. Units, ranges and meanings are declared in
// src/scene/parameters. The defaults are those of the course assignment the method comes from.
#pragma once

#include <string_view>

namespace ringlet {

// original: the assignment's method; shells: the same coat with a stable integrator; strands: the
// same description grown as simulated strands.
enum class FurStyle { none, original, shells, strands };
constexpr std::string_view word_of(FurStyle style) {
    switch (style) {
        case FurStyle::none:
            return "none";
        case FurStyle::original:
            return "original";
        case FurStyle::shells:
            return "shells";
        case FurStyle::strands:
            return "strands";
    }
    return {};
}

struct FurSettings {
    FurStyle style = FurStyle::none;
    int shells = 32;
    // Metres per unit of the lengths and accelerations below; 0: the RMS radius of the mesh, which
    // the assignment scales to 1.
    float unit = 0;
    float length = 0.21f;    // units
    float density = 0.7f;    // the assignment's "hairyness"
    float stiffness = 4;     // 1/s^2
    float damping = 0.96f;   // fraction of the speed kept in a step; shells: in 0.02 s
    float gravity = 0.5f;    // units/s^2
    float dt = 0.02f;        // s, in the fur's own time
    int steps = 10;          // per sim.dt
    float wind = 0.1f;       // 1/s, acceleration per air speed, in the fur's own time
    float max_bend = 75;     // degrees between tip and skin's normal; shells only
    float thickness = 0.5f;  // radius of a strand at the skin, in strand_cell() sizes
    float fins = 1;          // opacity of the fins at silhouettes, shells only
};

// Whether the style simulates tips and draws shells.
inline bool has_shells(const FurSettings& fur) {
    return fur.style == FurStyle::original || fur.style == FurStyle::shells;
}

// Replaces many steps by a few longer ones for style shells, whose integrator is exact for any step
// length; a few steps per sim.dt resolve the motion of the mesh.
inline FurSettings with_few_steps(FurSettings fur) {
    constexpr int kEnough = 4;
    if (fur.style != FurStyle::shells || fur.steps <= kEnough) return fur;
    fur.dt *= static_cast<float>(fur.steps) / kEnough;
    fur.steps = kEnough;
    return fur;
}

}  // namespace ringlet
