// The files of a deforming mesh. The session reads them into a MeshSequence.
#pragma once

#include <string>

namespace ringlet {

struct SequenceFiles {
    std::string files;  // OBJ, # for digits of the frame number; empty: rigid
    float fps = 24;
    bool loops = false;  // repeats after the last frame; otherwise the last frame stays
};

}  // namespace ringlet
