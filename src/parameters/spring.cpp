// [sim.spring]: the mass-spring model with core springs.
#include "parameters/sim_tables.h"

namespace ringlet {

namespace {

void declare_stretch_and_bend(ParameterGroup<SpringSettings>& spring) {
    spring.real("stretch_stiffness", &SpringSettings::stretch_stiffness)
        .unit("m^2/s^2")
        .range(0, 1e9)
        .says("Force that doubles a length, over the strand's mass per length.");
    spring.real("stretch_damping", &SpringSettings::stretch_damping)
        .unit("m^2/s")
        .range(0, 1e6)
        .says("Damping of stretch, over the mass per length.");
    spring.real("stretch_limit", &SpringSettings::stretch_limit)
        .range(0, 1)
        .says("Largest relative change of a segment's length, both ways.");
    spring.real("bend_stiffness", &SpringSettings::bend_stiffness)
        .unit("m^2/s^2")
        .range(0, 1e9)
        .says("How firmly segments keep their direction relative to the smoothed curve.");
    spring.real("bend_damping", &SpringSettings::bend_damping)
        .unit("m^2/s")
        .range(0, 1e6)
        .says("Damping of rotating segments; slows bouncing and swinging.");
    spring.real("bend_smoothing", &SpringSettings::bend_smoothing)
        .unit("m")
        .range(0, 1)
        .says("Smoothing length of the curve that transports those directions; longer is stiffer.");
}

void declare_core(ParameterGroup<SpringSettings>& spring) {
    spring.real("core_stiffness", &SpringSettings::core_stiffness)
        .unit("m^2/s^2")
        .range(0, 1e9)
        .says("Keeps a curl from unwinding: resists a longer core, not a shorter one.");
    spring.real("core_damping", &SpringSettings::core_damping)
        .unit("m^2/s")
        .range(0, 1e6)
        .says("Damping of a curl's length; slows its bouncing, not its swinging.");
    spring.real("core_smoothing", &SpringSettings::core_smoothing)
        .unit("m")
        .range(0, 1)
        .says("Smoothing length of the core; about one turn of the curl.");
    spring.real("line_density", &SpringSettings::line_density)
        .unit("kg/m")
        .range(1e-9, 1e3)
        .says("Mass per length; only its ratio to sim.force matters.");
    spring.whole("max_steps", &SpringSettings::max_steps)
        .range(1, 1024)
        .says(
            "Largest number of inner steps per substep; stiffer springs are softened to stay "
            "stable.");
    spring.flag("sag_free", &SpringSettings::sag_free)
        .says(
            "The groomed pose is the equilibrium under gravity; false: it is the shape without "
            "gravity.");
}

}  // namespace

void declare_spring(ParameterTable& table, SimSettings& settings) {
    ParameterGroup<SpringSettings> spring(table.parameters, "sim.spring.", settings.spring);
    declare_stretch_and_bend(spring);
    declare_core(spring);
}

}  // namespace ringlet
