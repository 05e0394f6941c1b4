// Loads the animated shapes of a head or collider: from a sequence of mesh files, or from the
// animation of one file.
#pragma once

#include <memory>

#include "base/messages.h"
#include "geom/mesh.h"
#include "geom/mesh_sequence.h"
#include "ringlet/result.h"
#include "scene/scene.h"

namespace ringlet {

// Where the shapes of a mesh come from.
struct ShapeSource {
    const SequenceFiles& sequence;
    const AnimationSettings& animation;  // used if there is no sequence
    std::string folder;                  // relative paths start here
    std::string file;                    // of the mesh
    std::string name;                    // of the mesh in error messages: "groom.mesh"
    bool is_head = true;  // false: the file need not have the animation that the scene names
    std::function<bool()> is_stopped{};  // polled while files are read; may be empty
};

// Loads the files of the sequence or, if it names none, the animation of the mesh's file. Returns
// null if there is neither, or if the animation does not move the mesh. All shapes must have the
// topology of `body`, whose positions become the rest shape. The frames are in units and axes of
// the files. Appends to `messages` which animation is played.
Result<std::shared_ptr<const MeshSequence>> load_shapes(const ShapeSource& source, const Mesh& body,
                                                        Messages& messages);

}  // namespace ringlet
