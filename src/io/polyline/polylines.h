// Strands as lines through numbered vertices, the way OBJ and PLY have them.
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
    std::vector<Vec3f> colour;  // as many as positions; empty where unknown
    std::vector<float> radius;  // as many as positions; empty where unknown
    std::vector<int> vertices;  // of all strands one after the other, root to tip; from 0
    std::vector<int> ends;      // of each strand: behind its last place in `vertices`

    int vertex_total() const { return static_cast<int>(position.size()); }
    void end_strand() { ends.push_back(static_cast<int>(vertices.size())); }
};

// Strands may share vertices (a common root, say), but not so many that the result would be out of
// proportion to the file. Precondition: `vertices` are good and every strand has one.
Result<StrandSet> strands_of(const Polylines& lines, const std::string& name);

// Strands out of edges in any order. The root is the end with the lower number, strands are in
// order of their roots, and a vertex without an edge is a strand of its own.
class EdgeGraph {
public:
    explicit EdgeGraph(int vertex_total);

    // What is wrong with the edge, if it is. Precondition: both are good vertex numbers.
    std::optional<std::string> add(int a, int b);
    // Appends the strands; says what is wrong if some edges form a ring.
    std::optional<std::string> trace(Polylines& out) const;

private:
    void walk(int root, Polylines& out, std::vector<bool>& seen) const;

    std::vector<std::array<int, 2>> neighbours_;  // -1 for none
};

}  // namespace ringlet
