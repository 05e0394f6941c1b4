// The hairstyle of a scene, grown or imported, with the pictures and files it names.
#pragma once

#include "geom/mesh.h"
#include "ringlet/result.h"
#include "scene/scene.h"
#include "strand/strand_set.h"

namespace ringlet {

// At rest, in the head's own frame.
Result<StrandSet> load_groom(const Scene& scene, const Mesh& body, const TaskPool& pool);

}  // namespace ringlet
