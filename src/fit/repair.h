// Repairs a mesh from a file: winding, repeated faces and normals. Keeps the number and order of
// vertices and triangles, so that other shapes of the same mesh still match it.
#pragma once

#include "base/messages.h"
#include "geom/mesh.h"
#include "ringlet/result.h"

namespace ringlet {

// Turns the triangles so that they are counter-clockwise seen from outside. The sign of its volume
// decides for a component that is closed or encloses enough volume, the majority for the others. A
// repeated triangle collapses to a point. Normals that disagree with the winding, are missing or
// are not finite are computed from the triangles. Adds a warning for each repair; a sound mesh
// keeps its bits. Fails if a position is not finite or all triangles are degenerate. `name` is the
// file in messages.
Result<void> repair_mesh(Mesh& mesh, const std::string& name, Messages& messages);

}  // namespace ringlet
