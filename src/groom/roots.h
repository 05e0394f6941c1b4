// Where hair grows: points spread evenly over the scalp.
#pragma once

#include "geom/mesh.h"
#include "ringlet/result.h"

namespace ringlet {

struct Root {
    Vec3f position;
    Vec3f normal;  // unit, out of the skin
    Vec2f uv;
    int triangle;
};

// `count` points, uniform by area over the triangles whose material or group is `scalp` (all, if
// empty), from a Halton sequence: the first n of 2n roots are the n roots of n.
Result<std::vector<Root>> scatter_roots(const Mesh& mesh, const std::string& scalp, int count,
                                        std::uint32_t seed);

}  // namespace ringlet
