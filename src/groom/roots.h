// Scatters roots evenly over the scalp.
#pragma once

#include "geom/mesh.h"
#include "groom/growth.h"
#include "ringlet/result.h"

namespace ringlet {

struct Root {
    Vec3f position;
    Vec3f normal;  // unit, out of the skin
    Vec2f uv;
    int triangle;
    int group;       // of the mesh, -1 for none
    float soft = 1;  // Growth::soft at the root
};

// Returns `count` roots from a Halton sequence, uniform by area times growth weight. A smaller
// count gives a prefix of the same roots. Fails if the rules leave almost no area.
Result<std::vector<Root>> scatter_roots(const Mesh& mesh, const RootRules& rules, int count);

// The area on which hair grows in square metres: the integral of the growth weight. 0 if there is
// none. Sampled, so accurate to about 1 %.
double growing_area(const Mesh& mesh, const RootRules& rules);

}  // namespace ringlet
