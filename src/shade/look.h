// How a scene is looked at and lit: what both renderers agree on. Defaults flatter the bust.
#pragma once

#include "math/vec3.h"

namespace ringlet {

struct Camera {
    Vec3f eye{0.32f, 0.43f, 1.22f};    // m
    Vec3f target{0.0f, 0.28f, 0.0f};   // m
    float field_of_view_degrees = 27;  // vertical
};

struct Light {
    Vec3f direction{0.55f, 0.75f, 0.6f};  // from the scene towards the key light, any length
    Vec3f colour{1.0f, 0.96f, 0.9f};      // linear
    float key = 2.6f;
    float fill = 0.55f;  // soft light from all around
    float rim = 1.6f;    // from behind, opposite the key
};

// How strands become pixels.
enum class StrandMode {
    ribbons,       // sorted, each pixel covered by exactly as much of a strand as lies in it
    tessellation,  // the same, the ribbons made by tessellation and geometry shaders
    ref,           // the mean of many shifted pictures of solid strands: slow, what is true
    lines,         // one pixel wide whatever the strand is: a quick preview
};

// What strands and the room around them may show instead of their looks.
enum class ColourBy { hair, stretch, speed, contact, force, id };
enum class GridView { none, density, velocity };

struct Look {
    Vec3f background{0.62f, 0.66f, 0.72f};  // linear colour of the backdrop behind the subject
    bool ground = true;
    float ground_height = 0;  // m
    float exposure = 1;
    float specular = 1;      // strength of the highlights along the hair
    float roughness = 0.2f;  // 0 sharp highlights, 1 broad
    float width = 1;         // drawn width over real diameter
    bool shadows = true;
    int subdivision = 0;  // drawn segments per simulated segment, 1 to 8; 0: by size on screen
    StrandMode mode = StrandMode::ribbons;
    int ref_frames = 64;  // pictures of which `ref` takes the mean
    bool flat = false;    // a matte for measuring: strands in their plain colour over black bodies
                          // and backdrop, no light, no tone mapping; bytes are linear
    ColourBy colour_by = ColourBy::hair;
    GridView grid = GridView::none;  // hair on the grid on which it meets hair
    bool frames = false;             // axes along some of the strands
};

}  // namespace ringlet
