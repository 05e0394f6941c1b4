// Closes the openings of a mesh, so that every point near it is inside or outside: of a bust, for
// example, below its lower rim.
#pragma once

#include "geom/mesh.h"

namespace ringlet {

// The positions, normals and triangles of `mesh`, and a fan of triangles over each opening, after
// those of the mesh. The normals along its rim are turned half-way to those of the fan. Sheets stay
// open: a rim stays as it is where the surface lies behind its own fan.
Mesh with_closed_rims(const Mesh& mesh);

}  // namespace ringlet
