// Where hair grows: points spread evenly over the scalp.
#pragma once

#include "geom/mesh.h"
#include "groom/maps.h"
#include "ringlet/result.h"

namespace ringlet {

struct Root {
    Vec3f position;
    Vec3f normal;  // unit, out of the skin
    Vec2f uv;
    int triangle;
    int group;  // of the mesh, -1 for none
};

struct RootRules {
    std::string scalp;               // material or group; empty: everywhere
    float facing_up = -1;            // least y of the skin's normal
    const Image* density = nullptr;  // over UV; null or empty: grows everywhere
    std::uint32_t seed = 1;
};

// `count` points, uniform by area (times density) over where the rules allow, from a Halton
// sequence: the first n of 2n roots are the n roots of n.
Result<std::vector<Root>> scatter_roots(const Mesh& mesh, const RootRules& rules, int count);

}  // namespace ringlet
