// A model as the checks see it: its ModelProfile and claims, and the settings they lead to.
#pragma once

#include "sim/model_entry.h"
#include "sim/simulation.h"

namespace ringlet {

struct Profile : ModelProfile {
    std::string_view model;
    int index = 0;  // into all_models()
    std::span<const ModelClaim> claims;

    // No drag and no random variation; the model's usual substeps.
    SimSettings settings() const;
    SimSettings limp_settings() const;
    SimSettings stiff_settings() const;
    SimSettings curly_settings() const;
};

// One per model, in the order of all_models().
std::vector<Profile> all_profiles();

// Set the dimensionless weight Gamma = rho g A L^3 / EI = 4 rho g L^3 / (E r^2): by the modulus, or
// by the length that is returned (m).
void set_gamma(SimSettings& settings, double gamma, double length);
double length_at(const SimSettings& settings, double gamma);
// EI / (rho A), m^4/s^2.
double stiffness_over_weight(const SimSettings& settings);

}  // namespace ringlet
