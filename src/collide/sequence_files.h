// Where the shapes of a mesh that changes come from; whoever can read files makes a MeshSequence.
#pragma once

#include <string>

namespace ringlet {

struct SequenceFiles {
    std::string files;  // OBJ, # for digits of the frame's number; empty: there is none
    float fps = 24;
    bool loops = false;  // after the last frame comes the first; otherwise the last stays
};

}  // namespace ringlet
