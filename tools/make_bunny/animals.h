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

struct Place {
    double x = 0, y = 0;
};

struct Paint {
    std::array<double, 3> colour{1, 1, 1};  // sRGB, 0 to 1; multiplies the colour of the fur
    double length = 1;                      // of the fur, 0 to 1
};

struct Animal {
    double (*distance)(Vec3 p);
    // Bare skin of some material, or "coat" where fur grows, at a point of the surface.
    std::string (*material)(Vec3 p);
    // Charts lie side by side in the pictures. On chart 0 the animal is seen from its side, both
    // sides alike; what others show is the animal's own affair.
    int chart_count;
    int (*chart)(Vec3 p, Vec3 normal);
    // Where a point is on a chart, in metres; x to the right, y up.
    Place (*place)(int chart, Vec3 p);
    Paint (*paint)(int chart, Place at);
    std::vector<Ball> balls;  // eyes, nose: bodies of their own
    Vec3 low, high;           // bounds; z and y of them are those of every chart
    double cell;              // m, edge length of the mesh
    std::vector<std::string> materials;
    std::vector<std::array<double, 3>> colours;  // of those, linear
};

Animal bunny();
Animal creature();
