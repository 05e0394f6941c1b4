// Strands as plain arrays.
#pragma once

#include <string>
#include <vector>

#include "ringlet/warning.h"

namespace ringlet {

// The strands of a groom, strand after strand, from root to tip: read from a file
// (ringlet/grooms.h) or grown (ringlet/grow.h). StrandArrays may refer to the first three. A plain
// value that owns its arrays. An optional array is empty if the groom does not have the data.
struct GroomArrays {
    std::vector<float> positions;    // m: x, y, z of every vertex, +Y up
    std::vector<int> vertex_counts;  // of each strand, root included
    std::vector<float> widths;       // m, the diameter at every vertex; optional
    std::vector<float> colours;      // linear red, green, blue of every vertex; optional
    std::vector<float> root_uv;      // texture coordinates u, v of every root; optional

    // Messages of grow_strands(); empty otherwise.
    std::vector<std::string> assumptions;  // what was guessed, and the key that overrides it
    std::vector<Warning> warnings;         // defects of the mesh and of the settings
};

}  // namespace ringlet
