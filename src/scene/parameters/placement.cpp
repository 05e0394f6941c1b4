// The units and axes of a file: groom.mesh_units, groom.file_units and so on.
#include "scene/parameters/declarations.h"

namespace ringlet {

void declare_placement(ParameterGroup<PlacementSettings> placement, const std::string& prefix,
                       const std::string& what) {
    const auto key = [&](const char* name) { return prefix + "_" + name; };
    placement.choice(key("units").c_str(), &PlacementSettings::units)
        .says("Unit of length of the " + what + "; auto: guessed, metres where plausible.");
    placement.real(key("scale").c_str(), &PlacementSettings::scale)
        .unit("m")
        .range(0, 1e6)
        .says("Metres per unit of the " + what + "; 0: by " + key("units") + ".");
    placement.choice(key("up").c_str(), &PlacementSettings::up)
        .says("Axis of the " + what + " that points up; auto: guessed.");
    placement.choice(key("facing").c_str(), &PlacementSettings::facing)
        .says("Axis of the " + what + " that the face looks along; auto: guessed.");
    placement.vector(key("rotate").c_str(), &PlacementSettings::rotate_degrees)
        .unit("degrees")
        .range(-36000, 36000)
        .says("Rotation of the " + what + " once upright: about x, then y, then z.");
    placement.vector(key("offset").c_str(), &PlacementSettings::offset)
        .unit("m")
        .range(-1000, 1000)
        .says("Shift of the " + what + " after scale and rotation.");
}

}  // namespace ringlet
