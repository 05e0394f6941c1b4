#pragma once

#include <array>
#include <string>
#include <vector>

#include "../make_bust/vec3.h"

// The furry animals of the example scenes, as implicit surfaces in metres: +Y up, facing +Z,
// symmetric about x = 0, standing on y = 0.

struct Ball {
    std::string material;
    Vec3 center;
    Vec3 radii;
};

struct Paint {
    std::array<double, 3> colour{1, 1, 1};  // sRGB, 0 to 1; multiplies the colour of the fur
    double length = 1;                      // of the fur, 0 to 1
};

struct Animal {
    double (*distance)(Vec3 p);
    // Bare skin of some material, or "coat" where fur grows, at a point of the surface.
    std::string (*material)(Vec3 p);
    // By place on the side of the animal: x is thrown away, so both sides are painted alike.
    Paint (*paint)(double y, double z);
    std::vector<Ball> balls;  // eyes, nose: bodies of their own
    Vec3 low, high;           // bounds
    double cell;              // m, edge length of the mesh
    std::vector<std::string> materials;
    std::vector<std::array<double, 3>> colours;  // of those, linear
};

Animal bunny();
Animal creature();
