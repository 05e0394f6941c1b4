// The shapes of a deforming mesh: files, or an animation inside the mesh's own file. The session
// reads them into a MeshSequence.
#pragma once

#include <string>

namespace ringlet {

struct SequenceFiles {
    std::string files;  // OBJ, # for digits of the frame number; empty: rigid
    float fps = 24;
    bool loops = false;  // repeats after the last frame; otherwise the last frame stays
    // Without `files`: an animation of the mesh's file. "auto": the first, if it has any; "none".
    std::string animation = "auto";
    bool animation_loops = true;  // as `loops`
};

}  // namespace ringlet
