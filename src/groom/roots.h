// Scatters roots evenly over the scalp.
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
    float facing_up = -1;            // smallest y of the skin's normal at a root
    const Image* density = nullptr;  // over UV, not owned; null or empty: everywhere
    std::uint32_t seed = 1;
};

// Returns `count` roots from a Halton sequence, uniform by area times density. A smaller count
// gives a prefix of the same roots. Fails if the rules leave almost no area.
Result<std::vector<Root>> scatter_roots(const Mesh& mesh, const RootRules& rules, int count);

}  // namespace ringlet
