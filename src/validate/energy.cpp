// Checks of energy: a strand that is released horizontally, and a pendulum over many periods.
#include <algorithm>

#include "validate/swings.h"

namespace ringlet {

namespace {

using namespace lab;

constexpr double kGravity = 9.81;
constexpr double kLasting = 0.5;  // s

// The energy of a strand of equal segments, straight along +x at rest, over its weight times its
// length. `stiffness` is EI/(rho A); a model without it has no bending energy.
class StrandEnergy {
public:
    StrandEnergy(const Profile& profile, int segments, double length, double stiffness)
        : end_mass_(profile.end_mass),
          has_inertia_(profile.has_si_stiffness),
          segments_(segments),
          length_(length),
          stiffness_(stiffness),
          stretch_(profile.stretch_stiffness) {}

    double operator()(const SimState& state) const {
        const double l = length_ / segments_;
        double energy = 0, weight = 0;
        Vec3d before{1, 0, 0};
        for (int i = 0; i < segments_; ++i) {
            const double mass = l * (i + 1 == segments_ ? end_mass_ : 1);
            const Vec3d x = wide(state.x.vec3(0, i + 1)), v = wide(state.v.vec3(0, i + 1));
            energy += mass * (0.5 * dot(v, v) + kGravity * x.y);
            weight += mass * kGravity;
            const Vec3d d = (x - wide(state.x.vec3(0, i))) * (1 / l);
            const Vec3d turning = cross(d, v - wide(state.v.vec3(0, i))) * (1 / l);
            if (has_inertia_) energy += 0.5 * (l * l * l / 12) * dot(turning, turning);
            const double longer = norm(d) - 1;
            energy += 0.5 * stretch_ * l * longer * longer;
            const double bend = std::atan2(norm(cross(before, d)), dot(before, d));
            energy += 0.5 * stiffness_ / (i == 0 ? l / 2 : l) * bend * bend;
            before = d;
        }
        return energy / (weight * length_);
    }

private:
    static double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
    double end_mass_;
    bool has_inertia_;
    int segments_;
    double length_, stiffness_, stretch_;
};

// A strand that is released horizontally.
struct EnergyCase {
    const char* name;
    SimSettings settings;
    double length;     // m
    double stiffness;  // EI/(rho A), m^4/s^2
    int segments = 32;
};

// The energy at the start and after each step.
std::vector<double> energies(const CheckRun& run, const EnergyCase& swing, double seconds) {
    const StrandEnergy energy(run.profile, swing.segments, swing.length, swing.stiffness);
    Simulation simulation = run.simulation(
        strands_of({straight_line({0, 0, 0}, {1, 0, 0}, static_cast<float>(swing.length),
                                  swing.segments + 1)}),
        swing.settings);
    std::vector<double> out = {energy(simulation.state())};
    const Series samples = record(simulation, seconds, run.pool,
                                  [&](const Simulation& now, int) { return energy(now.state()); });
    out.insert(out.end(), samples[0].begin(), samples[0].end());
    return out;
}

// The largest rise above the smallest energy before it, of the least energy within `steps` after
// it. With 0 steps a rise counts however soon it is returned.
double largest_rise(std::span<const double> energy, std::size_t steps) {
    double least = energy[0], rise = 0;
    for (std::size_t k = 0; k + steps < energy.size(); ++k) {
        const auto from = energy.begin() + static_cast<std::ptrdiff_t>(k);
        const double kept = *std::min_element(from, from + static_cast<std::ptrdiff_t>(steps) + 1);
        rise = std::max(rise, kept - least);
        least = std::min(least, energy[k]);
    }
    return rise;
}

PlotCurve energy_curve(const CheckRun& run, const EnergyCase& swing,
                       std::span<const double> energy) {
    PlotCurve out = measured_curve(run, true);
    out.label += std::string(", ") + swing.name;
    const int steps = static_cast<int>(energy.size());
    for (int k = 0; k < steps; ++k)
        add_sample(out, k, steps, k * static_cast<double>(swing.settings.dt),
                   energy[static_cast<std::size_t>(k)]);
    return out;
}

CheckOutcome energy(const CheckRun& run) {
    CheckOutcome out;
    Plot plot;
    plot.name = "energy";
    plot.title = "Energy of a strand released horizontally, without drag";
    plot.x_label = "time, s";
    plot.y_label = "energy / (weight x length)";
    SimSettings limp = run.profile.limp_settings();
    limp.clamp_root = false;
    SimSettings fine = limp;
    fine.dt = 1.0f / 960;
    fine.substeps = 2;
    std::vector<EnergyCase> swings = {{"limp, dt 1/60", limp, 0.3, 0},
                                      {"limp, dt 1/960", fine, 0.3, 0}};
    std::vector<int> colours = {run.profile.index, run.profile.index + 4};
    if (run.profile.has_si_stiffness) {
        const SimSettings hair = run.profile.settings();
        swings.push_back({"clamped hair", hair, 0.1, stiffness_over_weight(hair)});
        colours.push_back(kSecondColour);
    }
    for (std::size_t k = 0; k < swings.size(); ++k) {
        const EnergyCase& swing = swings[k];
        const std::vector<double> found = energies(run, swing, run.is_full() ? 10 : 4);
        const double dt = static_cast<double>(swing.settings.dt);
        const double most = *std::max_element(found.begin(), found.end());
        const std::string name = swing.name;
        out.bound(name + ": above its start", std::max(0.0, most - found[0]), 1e-4);
        out.bound(name + ": largest rise", largest_rise(found, 0), 0.02);
        out.bound(name + ": largest rise that lasts 0.5 s",
                  largest_rise(found, static_cast<std::size_t>(std::lround(kLasting / dt))), 5e-4);
        plot.curves.push_back(energy_curve(run, swing, found));
        plot.curves.back().colour = colours[k];
    }
    out.plots = {plot};
    return out;
}

// The pendulum falls from the horizontal, so its energy is 0 at the start. At rest it is that of
// its centre of mass.
CheckOutcome pendulum_energy(const CheckRun& run) {
    CheckOutcome out;
    EnergyCase swing = {"pendulum", at_usual_step(run.profile.settings()), 0.3, 0, 1};
    swing.settings.clamp_root = false;
    double at_rest = -1;
    if (run.profile.has_si_stiffness) {
        swing.segments = 32;
        at_rest = -0.5;
        set_gamma(swing.settings, 0.01, swing.length);
    }
    const std::vector<double> found = energies(run, swing, 20);
    const double most = *std::max_element(found.begin(), found.end());
    out.bound("above its start", std::max(0.0, most), 1e-4);
    // The mean over the last period of 0.9 to 1.3 s.
    double last = 0;
    for (std::size_t k = found.size() - 60; k < found.size(); ++k) last += found[k] / 60;
    out.bound("lost in 20 s, of its energy above rest", last / at_rest, 0.1);
    return out;
}

constexpr Check kEnergyChecks[] = {
    {"energy",
     "A strand of 32 segments is released horizontally, without drag, and cracks like a whip: a "
     "limp one of 0.3 m with usual and with small steps, and (rod) a clamped hair of 0.1 m, "
     "including its bending energy.",
     "energy, over weight times length, never exceeds that of the start; a rise above its smallest "
     "value so far is at most 0.02 and does not last",
     energy},
    {"pendulum_energy",
     "A single segment (rod: 32 segments too stiff to bend) swings for 20 s from the horizontal, "
     "with steps of 1/60 s and without drag.",
     "it keeps its energy", pendulum_energy},
};

}  // namespace

std::span<const Check> energy_checks() { return kEnergyChecks; }

}  // namespace ringlet
