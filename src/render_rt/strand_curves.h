// The strands of a picture as Catmull-Rom curves in the layout that Embree reads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "geom/mesh.h"
#include "math/vec3.h"
#include "strand/strand_set.h"

namespace ringlet {

struct CurveVertex {
    Vec3f position;  // m
    float radius;    // m
};

// A point of a curve, between two vertices of a strand.
struct CurvePoint {
    Vec3f tangent;  // unit, towards the tip
    Vec3f colour;   // linear RGB
    float radius;   // m
    Vec3f motion;   // m, from the opening of the shutter to its closing
};

// Each strand has one vertex more at either end, the mirror image of its neighbour, so that the
// curve passes through the root and the tip. The segments of curled strands are divided, which adds
// vertices on the curve.
struct StrandCurves {
    std::vector<CurveVertex> vertices;
    std::vector<CurveVertex> open;  // the same when the shutter opened; empty: nothing moves
    std::vector<Vec3f> colours;     // one per vertex
    // The first of the four vertices of each segment.
    std::vector<std::uint32_t> flat_segments, round_segments;
    Bounds bounds;  // of all vertices; low > high if there are none

    // `along` is from 0 to 1, and so is `time`, from the opening of the shutter to its closing.
    CurvePoint point(std::uint32_t segment, float along, float time) const;
};

// `width` is the factor of the radii. A vertex that is not finite takes the position of its
// predecessor; a strand whose root is not finite is left out.
// `open` are the positions when the shutter opened; null: nothing moves.
// `is_round` decides for a whole strand, by its vertices, which list its segments belong to.
StrandCurves curves_of(const StrandView& strands, float width, const Channel<3>* open,
                       const std::function<bool(std::span<const CurveVertex>)>& is_round);

}  // namespace ringlet
