// Chooses how a mesh from a file is placed: what the scene states, then what the file states where
// it is plausible, then what the shape suggests.
#pragma once

#include "base/messages.h"
#include "fit/surface_samples.h"
#include "geom/placement.h"
#include "ringlet/result.h"

namespace ringlet {

// The unit and axes that a file states.
struct StatedAxes {
    float metres = 0;                    // per unit; 0: nothing
    Vec3f up{0, 0, 0}, facing{0, 0, 0};  // unit axes; zero: nothing
};

// The names that messages use.
struct PlacementNames {
    std::string file;                                      // "head.obj"
    std::string units_key, scale_key, up_key, facing_key;  // "groom.mesh_units", ...
};

// The placement of a mesh with a head. A mesh in metres with +Y up that faces +Z, and one that is
// not recognised as a head but has a plausible size, gets the identity. Otherwise adds one line to
// the assumptions, or a warning if the evidence is weak. Fails if `settings` contradict themselves.
Result<Placement> choose_placement(const Mesh& mesh, const TriangleSubset& head,
                                   const PlacementSettings& settings, const StatedAxes& stated,
                                   const PlacementNames& names, Messages& messages);

// The placement that the scene states alone, for meshes that contain no head: unstated units are
// metres, unstated axes +Y up. Fails as choose_placement() does.
Result<Placement> stated_placement(const PlacementSettings& settings, const PlacementNames& names);

// A facing for an up axis that leaves the x axis in place where possible: +Z for +Y, -Y for +Z.
Vec3f usual_facing(Vec3f up);

}  // namespace ringlet
