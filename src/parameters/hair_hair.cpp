// [hair_hair]: coupling between strands on a grid.
#include "parameters/sim_tables.h"

namespace ringlet {

void declare_hair_hair(ParameterTable& table, SimSettings& settings) {
    ParameterGroup<HairHair> coupling(table.parameters, "hair_hair.", settings.hair_hair);
    coupling.real("cell", &HairHair::cell)
        .unit("m")
        .range(0.001, 1)
        .says(
            "Cell size of the grid that couples strands: 0.01 for friction, 0.02 to 0.03 for "
            "volume, more for few strands.");
    coupling.real("friction", &HairHair::friction)
        .unit("1/s")
        .range(0, 1000)
        .says(
            "Rate at which hair of the groomed density takes on the velocity of the hair around "
            "it; 0: none.");
    coupling.real("friction_per_step", &HairHair::friction_per_step)
        .range(0, 1)
        .says("Fraction of the relative velocity that each step removes, at any density.");
    coupling.real("repulsion", &HairHair::repulsion)
        .unit("m/s^2")
        .range(0, 1000)
        .says("Acceleration of hair of the groomed density towards lower density.");
    coupling.real("repulsion_per_step", &HairHair::repulsion_per_step)
        .unit("m")
        .range(0, 0.1)
        .says("Displacement of hair towards lower density in each step, at any density.");
    coupling.real("volume", &HairHair::volume)
        .unit("m^2/s^2")
        .range(0, 1000)
        .says(
            "Stiffness of hair that is denser than groomed; its square root times the time "
            "between couplings must stay below a cell.");
    coupling.whole("couplings", &HairHair::couplings)
        .range(1, 1000)
        .says("Couplings per step; at most one per substep.");
}

}  // namespace ringlet
