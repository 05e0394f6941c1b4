// Checks of motion: the frequencies of chains, pendulums and beams, and how they decay.
#include "validate/reference.h"
#include "validate/swings.h"

namespace ringlet {

namespace {

using namespace lab;

constexpr double kTau = 2 * static_cast<double>(kPi);

CheckOutcome hanging_chain(const CheckRun& run) {
    CheckOutcome out;
    Plot plot;
    plot.name = "hanging_chain";
    plot.title = "Frequencies of a hanging strand of 32 segments";
    plot.x_label = "mode";
    plot.y_label = "omega sqrt(L/g)";
    plot.curves = {theory_curve("continuous chain"), measured_curve(run)};
    const DiscreteChainRow& chain = kDiscreteChain[2];
    for (std::size_t mode = 0; mode < 3; ++mode) {
        const double expected =
            run.profile.end_mass < 1 ? chain.half_tip[mode] : chain.full_tip[mode];
        const double found = chain_frequency(run, chain.segments, expected, 1.0 / 1920);
        const double number = static_cast<double>(mode + 1);
        out.compare(named("mode", number), found, expected, mode == 0 ? 0.005 : 0.01);
        plot.curves[0].points.push_back({number, kChain[mode]});
        plot.curves[1].points.push_back({number, found});
    }
    out.plots = {plot};
    return out;
}

// Period of a pendulum over that of small oscillations: 1/AGM(1, cos(amplitude/2)).
double period_ratio(double amplitude) {
    double a = 1, b = std::cos(amplitude / 2);
    for (int k = 0; k < 10; ++k) {
        const double mean = (a + b) / 2;
        b = std::sqrt(a * b);
        a = mean;
    }
    return 1 / a;
}

// A strand that swings as a rigid body: a rod too stiff to bend, or a single segment with all its
// mass at the end.
struct PendulumSetup {
    SimSettings settings;
    int segments = 1;
    double small_period = 0;  // s
    double length = 0.3;      // m
};

PendulumSetup pendulum_setup(const CheckRun& run) {
    PendulumSetup out;
    out.settings = run.profile.settings();
    out.settings.clamp_root = false;
    out.settings.dt = 1.0f / 7680;
    out.settings.substeps = 1;
    out.small_period = kTau * std::sqrt(out.length / 9.81);
    if (run.profile.has_si_stiffness) {
        out.segments = 32;
        out.small_period *= std::sqrt(2.0 / 3);  // a uniform bar about its end
        set_gamma(out.settings, 0.01, out.length);
    }
    return out;
}

CheckOutcome pendulum(const CheckRun& run) {
    CheckOutcome out;
    const PendulumSetup setup = pendulum_setup(run);
    std::vector<std::vector<Vec3f>> lines;
    for (const PendulumRow& row : kPendulum) {
        const SinCos<float> at = sin_cos(static_cast<float>(row.degrees) * kPi / 180);
        lines.push_back(straight_line({0, 0, 0}, {at.sin, -at.cos, 0},
                                      static_cast<float>(setup.length), setup.segments + 1));
    }
    Simulation simulation = run.simulation(strands_of(lines), setup.settings);
    // A quarter period to the first crossing and one period to the next; the longest is 1.37 s.
    const Series swings =
        record(simulation, 1.8 * setup.small_period, run.pool, [&](const Simulation& now, int s) {
            return wide(now.state().x.vec3(s, setup.segments)).x;
        });
    Plot plot;
    plot.name = "pendulum";
    plot.title = "Period of a pendulum by its amplitude";
    plot.x_label = "amplitude, degrees";
    plot.y_label = "period / period of small oscillations";
    plot.curves = {theory_curve("1 / AGM(1, cos(amplitude/2))"), measured_curve(run)};
    for (double degrees = 0; degrees <= 120; degrees += 5)
        plot.curves[0].points.push_back({degrees, period_ratio(degrees * kTau / 360)});
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const PendulumRow& row = kPendulum[k];
        const double dt = static_cast<double>(setup.settings.dt);
        const double ratio = period_of(swings[k], dt, 1) / setup.small_period;
        if (row.degrees == 10 || row.degrees == 45 || row.degrees == 90)
            out.compare(named("T/T0 at", row.degrees) + " degrees", ratio, row.ratio, 0.005);
        plot.curves[1].points.push_back({row.degrees, ratio});
    }
    out.plots = {plot};
    return out;
}

// The shape of a mode of a clamped beam at s in [0, 1], with 1 at the tip; k^2 is its b.
double beam_mode(double k, double s) {
    const auto shape = [k](double at) {
        const double ratio = (std::cos(k) + std::cosh(k)) / (std::sin(k) + std::sinh(k));
        return std::cosh(k * at) - std::cos(k * at) -
               ratio * (std::sinh(k * at) - std::sin(k * at));
    };
    return shape(s) / shape(1);
}

// The samples of a clamped hair without gravity that oscillates in a mode, projected onto it; and
// the frequency (rad/s) of the continuous beam.
struct BeamSwing {
    std::vector<double> samples;
    double omega;
};
BeamSwing swing_in_mode(const CheckRun& run, SimSettings settings, std::size_t mode, double length,
                        double periods) {
    const int segments = 32;
    settings.gravity = {0, 0, 0};
    const double k = std::sqrt(kBeam[mode]);
    const double omega =
        kBeam[mode] * std::sqrt(stiffness_over_weight(settings)) / (length * length);
    Simulation simulation = run.simulation(
        strands_of({straight_line({0, 0, 0}, {1, 0, 0}, static_cast<float>(length), segments + 1)}),
        settings);
    const auto shape = [&](int i) { return beam_mode(k, static_cast<double>(i) / segments); };
    for (int i = 1; i <= segments; ++i)
        simulation.state().v.set_vec3(0, i,
                                      {0, static_cast<float>(0.01 * length * omega * shape(i)), 0});
    Series swing =
        record(simulation, periods * kTau / omega, run.pool, [&](const Simulation& now, int) {
            double sum = 0;
            for (int i = 1; i <= segments; ++i)
                sum += wide(now.state().x.vec3(0, i)).y * shape(i) * (i == segments ? 0.5 : 1);
            return sum;
        });
    return {std::move(swing[0]), omega};
}

CheckOutcome beam_modes(const CheckRun& run) {
    CheckOutcome out;
    if (!run.profile.has_si_stiffness) {
        out.skip();
        return out;
    }
    for (std::size_t mode = 0; mode < 3; ++mode) {
        const double length = 0.1;
        SimSettings settings = run.profile.settings();
        settings.substeps = 1;
        const double omega =
            kBeam[mode] * std::sqrt(stiffness_over_weight(settings)) / (length * length);
        settings.dt = static_cast<float>(kTau / omega / 1000);
        const BeamSwing swing = swing_in_mode(run, settings, mode, length, 3.9);
        const double found =
            kTau / period_of(swing.samples, static_cast<double>(settings.dt)) / omega * kBeam[mode];
        out.compare(named("omega / sqrt(EI/(rho A L^4)), mode", static_cast<double>(mode + 1)),
                    found, kBeam[mode], mode < 2 ? 0.01 : 0.02);
    }
    return out;
}

// Frequencies of 1.7, 10.6 and 29.7 Hz: a step of 1/60 s cannot resolve the third.
CheckOutcome beam_damping(const CheckRun& run) {
    CheckOutcome out;
    if (!run.profile.has_si_stiffness) {
        out.skip();
        return out;
    }
    constexpr double tolerance[] = {0.005, 0.05, 0.25}, most_damping[] = {1e-4, 0.006, 0.06};
    const double length = 0.1063;
    for (std::size_t mode = 0; mode < 3; ++mode) {
        const auto oscillation = [&](const SimSettings& settings) {
            const BeamSwing swing = swing_in_mode(run, settings, mode, length, 8);
            return oscillation_of(swing.samples, static_cast<double>(settings.dt));
        };
        const SimSettings settings = run.profile.settings();
        const Oscillation usual = oscillation(at_usual_step(settings));
        const Oscillation limit = oscillation(at_small_steps(settings));
        const auto number = static_cast<double>(mode + 1);
        out.compare(named("omega, 1/s, mode", number), usual.omega, limit.omega, tolerance[mode]);
        out.bound(named("damping ratio, mode", number), std::abs(usual.zeta), most_damping[mode]);
    }
    return out;
}

// m, a helix 0.2 m high.
struct Curl {
    float radius, pitch;
};

// The oscillation of a hanging curl about its equilibrium, by the sum of its heights, after a load
// of 5 % of its weight has been removed.
std::vector<double> bounce(const CheckRun& run, SimSettings settings, Curl curl) {
    const int vertices = 57;
    settings.damping = 1;
    Simulation simulation = run.simulation(
        strands_of({helix({-curl.radius, 0, 0}, curl.radius, curl.pitch, 0.2f, vertices)}),
        settings);
    const auto height = [](const Simulation& now, int) {
        double sum = 0;
        for (int i = 1; i < vertices; ++i) sum += wide(now.state().x.vec3(0, i)).y;
        return sum;
    };
    simulation.settle(1, run.pool);
    const double at_rest = height(simulation, 0);
    simulation.set_gravity(settings.gravity * 1.05f);
    simulation.settle(2, run.pool);
    simulation.set_gravity(settings.gravity);
    Series out = record(simulation, 1.2, run.pool, height);
    for (double& y : out[0]) y -= at_rest;
    return out[0];
}

// Decay and period are those of the limit of small steps.
void compare_bounce(CheckOutcome& out, const CheckRun& run, const SimSettings& settings, Curl curl,
                    const std::string& name) {
    const SimSettings usual = at_usual_step(settings), small = at_small_steps(settings);
    const std::vector<double> found = bounce(run, usual, curl), limit = bounce(run, small, curl);
    const double dt = static_cast<double>(usual.dt), h = static_cast<double>(small.dt);
    out.compare("decay to 1/e, s" + name, decay_of(found, dt, 0.25), decay_of(limit, h, 0.25), 0.2);
    out.compare("period, s" + name, period_of(found, dt), period_of(limit, h), 0.05);
}

// The tight curl bounces at 3.9 Hz, the open one at 5.7 Hz. Tight curls of 5 to 6 Hz do not decay
// at a single rate (docs/models/rod.md).
CheckOutcome curl_bounce(const CheckRun& run) {
    CheckOutcome out;
    constexpr Curl tight = {0.013f, 0.045f}, open = {0.008f, 0.08f};
    struct Case {
        const char* name;
        float damping, dial;
    };
    std::vector<Case> cases = {{"", 0, 0.5f}};
    if (run.profile.has_si_stiffness)
        cases = {{", damping 0", 0, 0.5f}, {", 0.5 ms, bounce dial 0", 5e-4f, 0}};
    if (run.profile.has_si_stiffness && run.is_full()) {
        cases.push_back({", 0.5 ms", 5e-4f, 0.5f});
        cases.push_back({", 0.5 ms, bounce dial 1", 5e-4f, 1});
    }
    for (const Case& one : cases) {
        SimSettings settings = run.profile.curly_settings();
        run.profile.make_sag_free(settings);
        settings.rod.sag_free_safety = 1.5f;  // little more stiffness than the curl needs to stand
        settings.rod.damping = one.damping;
        settings.rod.bounce_dial = one.dial;
        compare_bounce(out, run, settings, tight, one.name);
        if (run.profile.has_si_stiffness)
            compare_bounce(out, run, settings, open, std::string(", open curl") + one.name);
    }
    return out;
}

constexpr Check kDynamicChecks[] = {
    {"hanging_chain",
     "A limp strand of 32 segments is released in the shape of its first, second and third mode.",
     "chain of 32 segments with the mass of the model's tip (half or full)", hanging_chain},
    {"pendulum",
     "A single segment (rod: 32 segments too stiff to bend) swings from 10, 45 and 90 degrees.",
     "arithmetic-geometric mean; T0 of a point mass at the end (rod: of a bar)", pendulum},
    {"beam_modes",
     "A clamped hair of 32 segments, without gravity, is excited in its first three modes, with "
     "1000 steps per period.",
     "Euler-Bernoulli beam", beam_modes},
    {"beam_damping",
     "The same hair, with frequencies of 1.7, 10.6 and 29.7 Hz, with steps of 1/60 s.",
     "the frequency with steps of 1/960 s and 8 substeps; there is no damping", beam_damping},
    {"curl_bounce",
     "A hanging curl of 0.41 m and (rod) an open one of 0.24 m, in air, are released from a load "
     "of 5 % of their weight, with steps of 1/60 s.",
     "the same curls with steps of 1/960 s and 8 substeps", curl_bounce},
};

}  // namespace

std::span<const Check> dynamic_checks() { return kDynamicChecks; }

}  // namespace ringlet
