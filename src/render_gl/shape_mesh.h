// Colliders and props as triangles.
#pragma once

#include <vector>

#include "geom/mesh.h"
#include "render_gl/renderer.h"

namespace ringlet {

// One mesh of all shapes, one material each, in world space.
Mesh mesh_of(const std::vector<DrawnShape>& shapes);

}  // namespace ringlet
