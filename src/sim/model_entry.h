// The description of a model: name, factory, parameters, and how the validation suite sets it
// up and judges it. Each model defines one ModelEntry in its own .cpp; models/models.def lists
// them. Plain data, so that scene, validate and the applications read it without knowing any model.
#pragma once

#include <string_view>
#include <variant>

#include "sim/model.h"

namespace ringlet {

// The arguments of a model's factory. References are valid during the call only.
struct ModelStart {
    const StrandSet& rest;  // the groom in the head's own frame
    const SimSettings& settings;
    std::span<const PlacedCollider> bodies;  // placed as at time 0
    std::uint32_t seed;
    LaneKind lanes;
    Rigidf head;      // pose at time 0
    SimState& state;  // positions are set; a model may perturb them
    const TaskPool& pool;
    // Orientation of the cross section of the segment after each vertex, in the head's own frame:
    // the first axis is the wide one, the third lies along the segment. Null: models derive it.
    const Channel<4>* frames = nullptr;
};

// A scene parameter of a model, with the key sim.<model>.<key>. A model without a struct of its own
// in SimSettings stores its values in SimSettings::model_values.
struct ModelParameter {
    using Value = std::variant<float*, int*, bool*>;
    const char* key;
    const char* unit;  // SI; empty: none
    double low, high;  // inclusive range; not used for bool
    const char* sentence;
    Value (*value)(SimSettings& settings);
};

// How the validation suite (src/validate) sets a model up.
struct ModelProfile {
    static void keep(SimSettings&) {}
    static void keep_effort(SimSettings& settings, int n) { settings.iterations = n; }
    static void keep_stiffness(SimSettings&, float) {}

    // Mass of a strand's first and last vertex over that of the others: 0.5 where a vertex has half
    // the mass of its segments, 1 where all vertices have the same mass.
    double end_mass = 1;
    // True: the bending stiffness is EI in N m^2, from radius, modulus and density of sim.rod.
    bool has_si_stiffness = false;
    // Stiffness of the springs along a strand in m^2/s^2 (N per kg/m); 0: lengths are constraints.
    double stretch_stiffness = 0;
    // Order of the time integration. A step of second order is a pair of substeps.
    int order = 1;
    const char* stiff_label = "default settings";  // what make_stiff sets, for plots
    void (*prepare)(SimSettings&) = keep;          // applied before every check
    void (*make_limp)(SimSettings&) = keep;        // removes all bending stiffness
    void (*make_stiff)(SimSettings&) = keep;       // sets some bending stiffness
    void (*make_curly)(SimSettings&) = keep;       // keeps the groomed curl
    void (*make_sag_free)(SimSettings&) = keep;    // the groomed pose becomes the equilibrium
    void (*set_effort)(SimSettings&, int) = keep_effort;  // iterations or solves per substep
    int efforts[3] = {5, 10, 40};  // values of set_effort that should give the same stiffness
    void (*set_stiffness)(SimSettings&, float) = keep_stiffness;  // 0 to 1 over six decades
};

// Marks a claim without a tolerance: the rows are measured and shown, but not judged.
inline constexpr double kExempt = -1;

// A deviation from a check of the validation suite. A model claims every row of every check with
// the check's own tolerance unless one of its claims says otherwise.
struct ModelClaim {
    std::string_view check;  // name of the check
    std::string_view reason;
    std::string_view rows = "";  // the rows whose text starts with this; empty: all rows
    double tolerance = kExempt;  // the model's own tolerance, or kExempt
};

struct ModelEntry {
    const char* name;         // as in sim.model
    const char* description;  // one line, for lists of models
    std::unique_ptr<Model> (*make)(const ModelStart& start);
    int substeps = 8;  // usual number per 1/60 s
    std::span<const ModelParameter> parameters = {};
    ModelProfile profile = {};
    std::span<const ModelClaim> claims = {};
};

}  // namespace ringlet
