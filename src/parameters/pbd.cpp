// [sim.pbd] and [[sim.pbd.pair]].
#include "parameters/sim_tables.h"
#include "sim/setting_words.h"

namespace ringlet {

namespace {

void declare_constraints(ParameterGroup<PbdSettings>& pbd) {
    pbd.real("stretch_stiffness", &PbdSettings::stretch_stiffness)
        .range(0, 1)
        .says("Stiffness of segment lengths.");
    pbd.whole("length_solves", &PbdSettings::length_solves)
        .range(0, 100)
        .says(
            "Direct solves of all lengths after the iterations if stretch_stiffness is 1; 0: only "
            "iterations.");
    pbd.real("bend_stiffness", &PbdSettings::bend_stiffness)
        .range(0, 1)
        .says("Stiffness of the angle between consecutive chunks.");
    pbd.whole("bend_chunk", &PbdSettings::bend_chunk).range(1, 1000).says("Segments per chunk.");
    pbd.real("shape_stiffness", &PbdSettings::shape_stiffness)
        .range(0, 1)
        .says(
            "Pull of a vertex to its groomed position on the head, which keeps a style in shape.");
    pbd.real("shape_reach", &PbdSettings::shape_reach)
        .range(0, 1)
        .says("Fraction of the strand, from the root, over which that pull fades to 0.");
    pbd.real("style_stiffness", &PbdSettings::style_stiffness)
        .range(0, 1000)
        .says(
            "Pull to the groomed pose where sim.keep_style applies, over that of a pendulum of "
            "the hair's length; 0: none.");
    pbd.real("stiffness_step", &PbdSettings::stiffness_step)
        .unit("s")
        .range(0, 0.1)
        .says(
            "Length of the substep for which stiffness is given; in other substeps it is rescaled "
            "so that frequency and sag stay the same. 0: not rescaled, as published.");
    pbd.choice("integrator", &PbdSettings::integrator)
        .says(
            "Time integration. backward_euler: as published; damps oscillations in proportion to "
            "the substep. second_order: pairs of substeps are the stages of a second-order step, "
            "which hardly damps; needs an even number of substeps, otherwise it is "
            "backward_euler.");
    pbd.flag("iteration_corrected", &PbdSettings::iteration_corrected)
        .says("Uses 1-(1-k)^(1/iterations), so that stiffness does not depend on iterations.");
}

void declare_mass(ParameterGroup<PbdSettings>& pbd) {
    pbd.real("mass", &PbdSettings::mass)
        .unit("kg")
        .range(1e-6, 1e6)
        .says("Mass of a vertex; only its ratio to sim.force matters.");
    pbd.real("mass_variation", &PbdSettings::mass_variation)
        .range(0, 0.99)
        .says("Relative variation of mass from strand to strand.");
    pbd.real("rigid_damping", &PbdSettings::rigid_damping)
        .unit("1/s")
        .range(0, 1000)
        .says("Damps all but a strand's rigid motion; keeps linear and angular momentum.");
    pbd.real("imperfection", &PbdSettings::imperfection)
        .range(0, 1)
        .says("Initial sideways displacement, in segments, of straight strands that must curl.");
}

void declare_pair(ParameterGroup<PbdPair> pair) {
    pair.choice("reach", &PbdPair::reach)
        .says(
            "along: every vertex with the one `span` segments on; ends: the first with the last.");
    pair.whole("span", &PbdPair::span).range(2, 4095).says("Segments between the two vertices.");
    pair.real("rest", &PbdPair::rest)
        .unit("segments")
        .range(0, 4096)
        .says("Rest distance in mean segment lengths; 0: as groomed.");
    pair.real("stiffness", &PbdPair::stiffness)
        .range(0, 1)
        .says("Fraction of the error that an iteration removes.");
}

}  // namespace

void declare_pbd(ParameterTable& table, SimSettings& settings) {
    ParameterGroup<PbdSettings> pbd(table.parameters, "sim.pbd.", settings.pbd);
    declare_constraints(pbd);
    declare_mass(pbd);
    table.lists.push_back(
        declare_list("sim.pbd.pair", settings.pbd.pairs, 8,
                     "A distance constraint between vertices that are not neighbours; it keeps "
                     "curls.",
                     declare_pair));
}

}  // namespace ringlet
