// Loads the animated shapes of a head or collider from a sequence of OBJ files.
#pragma once

#include <memory>

#include "collide/sequence_files.h"
#include "geom/mesh.h"
#include "geom/mesh_sequence.h"
#include "ringlet/result.h"

namespace ringlet {

// Returns null if the sequence names no files. Paths are relative to `folder`. All shapes must have
// the topology of `body`, which error messages call `name`.
Result<std::shared_ptr<const MeshSequence>> load_shapes(const SequenceFiles& sequence,
                                                        const std::string& folder, const Mesh& body,
                                                        const std::string& name);

}  // namespace ringlet
