// How a model is set up for a check: which of its settings make a strand limp, stiff or curly, and
// how it shares mass out to vertices. One entry per model in profile.cpp.
#pragma once

#include "sim/simulation.h"

namespace ringlet {

struct Profile {
    std::string_view model;
    int index = 0;  // into all_models()
    // Weight of a strand's end vertices over that of the others: half where a vertex weighs half of
    // its segments, 1 where all weigh the same.
    double end_mass = 1;
    // Whether it has a bending stiffness EI in N m^2, through sim.rod's radius, modulus, density.
    bool has_si_stiffness = false;
    // Of springs along the strand, m^2/s^2 (N per kg/m); 0 where lengths are constraints.
    double stretch_stiffness = 0;
    const char* dial = "";                       // what make_stiff sets, in words
    void (*prepare)(SimSettings&) = nullptr;     // what every check wants of this model
    void (*make_limp)(SimSettings&) = nullptr;   // no bending stiffness
    void (*make_stiff)(SimSettings&) = nullptr;  // some, by the model's own dial
    void (*make_curly)(SimSettings&) = nullptr;  // keeps the curl it was groomed with
    // The groomed pose is made the equilibrium under gravity, in a model that can.
    void (*make_sag_free)(SimSettings&) = nullptr;
    void (*set_effort)(SimSettings&, int) = nullptr;       // iterations or solves per substep
    int efforts[3] = {5, 10, 40};                          // that should give the same stiffness
    void (*set_stiffness)(SimSettings&, float) = nullptr;  // from 0 to 1 over six decades

    // No drag, no chance; the model's usual substeps.
    SimSettings settings() const;
    SimSettings limp_settings() const;
    SimSettings stiff_settings() const;
    SimSettings curly_settings() const;
};

// Of every model, in the order of all_models(). A model without an entry gets a plain one.
std::vector<Profile> all_profiles();

// Gamma = rho g A L^3 / EI = 4 rho g L^3 / (E r^2), by the modulus or by the length.
void set_gamma(SimSettings& settings, double gamma, double length);
double length_at(const SimSettings& settings, double gamma);
// EI / (rho A), m^4/s^2.
double stiffness_over_weight(const SimSettings& settings);

}  // namespace ringlet
