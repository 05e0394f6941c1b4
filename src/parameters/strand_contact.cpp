// [strand_contact]: contact between strands.
#include "parameters/sim_tables.h"

namespace ringlet {

void declare_strand_contact(ParameterTable& table, SimSettings& settings) {
    ParameterGroup<StrandContact> contact(table.parameters, "strand_contact.",
                                          settings.strand_contact);
    contact.real("radius", &StrandContact::radius)
        .unit("m")
        .range(0, 0.05)
        .says("Radius of a strand for contact with other strands; 0: strands pass through.");
    contact.real("clump", &StrandContact::clump)
        .unit("m")
        .range(0, 1)
        .says(
            "Strands with roots in one cell of this size are a clump: one of them collides, and "
            "its contacts move all of them; 0: every strand collides.");
    contact.real("friction", &StrandContact::friction)
        .range(0, 10)
        .says("Coefficient of friction between strands.");
    contact.whole("sweeps", &StrandContact::sweeps)
        .range(1, 1000)
        .says(
            "Most iterations over all contacts per substep; dense hair and fast impacts need "
            "many.");
}

}  // namespace ringlet
