// The placement of a mesh or groom from a file: from the file's units and axes to metres, +Y up,
// facing +Z.
#pragma once

#include "geom/mesh.h"
#include "geom/placement_settings.h"

namespace ringlet {

// A similarity: maps a point p of the file to scale * (row[0].p, row[1].p, row[2].p) + offset.
struct Placement {
    Vec3f row[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  // orthonormal, right-handed
    float scale = 1;
    Vec3f offset{0, 0, 0};  // m

    bool is_identity() const;
};

Vec3f apply(const Placement& placement, Vec3f point);
// Rotates only.
Vec3f turned(const Placement& placement, Vec3f direction);
// The placement that applies b first, then a.
Placement operator*(const Placement& a, const Placement& b);

// The rotation that takes `up` to +Y and `facing` to +Z. Both are axes; precondition: they are
// perpendicular.
Placement turn_upright(Vec3f up, Vec3f facing);
// Rotation about x, then y, then z, in degrees, then the offset in metres.
Placement rotate_and_move(Vec3f degrees, Vec3f offset);

// Places positions and normals. Leaves the bits alone if the placement is the identity.
void place(const Placement& placement, Mesh& mesh);

}  // namespace ringlet
