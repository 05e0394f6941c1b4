// The resistance of strands to stretch, for contact between strands.
//
// A strand does not become longer. A force along it therefore moves much more of it than a force
// across it, which only bends it (sim/strand_beams.h). Displacements u keep the lengths if
// d_j.(u_{j+1} - u_j) = 0 for the direction d_j of each segment. Tensions, forces along the
// segments, change displacements so that they do: u - W G^T (G W G^T)^-1 G u, with W the inverse
// masses and G the rows of these equations.
#pragma once

#include <span>
#include <vector>

#include "sim/strand_beams.h"

namespace ringlet {

class StrandTension {
public:
    // `beams` have all strands; vertices are numbered as in them.
    explicit StrandTension(const StrandBeams& beams);

    // Takes the directions of the segments of a strand from its positions (m). Call it before the
    // functions below.
    void set_shape(const StrandBeams& beams, int beam, std::span<const Vec3f> positions);

    // Changes displacements of all vertices of a strand (m) so that they keep the lengths.
    void keep_lengths(const StrandBeams& beams, int beam, std::span<Vec3f> moves);
    // Adds tensions to forces on all vertices, so that vertices that do not bend the strand would
    // keep the lengths.
    void balance(const StrandBeams& beams, int beam, std::span<Vec3f> forces);
    std::size_t byte_count() const;

private:
    // A row of L D L^T of the matrix G W G^T.
    struct Factor {
        float over_d, below;
    };
    void solve(std::size_t first, std::size_t segments);

    std::vector<Vec3f> directions_;
    std::vector<Factor> factors_;
    std::vector<float> tension_;  // scratch memory
};

}  // namespace ringlet
