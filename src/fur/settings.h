// What a scene may say about fur. Meaning, unit, range and default of each entry are written once,
// in scene/parameters.cpp; defaults are those of the course assignment it comes from.
#pragma once

namespace ringlet {

// original: the assignment, to the letter; shells: the same coat, better; strands: the same
// description grown as strands.
enum class FurStyle { none, original, shells, strands };

struct FurSettings {
    FurStyle style = FurStyle::none;
    int shells = 32;
    // Lengths and accelerations below are in units of this many metres; 0: of the RMS radius of the
    // mesh, which the assignment scales to 1.
    float unit = 0;
    float length = 0.21f;    // units
    float density = 0.7f;    // "hairyness"
    float stiffness = 4;     // 1/s^2
    float damping = 0.96f;   // share of the speed kept in a step; shells: in 0.02 s
    float gravity = 0.5f;    // units/s^2
    float dt = 0.02f;        // s, of the fur's own time
    int steps = 10;          // per sim.dt
    float wind = 0.1f;       // 1/s, acceleration per speed of the air, in the fur's own time
    float most_bend = 75;    // degrees, between tip and skin's normal; shells only
    float thickness = 0.5f;  // radius of a strand's room, in cells of one strand each
    float fins = 1;          // opacity of the fins at silhouettes, shells only
};

// The style in which tips are simulated and shells drawn.
inline bool has_shells(const FurSettings& fur) {
    return fur.style == FurStyle::original || fur.style == FurStyle::shells;
}

// The same motion in fewer, longer steps, where that costs nothing: the flow of a step of shells is
// exact however long it is, and a few are enough to feel how the body moves in between.
inline FurSettings with_few_steps(FurSettings fur) {
    constexpr int kEnough = 4;
    if (fur.style != FurStyle::shells || fur.steps <= kEnough) return fur;
    fur.dt *= static_cast<float>(fur.steps) / kEnough;
    fur.steps = kEnough;
    return fur;
}

}  // namespace ringlet
