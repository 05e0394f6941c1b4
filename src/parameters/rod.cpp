// [sim.rod]: material, solver and contact of the rod model.
#include "parameters/sim_tables.h"
#include "sim/materials.h"
#include "sim/setting_words.h"

namespace ringlet {

namespace {

Choice material_choice(RodSettings& rod) {
    std::vector<std::string> names;
    for (const StrandMaterial& material : all_materials()) names.emplace_back(material.name);
    return {std::move(names), [&rod] { return rod.material; },
            [&rod](int index) { set_material(rod, index); }};
}

void declare_section(ParameterGroup<RodSettings>& rod) {
    rod.real("radius", &RodSettings::radius)
        .unit("m")
        .range(1e-6, 0.01)
        .says(
            "Radius of the cross-section, for weight and stiffness; for an ellipse, that of the "
            "circle of equal area.");
    rod.real("aspect_ratio", &RodSettings::aspect_ratio)
        .range(0.05, 1)
        .says("Minor over major axis of the cross-section; 1: round; curly hair is flatter.");
    rod.real("section_angle", &RodSettings::section_angle)
        .unit("degrees")
        .range(-180, 180)
        .says(
            "Rotation of the cross-section about the strand; at 0 a curled strand bends most "
            "easily in the direction of its curl, a straight one up and down.");
    rod.real("youngs_modulus", &RodSettings::youngs_modulus)
        .unit("Pa")
        .range(0, 1e12)
        .says("Young's modulus; human hair has 2e9 to 6e9.");
    rod.real("poisson_ratio", &RodSettings::poisson_ratio)
        .range(-0.9, 0.5)
        .says("Sets the shear modulus for twist: G = E / (2 + 2 poisson_ratio).");
    rod.real("density", &RodSettings::density)
        .unit("kg/m^3")
        .range(1, 1e5)
        .says("Density of the material; human hair has 1300.");
}

void declare_solver(ParameterGroup<RodSettings>& rod) {
    rod.choice("integrator", &RodSettings::integrator)
        .says(
            "Time integration. second_order: pairs of substeps are the stages of a second-order "
            "step, so that bounce hardly depends on the step; an odd last substep is "
            "backward_euler. backward_euler: damps oscillations in proportion to the substep.");
    rod.whole("solves", &RodSettings::solves)
        .range(1, 100)
        .says("Direct solves per substep; at least two per 1/60 s.");
    rod.whole("extra_solves", &RodSettings::extra_solves)
        .range(0, 100)
        .says(
            "Largest number of extra solves for strands that are still stretched, for example "
            "after a collision; 0 bounds the cost.");
    rod.real("damping", &RodSettings::damping)
        .unit("s")
        .range(0, 10)
        .says("Rayleigh damping of bend and twist: damping over stiffness.");
    rod.flag("sag_free", &RodSettings::sag_free)
        .says(
            "The groomed pose is the equilibrium under gravity; false: it is the shape without "
            "gravity.");
    rod.real("sag_free_safety", &RodSettings::sag_free_safety)
        .range(0, 100)
        .says(
            "Multiple of gravity that a sag-free strand must withstand without buckling; joints "
            "that could not are stiffened, as if other hair supported them. 0: never.");
}

void declare_dials(ParameterGroup<RodSettings>& rod) {
    rod.real("stiffness_dial", &RodSettings::stiffness_dial)
        .range(0, 1)
        .says("Limp 0 to wiry 1; 0.5: as the material; each end is a factor of 100.");
    rod.real("weight_dial", &RodSettings::weight_dial)
        .range(0, 1)
        .says("Light 0 to heavy 1; 0.5: as the material; each end is a factor of 3.2.");
    rod.real("bounce_dial", &RodSettings::bounce_dial)
        .range(0, 1)
        .says(
            "Strongly damped 0 to springy 1; 0.5: as the material; each end is a factor of 10 in "
            "its damping, which at 0 is at least 9 ms.");
    rod.real("contact_start", &RodSettings::contact_start)
        .range(1, 1e5)
        .says(
            "Relative stiffness of a new contact; 30 for colliders thinner than 1 cm hit at 5 "
            "m/s.");
    rod.real("contact_limit", &RodSettings::contact_limit)
        .range(1, 1e5)
        .says("Relative stiffness of a lasting contact; it doubles each substep up to this.");
}

}  // namespace

void declare_rod(ParameterTable& table, SimSettings& settings) {
    ParameterGroup<RodSettings> rod(table.parameters, "sim.rod.", settings.rod);
    rod.choice("material", material_choice(settings.rod))
        .sets_others()
        .says(
            "Material of a strand: sets radius, aspect_ratio, youngs_modulus, poisson_ratio, "
            "density and damping unless the scene sets them too.");
    declare_section(rod);
    declare_solver(rod);
    declare_dials(rod);
}

}  // namespace ringlet
