// The triangles of a capsule, and of the shapes that are made from one.
#pragma once

#include "geom/drawn_shape.h"

namespace ringlet {

// Appends the triangles of the capsule with the axis from shape.a to shape.b.
void add_capsule_triangles(const DrawnShape& shape, Mesh& mesh);

}  // namespace ringlet
