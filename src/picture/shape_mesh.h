// Triangulates the shapes of a Picture.
#pragma once

#include <vector>

#include "geom/mesh.h"
#include "picture/picture.h"

namespace ringlet {

// Returns one mesh of all shapes in world space, with one material per shape.
Mesh mesh_of(const std::vector<DrawnShape>& shapes);

}  // namespace ringlet
