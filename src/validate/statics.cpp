// Checks of static equilibria.
#include <algorithm>

#include "validate/check.h"
#include "validate/lab.h"
#include "validate/reference.h"

namespace ringlet {

namespace {

using namespace lab;

constexpr int kSegments = 32;
constexpr int kStepRates[] = {60, 240, 960};  // 1/s
using Lines = std::vector<std::vector<Vec3f>>;

Vec3d tip_of(const Simulation& simulation, int strand) {
    const int last = simulation.state().x.layout().vertex_count(strand) - 1;
    return wide(simulation.state().x.vec3(strand, last));
}

void damp_to_rest(SimSettings& settings) {
    settings.damping = 6;
    settings.rod.damping = 0.02f;
}

// Drop over reach of horizontally clamped strands at rest.
std::vector<double> droops(const CheckRun& run, SimSettings settings,
                           std::span<const double> lengths, int segments) {
    damp_to_rest(settings);
    Lines lines;
    for (const double length : lengths)
        lines.push_back(
            straight_line({0, 0, 0}, {1, 0, 0}, static_cast<float>(length), segments + 1));
    Simulation simulation = run.simulation(strands_of(lines), settings);
    lab::run(simulation, 6, run.pool);
    std::vector<double> out;
    for (int s = 0; s < static_cast<int>(lines.size()); ++s) {
        const Vec3d tip = tip_of(simulation, s);
        out.push_back(-tip.y / tip.x);
    }
    return out;
}

Plot cantilever_plot(const CheckRun& run) {
    Plot plot;
    plot.name = "cantilever";
    plot.title = "Droop of a horizontally clamped strand and the heavy elastica";
    plot.x_label = "Gamma = rho g A L^3 / EI";
    plot.y_label = "drop / reach";
    plot.log_x = plot.log_y = true;
    plot.curves = {theory_curve("elastica"), measured_curve(run)};
    for (const ElasticaRow& row : kElastica)
        plot.curves[0].points.push_back({row.gamma, row.continuum});
    return plot;
}

// A model without EI: its droop is shown, but not compared.
CheckOutcome show_cantilever(const CheckRun& run) {
    CheckOutcome out;
    const double length = 0.1;
    for (const int rate : kStepRates) {
        SimSettings settings = run.profile.stiff_settings();
        settings.dt = 1.0f / static_cast<float>(rate);
        settings.substeps = 1;
        out.show("drop/reach, dt 1/" + std::to_string(rate) + ", " + run.profile.stiff_label,
                 droops(run, settings, {&length, 1}, kSegments)[0]);
    }
    return out;
}

// Few vertices do not resolve the sharp bend at the clamp.
void compare_coarse_droops(const CheckRun& run, CheckOutcome& out) {
    std::vector<ElasticaRow> rows;
    std::vector<double> lengths;
    for (const ElasticaRow& row : kElastica) {
        if (row.gamma != 3 && row.gamma != 30 && row.gamma != 250) continue;
        rows.push_back(row);
        lengths.push_back(length_at(run.profile.settings(), row.gamma));
    }
    for (const int vertices : {8, 12, 16}) {
        const std::vector<double> found =
            droops(run, run.profile.settings(), lengths, vertices - 1);
        for (std::size_t k = 0; k < rows.size(); ++k)
            out.compare(named("drop/reach, Gamma", rows[k].gamma) + named(", vertices", vertices),
                        found[k], rows[k].continuum, 0.03);
    }
}

CheckOutcome cantilever(const CheckRun& run) {
    if (!run.profile.has_si_stiffness) return show_cantilever(run);
    CheckOutcome out;
    SimSettings settings = run.profile.settings();
    // Sets Gamma by the length, not the modulus, so that one simulation has all strands.
    std::vector<double> lengths;
    for (const ElasticaRow& row : kElastica) lengths.push_back(length_at(settings, row.gamma));
    const std::vector<double> found = droops(run, settings, lengths, kSegments);
    Plot plot = cantilever_plot(run);
    double worst = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
        const ElasticaRow& row = kElastica[k];
        plot.curves[1].points.push_back({row.gamma, found[k]});
        // Beyond Gamma 100, 32 segments do not resolve the sharp bend at the clamp: there only the
        // discrete chain is a fair reference.
        for (const double gamma : {0.1, 1.0, 10.0, 100.0})
            if (row.gamma == gamma)
                out.compare(named("drop/reach, Gamma", gamma), found[k], row.continuum, 0.01);
        if (row.discrete > 0) worst = std::max(worst, std::abs(found[k] / row.discrete - 1));
    }
    out.bound("largest difference from the chain of 32 segments", worst, 1e-3);
    compare_coarse_droops(run, out);
    out.plots = {plot};
    return out;
}

// The largest relative difference of the droops of strands between three steps.
std::vector<double> step_differences(const CheckRun& run, SimSettings settings,
                                     std::span<const double> lengths) {
    std::vector<double> least(lengths.size(), 1e30), most(lengths.size(), 0);
    for (const int rate : kStepRates) {
        settings.dt = 1.0f / static_cast<float>(rate);
        settings.substeps = 1;
        const std::vector<double> found = droops(run, settings, lengths, kSegments);
        for (std::size_t k = 0; k < found.size(); ++k) {
            least[k] = std::min(least[k], found[k]);
            most[k] = std::max(most[k], found[k]);
        }
    }
    for (std::size_t k = 0; k < most.size(); ++k) most[k] = most[k] / least[k] - 1;
    return most;
}

CheckOutcome cantilever_steps(const CheckRun& run) {
    CheckOutcome out;
    if (!run.profile.has_si_stiffness) {
        const double length = 0.1;
        out.bound(std::string("largest difference, ") + run.profile.stiff_label,
                  step_differences(run, run.profile.stiff_settings(), {&length, 1})[0], 1e-3);
        return out;
    }
    const double gammas[] = {1, 10, 100};
    std::vector<double> lengths;
    for (const double gamma : gammas) lengths.push_back(length_at(run.profile.settings(), gamma));
    const std::vector<double> found = step_differences(run, run.profile.settings(), lengths);
    for (std::size_t k = 0; k < 3; ++k)
        out.bound(named("largest difference, Gamma", gammas[k]), found[k], 1e-3);
    return out;
}

// A helix that hangs along its axis and is clamped along its tangent. Its segments, not the curve
// through its vertices, have the given length and pitch angle.
std::vector<Vec3f> pitched_helix(double length, double alpha0_degrees, int turns, int segments) {
    const double pi = static_cast<double>(kPi), alpha = alpha0_degrees * pi / 180;
    const double step = length / segments, turn = 2 * pi * turns / segments;
    const double radius = step * std::cos(alpha) / (2 * std::sin(turn / 2));
    std::vector<Vec3f> out;
    for (int i = 0; i <= segments; ++i)
        out.push_back({static_cast<float>(radius * (std::cos(turn * i) - 1)),
                       static_cast<float>(-step * i * std::sin(alpha)),
                       static_cast<float>(radius * std::sin(turn * i))});
    return out;
}

Plot helix_plot(const CheckRun& run) {
    Plot plot;
    plot.name = "hanging_helix";
    plot.title = "A helix extended by its own weight";
    plot.x_label = "W = w L / (EI (kappa0^2 + tau0^2))";
    plot.y_label = "height / length";
    plot.log_x = true;
    plot.curves = {theory_curve("theory, pitch angle 5 degrees"),
                   theory_curve("theory, 10 degrees"), theory_curve("theory, 20 degrees"),
                   measured_curve(run)};
    for (const HelixRow& row : kHelix)
        plot.curves[row.alpha0 == 5    ? 0
                    : row.alpha0 == 10 ? 1
                                       : 2]
            .points.push_back({row.w, row.height});
    return plot;
}

void set_up_helix(SimSettings& settings) {
    settings.rod.poisson_ratio = 0.45f;
    settings.damping = 4;
    settings.rod.damping = 0.01f;
}

// Height over length at rest of all helices of the table.
std::vector<double> helix_heights(const CheckRun& run, int turns, int segments_per_turn) {
    SimSettings settings = run.profile.settings();
    set_up_helix(settings);
    Lines lines;
    std::vector<double> lengths;
    for (const HelixRow& row : kHelix) {
        const double round = 2 * static_cast<double>(kPi) * turns;  // L sqrt(kappa0^2 + tau0^2)
        lengths.push_back(length_at(settings, row.w * round * round));
        lines.push_back(
            pitched_helix(lengths.back(), row.alpha0, turns, turns * segments_per_turn));
    }
    Simulation simulation = run.simulation(strands_of(lines), settings);
    lab::run(simulation, run.is_full() ? 20 : 8, run.pool);
    std::vector<double> out;
    for (std::size_t k = 0; k < lengths.size(); ++k)
        out.push_back(-tip_of(simulation, static_cast<int>(k)).y / lengths[k]);
    return out;
}

// A model without EI has no W: shows one curl with the model's own stiffness.
CheckOutcome show_helix(const CheckRun& run) {
    CheckOutcome out;
    SimSettings settings = run.profile.curly_settings();
    set_up_helix(settings);
    const double length = 0.3;
    Simulation simulation =
        run.simulation(strands_of({pitched_helix(length, 10, 10, 160)}), settings);
    lab::run(simulation, 8, run.pool);
    out.show("height, a curl of 10 degrees", -tip_of(simulation, 0).y / length);
    return out;
}

CheckOutcome hanging_helix(const CheckRun& run) {
    if (!run.profile.has_si_stiffness) return show_helix(run);
    CheckOutcome out;
    const std::vector<double> found = helix_heights(run, 10, run.is_full() ? 24 : 16);
    Plot plot = helix_plot(run);
    for (const double alpha0 : {5.0, 10.0, 20.0}) {
        std::size_t worst = 0;
        double most = -1;
        for (std::size_t k = 0; k < found.size(); ++k) {
            if (kHelix[k].alpha0 != alpha0) continue;
            const double error = std::abs(found[k] / kHelix[k].height - 1);
            if (error > most) worst = k;
            most = std::max(most, error);
            plot.curves[3].points.push_back({kHelix[k].w, found[k]});
        }
        const std::string where =
            named("height, degrees", alpha0) + named(", worst at W", kHelix[worst].w);
        out.compare(where, found[worst], kHelix[worst].height, 0.02);
    }
    out.plots = {plot};
    return out;
}

// Both ends held at the same height; two straight halves that fall into a catenary.
std::vector<Vec3f> slack_line(double length, double distance, int segments) {
    const double half = length / 2, down = std::sqrt(half * half - distance * distance / 4);
    std::vector<Vec3f> out;
    for (int i = 0; i <= segments; ++i) {
        const double s = static_cast<double>(i) / segments;
        const double depth = (s < 0.5 ? s : 1 - s) * 2 * down;
        out.push_back({static_cast<float>(s * distance), static_cast<float>(-depth), 0});
    }
    return out;
}

CheckOutcome catenary(const CheckRun& run) {
    CheckOutcome out;
    SimSettings settings = run.profile.limp_settings();
    settings.hold_tips = true;
    settings.clamp_root = false;
    damp_to_rest(settings);
    const double length = 0.3;
    Lines lines;
    for (const CatenaryRow& row : kCatenary)
        lines.push_back(slack_line(length, row.distance * length, kSegments));
    Simulation simulation = run.simulation(strands_of(lines), settings);
    lab::run(simulation, 8, run.pool);
    Plot plot;
    plot.name = "catenary";
    plot.title = "Sag of a strand held at both ends";
    plot.x_label = "distance of the ends / length";
    plot.y_label = "sag / length";
    plot.curves = {theory_curve("catenary"), measured_curve(run)};
    for (std::size_t k = 0; k < lines.size(); ++k) {
        double sag = 0;
        for (int i = 0; i <= kSegments; ++i)
            sag =
                std::max(sag, -wide(simulation.state().x.vec3(static_cast<int>(k), i)).y / length);
        const CatenaryRow& row = kCatenary[k];
        plot.curves[0].points.push_back({row.distance, row.sag});
        plot.curves[1].points.push_back({row.distance, sag});
        if (row.distance == 0.2 || row.distance == 0.5 || row.distance == 0.8)
            out.compare(named("sag/L at d/L", row.distance), sag, row.sag, 0.005);
    }
    out.plots = {plot};
    return out;
}

constexpr Check kStaticChecks[] = {
    {"cantilever",
     "A horizontally clamped strand of 33 vertices (where stated: 8, 12 or 16) droops under its "
     "weight.",
     "heavy elastica by shooting; the chain of 32 segments by Newton's method", cantilever},
    {"cantilever_steps",
     "The same strand at rest, simulated with steps of 1/60, 1/240 and 1/960 s.",
     "the droop does not depend on the step", cantilever_steps},
    {"hanging_helix",
     "Helices of 10 turns (full: 24 segments per turn, quick: 16) with pitch angles of 5, 10 and "
     "20 "
     "degrees hang and are extended by their weight.",
     "slender-helix theory, which neglects the ends: 0.3 to 1.3 % too high at 6 to 20 turns",
     hanging_helix},
    {"catenary", "A limp strand of 32 segments, held at both ends, comes to rest.", "catenary",
     catenary},
};

}  // namespace

std::span<const Check> static_checks() { return kStaticChecks; }

}  // namespace ringlet
