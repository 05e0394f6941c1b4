// [fur]: a coat of fur on groom.mesh.
#include "scene/parameters/declarations.h"

namespace ringlet {

namespace {

void declare_coat(ParameterGroup<FurSettings>& fur) {
    fur.choice("style", &FurSettings::style)
        .says(
            "Fur on groom.mesh: the course assignment's shells, shells with a stable integrator, "
            "or the same coat grown as strands.");
    fur.whole("shells", &FurSettings::shells).range(2, 256).says("Layers drawn over the skin.");
    fur.real("unit", &FurSettings::unit)
        .unit("m")
        .range(0, 1000)
        .says("Length of one unit in this table; 0: the RMS radius of the mesh.");
    fur.real("length", &FurSettings::length)
        .unit("units")
        .range(0.001, 10)
        .says("Length of the fur, multiplied by groom.length_image.");
    fur.real("density", &FurSettings::density)
        .range(0.05, 10)
        .says("Strands per length along the skin, relative; 2: four times as many per area.");
    fur.real("thickness", &FurSettings::thickness)
        .range(0.05, 1)
        .says("Radius of a strand at the skin over the side of the cell that holds one strand.");
}

void declare_motion(ParameterGroup<FurSettings>& fur) {
    fur.real("stiffness", &FurSettings::stiffness)
        .unit("1/s^2")
        .range(0, 1e6)
        .says("Acceleration towards the rest position per distance from it.");
    fur.real("damping", &FurSettings::damping)
        .range(0, 1)
        .says("Fraction of the speed kept in a step; style shells: in 0.02 s, at stiffness 4.");
    fur.real("gravity", &FurSettings::gravity)
        .unit("units/s^2")
        .range(-1000, 1000)
        .says("Downward acceleration of the fur.");
    fur.real("wind", &FurSettings::wind)
        .unit("1/s")
        .range(0, 1000)
        .says("Acceleration per air speed.");
    fur.real("dt", &FurSettings::dt)
        .unit("s")
        .range(1e-5, 10)
        .says("Time step of the fur in its own time; style shells is stable for any.");
    fur.whole("steps", &FurSettings::steps)
        .range(1, 1000)
        .says("Steps of the fur per step of sim.dt.");
    fur.real("max_bend", &FurSettings::max_bend)
        .unit("degrees")
        .range(0, 120)
        .says("Largest angle between a tip and the skin's normal; style shells only.");
    fur.real("fins", &FurSettings::fins)
        .range(0, 1)
        .says(
            "Opacity of the fins that close the gaps between shells where the skin is seen edge "
            "on.");
}

}  // namespace

void declare_fur(ParameterTable& table, Scene& scene) {
    ParameterGroup<FurSettings> fur(table.parameters, "fur.", scene.fur);
    declare_coat(fur);
    declare_motion(fur);
}

}  // namespace ringlet
