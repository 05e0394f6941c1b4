// Moves an imported groom onto a head: unit, axes and facing from the candidates, then a rigid fit
// with uniform scale of its roots to the scalp. The shape of the strands stays similar.
#pragma once

#include <span>

#include "fit/landmarks.h"
#include "geom/placement.h"

namespace ringlet {

// A root with the direction of its strand, in the coordinates of the groom file.
struct GroomRoot {
    Vec3f position;
    Vec3f direction;  // unit, along the first part of the strand
};

// The triangles of the cap of the head where hair usually grows, as a mesh of their own.
// Precondition: a placed head.
Mesh scalp_patch(const Mesh& mesh, const Landmarks& marks, const TriangleSubset& head = {});

// Distances between roots and a surface, in metres.
struct RootDistances {
    float mean = 0, worst = 0;
    float near_share = 0;  // fraction of the roots within 2 cm
};
RootDistances measure_roots(std::span<const Vec3f> roots, const Mesh& surface);

// Values that the caller fixes.
struct GroomFitLimits {
    float scale = 0;                     // metres per unit; 0: free
    Vec3f up{0, 0, 0}, facing{0, 0, 0};  // axes of the file; zero: free
};

struct FittedGroom {
    Placement placement;  // from the file to the head
    float unit = 0;       // metres per unit of the common unit that fits; 0: none does
    Vec3f up, facing;     // axes of the file before the fine fit
    float mean = 0;       // m, distance of the roots to the scalp
};

// Fits the roots to the scalp. Precondition: both are not empty.
FittedGroom fit_groom(std::span<const GroomRoot> roots, const Mesh& scalp,
                      const GroomFitLimits& limits);

}  // namespace ringlet
