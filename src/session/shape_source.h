// The shapes a head goes through, from the OBJ files head.sequence names.
#pragma once

#include "geom/mesh.h"
#include "geom/mesh_sequence.h"
#include "ringlet/result.h"
#include "scene/scene.h"

namespace ringlet {

// Null where the scene names none.
Result<std::shared_ptr<const MeshSequence>> load_shapes(const Scene& scene, const Mesh& body);

}  // namespace ringlet
