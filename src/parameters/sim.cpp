// [sim]: settings of all models, and the parameters that models declare themselves.
#include "parameters/sim_tables.h"
#include "sim/models/registry.h"
#include "sim/setting_words.h"

namespace ringlet {

namespace {

Choice model_choice(SimSettings& sim) {
    std::vector<std::string> names;
    for (const ModelEntry& model : all_models()) names.emplace_back(model.name);
    return {std::move(names), [&sim] { return sim.model; }, [&sim](int k) { sim.model = k; }};
}

void declare_time_and_forces(ParameterGroup<SimSettings>& sim) {
    sim.real("dt", &SimSettings::dt).unit("s").range(1e-5, 0.1).says("Time step.");
    sim.whole("substeps", &SimSettings::substeps)
        .range(1, 1000)
        .says("Substeps per step; usual, and auto in a scene: 2 for rod, 8 for the other models.");
    sim.whole("iterations", &SimSettings::iterations)
        .range(1, 1000)
        .says("Passes over all constraints per substep.");
    sim.vector("gravity", &SimSettings::gravity)
        .unit("m/s^2")
        .range(-1000, 1000)
        .says("Acceleration by gravity.");
    sim.vector("force", &SimSettings::force)
        .unit("N")
        .range(-1000, 1000)
        .says("Force on every vertex; lighter strands accelerate more.");
    sim.choice("drag", &SimSettings::drag)
        .says(
            "Drag of the air. simple: the rates damping and damping_along. slender_body: that of a "
            "thin cylinder of radius and density sim.rod.radius and sim.rod.density, with every "
            "model.");
    sim.real("damping", &SimSettings::damping)
        .unit("1/s")
        .range(0, 1000)
        .says("Rate at which simple drag brings the velocity of strands to that of the air.");
    sim.real("damping_along", &SimSettings::damping_along)
        .range(0, 1)
        .says("Damping along a strand over damping across it; about 0.5 for thin fibres.");
    sim.real("follow_head", &SimSettings::follow_head)
        .range(0, 1)
        .says("Fraction of the head's motion that moves the hair rigidly; 1: no inertia from it.");
    sim.real("follow_head_above", &SimSettings::follow_head_above)
        .unit("m/s")
        .range(0.1, 1e6)
        .says("Speed of the roots above which the excess motion moves the hair rigidly (jumps).");
}

void declare_contact(ParameterGroup<SimSettings>& sim) {
    sim.real("collision_radius", &SimSettings::collision_radius)
        .unit("m")
        .range(0, 0.1)
        .says("Distance kept between hair and colliders.");
    sim.real("keep_gap", &SimSettings::keep_gap)
        .unit("m")
        .range(0, 0.1)
        .says(
            "Upper limit of the groomed distance to colliders that is kept; it stands for the "
            "hair underneath.");
    sim.choice("keep_style", &SimSettings::keep_style)
        .says(
            "Grooms that stay as they are while the head is still, with every model: imported "
            "ones, always or never.");
    sim.choice("contact", &SimSettings::contact)
        .says(
            "Contact with colliders: project resolves it exactly and with friction, penalty "
            "applies a soft force.");
    sim.real("penalty_stiffness", &SimSettings::penalty_stiffness)
        .unit("1/s^2")
        .range(0, 1e7)
        .says("Acceleration of the penalty force per depth.");
    sim.flag("hold_roots", &SimSettings::hold_roots)
        .says("Roots follow the head; false: strands are free.");
    sim.flag("hold_tips", &SimSettings::hold_tips)
        .says("Tips follow the head too, for loops, cords and threads between two points.");
    sim.flag("clamp_root", &SimSettings::clamp_root)
        .says("The head also holds the direction of a strand at its root.");
}

}  // namespace

void declare_sim(ParameterTable& table, SimSettings& settings) {
    ParameterGroup<SimSettings> sim(table.parameters, "sim.", settings);
    sim.choice("model", model_choice(settings)).says("Model that moves the strands.");
    declare_time_and_forces(sim);
    declare_contact(sim);
}

void declare_other_models(ParameterTable& table, SimSettings& settings) {
    for (const ModelEntry& model : all_models())
        for (const ModelParameter& p : model.parameters) {
            Target value = std::visit([](auto* v) -> Target { return v; }, p.value(settings));
            table.parameters.push_back({std::string("sim.") + model.name + "." + p.key,
                                        std::move(value), p.low, p.high, p.unit, p.sentence});
        }
}

}  // namespace ringlet
