// Landmarks of a placed head: metres, +Y up, facing +Z.
#pragma once

#include "fit/surface_samples.h"

namespace ringlet {

// A height that is measured on the mesh where the mesh reaches that far, and otherwise follows from
// the height of the head by the proportions of an adult (Drillis and Contini 1966).
struct LandmarkHeight {
    float y = 0;  // m
    bool measured = false;
};

// All positions and lengths in metres, in the frame of the mesh.
struct Landmarks {
    bool is_head = false;   // false: the mesh does not look like a head; see `misfit`
    float misfit = 1;       // 0: exactly a typical head; 1: nothing in common
    Vec3f crown{0, 0, 0};   // highest point of the head
    Vec3f centre{0, 0, 0};  // halfway between crown and chin, forehead and occiput, left and right
    float head_height = 0;  // from chin to crown
    float head_width = 0;   // from side to side above the ears
    float head_depth = 0;   // from forehead to occiput
    Vec3f forehead{0, 0, 0};  // on the skin between hairline and brows, on the midline
    Vec3f nape{0, 0, 0};      // on the skin at the back, at the height of the chin
    float ear_y = 0;          // of the middle of the ears
    LandmarkHeight chin;      // lowest point of the chin
    LandmarkHeight neck;      // where the neck is narrowest
    LandmarkHeight shoulder;  // top of the shoulders
    LandmarkHeight chest;     // nipple line
    LandmarkHeight waist;
    Vec3f up{0, 1, 0}, facing{0, 0, 1};
};

// Finds the landmarks of a mesh that is already placed. A mesh that does not look like a head gets
// landmarks from its bounds, with is_head = false: its upper part counts as the head.
Landmarks find_landmarks(const Mesh& mesh, const TriangleSubset& subset = {});

}  // namespace ringlet
