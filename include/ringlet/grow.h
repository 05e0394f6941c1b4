// Grows strands on a mesh from the program's arrays, without a scene file. A complete example is
// samples/groom_from_code.cpp.
#pragma once

#include <string>
#include <vector>

#include "ringlet/export.h"
#include "ringlet/groom_arrays.h"
#include "ringlet/progress.h"
#include "ringlet/result.h"
#include "ringlet/sim.h"

namespace ringlet {

// How strands grow. A plain value.
struct GrowOptions {
    // Assignments "key=value" of the keys that docs/scene_keys.md lists under groom, applied in
    // order: "groom.strands=500", "groom.preset=coils". Other keys have no effect.
    std::vector<std::string> settings;
    int threads = 0;  // number of worker threads; 0: all of the machine's
};

// Grows the strands that the settings describe on a mesh in metres, +Y up, in its frame. The same
// settings give the same bits. Unless groom.scalp and its relatives say otherwise, hair grows where
// the scalp of a head is. Returns an Error that names the entry at fault, also for settings that
// name files of a mesh or a groom (groom.mesh, groom.file). `listener` can cancel. Thread-safe.
RINGLET_API Result<GroomArrays> grow_strands(const SimMesh& mesh, const GrowOptions& options,
                                             const Listener& listener = {});

}  // namespace ringlet
