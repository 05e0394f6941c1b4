// Strands as polylines through numbered vertices, as in OBJ and PLY.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

struct Polylines {
    std::vector<Vec3f> position;
    std::vector<Vec3f> colour;  // per position; empty if unknown
    std::vector<float> radius;  // per position; empty if unknown
    std::vector<int> vertices;  // position indices of all strands in order, root to tip
    std::vector<int> ends;      // per strand: the end of its range in `vertices`

    int vertex_total() const { return static_cast<int>(position.size()); }
    void end_strand() { ends.push_back(static_cast<int>(vertices.size())); }
};

// Strands may share vertices (for example a common root), but in total no more than twice the
// number of positions, so that the result stays in proportion to the file. Precondition: all
// indices are valid and every strand has a vertex.
Result<StrandSet> strands_of(const Polylines& lines, const std::string& name);

// Builds strands from edges in any order. The root of a strand is the end with the lower index;
// strands are sorted by root; a vertex without an edge is a strand of one vertex.
class EdgeGraph {
public:
    explicit EdgeGraph(int vertex_total);

    // Returns an error message if the edge is invalid. Precondition: both are valid indices.
    std::optional<std::string> add(int a, int b);
    // Appends the strands. Returns an error message if some edges form a closed loop.
    std::optional<std::string> trace(Polylines& out) const;

private:
    void walk(int root, Polylines& out, std::vector<bool>& seen) const;

    std::vector<std::array<int, 2>> neighbours_;  // -1 for none
};

}  // namespace ringlet
