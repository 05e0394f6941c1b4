#include "validate/profile.h"

#include <cmath>

#include "sim/models/registry.h"

namespace ringlet {

namespace {

void do_nothing(SimSettings&) {}

// 1 in the middle, a thousand times less or more at the ends.
float six_decades(float along) { return std::pow(10.0f, 6 * along - 3); }

Profile profile_pbd() {
    Profile out;
    out.model = "pbd";
    out.dial = "bend_stiffness 0.2";
    out.make_stiff = [](SimSettings& settings) { settings.pbd.bend_stiffness = 0.2f; };
    out.make_curly = [](SimSettings& settings) {
        settings.pbd.pairs = {{PairReach::along, 2, 0, 0.8f},
                              {PairReach::along, 5, 0, 0.5f},
                              {PairReach::ends, 2, 0, 0.3f}};
        settings.pbd.bend_stiffness = 0.5f;
    };
    out.set_effort = [](SimSettings& settings, int n) { settings.iterations = n; };
    out.set_stiffness = [](SimSettings& settings, float along) {  // at most 1
        settings.pbd.bend_stiffness = six_decades(along) / 1000;
        settings.pbd.pairs = {{PairReach::along, 2, 0, six_decades(along) / 1000}};
    };
    return out;
}

Profile profile_ftl() {
    Profile out;
    out.model = "ftl";
    out.dial = "bend_stiffness 0.2";
    out.prepare = [](SimSettings& settings) { settings.ftl.sag_free = false; };
    out.make_limp = [](SimSettings& settings) {
        settings.ftl.bend_stiffness = 0;
        settings.ftl.correction = 1;  // all the weight below: stable without stiffness
    };
    out.make_stiff = [](SimSettings& settings) { settings.ftl.bend_stiffness = 0.2f; };
    out.make_sag_free = [](SimSettings& settings) { settings.ftl.sag_free = true; };
    out.set_effort = [](SimSettings&, int) {};  // always one pass
    out.set_stiffness = [](SimSettings& settings, float along) {
        settings.ftl.bend_stiffness = six_decades(along) / 1000;
    };
    return out;
}

Profile profile_spring() {
    Profile out;
    out.model = "spring";
    out.end_mass = 0.5;
    out.stretch_stiffness = static_cast<double>(SpringSettings{}.stretch_stiffness);
    out.dial = "as it comes";
    out.prepare = [](SimSettings& settings) { settings.spring.sag_free = false; };
    out.make_limp = [](SimSettings& settings) {
        settings.spring.bend_stiffness = settings.spring.bend_damping = 0;
        settings.spring.core_stiffness = settings.spring.core_damping = 0;
    };
    out.make_sag_free = [](SimSettings& settings) { settings.spring.sag_free = true; };
    out.set_effort = [](SimSettings& settings, int n) { settings.spring.max_steps = n; };
    out.efforts[0] = 16;
    out.efforts[1] = 64;
    out.efforts[2] = 128;
    out.set_stiffness = [](SimSettings& settings, float along) {
        settings.spring.bend_stiffness *= six_decades(along);
        settings.spring.core_stiffness *= six_decades(along);
    };
    return out;
}

Profile profile_rod() {
    Profile out;
    out.model = "rod";
    out.end_mass = 0.5;
    out.has_si_stiffness = true;
    out.dial = "hair";
    out.prepare = [](SimSettings& settings) {
        settings.substeps = 2;
        settings.rod.sag_free = false;
    };
    out.make_limp = [](SimSettings& settings) { settings.rod.youngs_modulus = 1; };
    out.make_sag_free = [](SimSettings& settings) { settings.rod.sag_free = true; };
    out.set_effort = [](SimSettings& settings, int n) { settings.rod.solves = n; };
    out.set_stiffness = [](SimSettings& settings, float along) {
        settings.rod.youngs_modulus *= six_decades(along);
    };
    out.efforts[0] = 1;
    out.efforts[1] = 2;
    out.efforts[2] = 3;
    return out;
}

}  // namespace

SimSettings Profile::settings() const {
    SimSettings out;
    out.model = index;
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
    const Profile known[] = {profile_pbd(), profile_ftl(), profile_spring(), profile_rod()};
    std::vector<Profile> out;
    for (std::size_t k = 0; k < all_models().size(); ++k) {
        Profile profile;
        profile.model = all_models()[k].name;
        for (const Profile& one : known)
            if (one.model == profile.model) profile = one;
        profile.index = static_cast<int>(k);
        for (auto* set : {&profile.prepare, &profile.make_limp, &profile.make_stiff,
                          &profile.make_curly, &profile.make_sag_free})
            if (!*set) *set = do_nothing;
        if (!profile.set_effort)
            profile.set_effort = [](SimSettings& settings, int n) { settings.iterations = n; };
        if (!profile.set_stiffness) profile.set_stiffness = [](SimSettings&, float) {};
        out.push_back(profile);
    }
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
