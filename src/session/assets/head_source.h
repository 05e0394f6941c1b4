// Prepares the mesh that hair grows on: repairs it, finds its head and places it.
#pragma once

#include "fit/choose_placement.h"
#include "geom/mesh_sequence.h"
#include "session/assets/groom_source.h"

namespace ringlet {

// Repairs and places head.mesh as it was read from groom.mesh, and chooses the part that hair grows
// on. Stores the placement in `head` and appends to its messages. Built-in meshes stay as they are.
Result<void> prepare_head(const Scene& scene, HeadMesh& head);

// Everything in a scene that the prepared head depends on, as a key for caches.
std::string head_key(const Scene& scene);

// The shapes in file coordinates, placed like the mesh they belong to; `rest` is placed already.
std::shared_ptr<const MeshSequence> placed_shapes(std::shared_ptr<const MeshSequence> shapes,
                                                  const Placement& placement);

// The unit and axes that the file of a mesh states.
StatedAxes stated_axes(const Mesh& mesh);

}  // namespace ringlet
