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

struct ChartPoint {
    double x = 0, y = 0;
};

struct Paint {
    std::array<double, 3> colour{1, 1, 1};  // sRGB, 0 to 1; multiplies the colour of the fur
    double length = 1;                      // of the fur, 0 to 1
};

struct Animal {
    double (*distance)(Vec3 p);
    // The material at a surface point; "coat" where fur grows.
    std::string (*material)(Vec3 p);
    // Charts are placed side by side in the images. Chart 0 is the side view, shared by both sides;
    // each animal defines the others.
    int chart_count;
    int (*chart)(Vec3 p, Vec3 normal);
    // The position of a point on a chart, in metres; x to the right, y up.
    ChartPoint (*to_chart)(int chart, Vec3 p);
    Paint (*paint)(int chart, ChartPoint at);
    std::vector<Ball> balls;  // eyes and nose, as separate meshes
    Vec3 low, high;           // bounds; every chart spans their z and y
    double cell;              // m, edge length of the mesh
    std::vector<std::string> materials;
    std::vector<std::array<double, 3>> colours;  // of the materials, linear RGB
};

Animal bunny();
Animal creature();
