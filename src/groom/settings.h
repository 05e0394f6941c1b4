// What a scene may say about where hair grows and how it is shaped. Meaning, unit, range and
// default of each entry are written once, in scene/parameters.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "math/vec3.h"

namespace ringlet {

struct CurlSettings {
    float radius = 0;        // m; 0 grows straight hair
    float pitch = 0.03f;     // m of length per turn
    float variation = 0.2f;  // relative, per lock
    float start = 0.15f;     // fraction of the strand that leaves the head uncurled
    float mix = 0.5f;        // share of left-handed locks
};

struct ClumpSettings {
    float strength = 0;  // 0 strands keep apart, 1 locks meet in a point
    int size = 20;       // strands per lock
};

struct CombSettings {
    Vec3f direction{0, 0, 0};  // added to the direction in which hair leaves the skin
    float part = 0;            // m, x of the parting
    float part_strength = 0;   // pulls hair to its side of the parting
    float droop = 0.5f;        // how soon hair bends to hang down; 0 never
    float lift = 0.004f;       // m between the skin and hair combed over it
};

struct ColourSettings {
    Vec3f root{0.10f, 0.045f, 0.02f};  // linear RGB
    Vec3f tip{0.20f, 0.09f, 0.04f};
    float variation = 0.15f;  // of brightness, per strand
};

// A strand planted by hand: its root is clamped with its direction.
struct PlantedStrand {
    Vec3f root{0, 0, 0};        // m
    Vec3f direction{0, -1, 0};  // any length
    float length = 0.3f;        // m
    int vertices = 32;
    float curl_radius = 0;  // m
    float curl_pitch = 0.03f;
};

struct GroomSettings {
    std::string mesh;             // OBJ; empty: no body
    std::string scalp = "scalp";  // material or group; empty: everywhere
    float scalp_tint = 0.5f;      // how much the drawn scalp takes the colour of the roots
    int strands = 0;
    int vertices = 32;
    float length = 0.3f;            // m, as it hangs
    float length_variation = 0.1f;  // relative, per strand
    float diameter = 80e-6f;        // m
    float taper = 0.5f;             // share of the diameter lost at the tip
    float frizz = 0;                // m, sideways noise
    std::uint32_t seed = 1;
    CurlSettings curl;
    ClumpSettings clump;
    CombSettings comb;
    ColourSettings colour;
    std::vector<PlantedStrand> planted;
};

}  // namespace ringlet
