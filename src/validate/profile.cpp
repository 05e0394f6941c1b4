#include "validate/profile.h"

#include <cmath>

#include "sim/models/registry.h"

namespace ringlet {

SimSettings Profile::settings() const {
    SimSettings out;
    out.model = index;
    out.substeps = all_models()[static_cast<std::size_t>(index)].substeps;
    out.damping = 0;
    out.pbd.mass_variation = 0;
    prepare(out);
    return out;
}

SimSettings Profile::limp_settings() const {
    SimSettings out = settings();
    make_limp(out);
    return out;
}

SimSettings Profile::stiff_settings() const {
    SimSettings out = settings();
    make_stiff(out);
    return out;
}

SimSettings Profile::curly_settings() const {
    SimSettings out = settings();
    make_curly(out);
    return out;
}

std::vector<Profile> all_profiles() {
    std::vector<Profile> out;
    for (const ModelEntry& entry : all_models())
        out.push_back({entry.profile, entry.name, static_cast<int>(out.size()), entry.claims});
    return out;
}

double stiffness_over_weight(const SimSettings& settings) {
    const double r = static_cast<double>(settings.rod.radius);
    return static_cast<double>(settings.rod.youngs_modulus) * r * r /
           (4 * static_cast<double>(settings.rod.density));
}

void set_gamma(SimSettings& settings, double gamma, double length) {
    const double wanted = 9.81 * length * length * length / gamma;
    settings.rod.youngs_modulus =
        static_cast<float>(static_cast<double>(settings.rod.youngs_modulus) * wanted /
                           stiffness_over_weight(settings));
}

double length_at(const SimSettings& settings, double gamma) {
    return std::cbrt(gamma * stiffness_over_weight(settings) / 9.81);
}

}  // namespace ringlet
