#pragma once

#include <array>
#include <vector>

#include "vec3.h"

struct Corner {
    int position = 0;
    int texcoord = 0;
};

// Three or four corners, counter-clockwise seen from outside.
using Face = std::vector<Corner>;

struct TexCoord {
    double u = 0.0;
    double v = 0.0;
};

struct BustMesh {
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;  // One per position.
    std::vector<TexCoord> texcoords;
    std::vector<Face> skin;
    std::vector<Face> scalp;
};

BustMesh make_bust_mesh();
