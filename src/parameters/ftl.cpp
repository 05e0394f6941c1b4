// [sim.ftl]: the follow-the-leader model.
#include "parameters/sim_tables.h"

namespace ringlet {

void declare_ftl(ParameterTable& table, SimSettings& settings) {
    ParameterGroup<FtlSettings> ftl(table.parameters, "sim.ftl.", settings.ftl);
    ftl.flag("dynamic", &FtlSettings::dynamic)
        .says(
            "Corrects velocities, so that a vertex feels the vertices after it; false: static "
            "follow the leader.");
    ftl.real("correction", &FtlSettings::correction)
        .range(0, 1)
        .says("Strength of that correction; 1: the full weight; smaller values also damp.");
    ftl.real("bend_stiffness", &FtlSettings::bend_stiffness)
        .range(0, 1)
        .says("Fraction of the way to its groomed direction that a segment is pulled in 1/480 s.");
    ftl.real("bend_damping", &FtlSettings::bend_damping)
        .unit("1/s")
        .range(0, 10000)
        .says("Damping of bending; does not damp the motion of the strand as a whole.");
    ftl.real("bend_smoothing", &FtlSettings::bend_smoothing)
        .unit("m")
        .range(0, 10)
        .says("Smoothing length of the centreline that separates curls from the overall shape.");
    ftl.flag("sag_free", &FtlSettings::sag_free)
        .says(
            "The groomed pose is the equilibrium under gravity; false: it is the shape without "
            "gravity.");
    ftl.real("mass", &FtlSettings::mass)
        .unit("kg")
        .range(1e-6, 1e6)
        .says("Mass of a vertex; only its ratio to sim.force matters.");
}

}  // namespace ringlet
