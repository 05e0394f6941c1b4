// The shapes a head or a collider goes through, from the OBJ files its sequence names.
#pragma once

#include <memory>

#include "collide/sequence_files.h"
#include "geom/mesh.h"
#include "geom/mesh_sequence.h"
#include "ringlet/result.h"

namespace ringlet {

// Null where none is named. Files are relative to `folder`; `name` is what complaints call `body`,
// whose shapes they are.
Result<std::shared_ptr<const MeshSequence>> load_shapes(const SequenceFiles& sequence,
                                                        const std::string& folder, const Mesh& body,
                                                        const std::string& name);

}  // namespace ringlet
