// Checks of convergence in the step and in the number of segments.
#include <algorithm>

#include "validate/reference.h"
#include "validate/swings.h"

namespace ringlet {

namespace {

using namespace lab;

// Slope of log(error) against log(size), by least squares.
double order_of(std::span<const PlotPoint> errors) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    const auto n = static_cast<double>(errors.size());
    for (const PlotPoint& p : errors) {
        const double x = std::log(p.x), y = std::log(p.y);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

// The vertices of a strand released horizontally, after 0.2 s with substeps of h.
std::vector<Vec3d> fallen(const CheckRun& run, SimSettings settings, double length, double h) {
    const int segments = 16;
    settings.substeps = run.profile.order;
    settings.dt = static_cast<float>(h * settings.substeps);
    Simulation simulation = run.simulation(
        strands_of({straight_line({0, 0, 0}, {1, 0, 0}, static_cast<float>(length), segments + 1)}),
        settings);
    lab::run(simulation, 0.2, run.pool);
    std::vector<Vec3d> out;
    for (int i = 0; i <= segments; ++i) out.push_back(wide(simulation.state().x.vec3(0, i)));
    return out;
}

// Errors over the length, by the substep, relative to a run with much smaller substeps: down to an
// eighth of 1/7680 s, or to where rounding hides the second order. 0.2 s is a multiple of each
// step.
std::vector<PlotPoint> step_errors(const CheckRun& run, SimSettings settings, double length) {
    const bool is_first = run.profile.order == 1;
    if (!is_first) settings.rod.solves = 4;  // or the error of the solves hides the order
    const std::vector<Vec3d> exact =
        fallen(run, settings, length, 1.0 / (is_first ? 61440 : 30720));
    const double largest = 1.0 / (is_first ? 480 : 240);
    std::vector<PlotPoint> out;
    for (int k = 0; k < (is_first ? 5 : 4); ++k) {
        const double h = largest / (1 << k);
        const std::vector<Vec3d> found = fallen(run, settings, length, h);
        double worst = 0;
        for (std::size_t i = 0; i < found.size(); ++i)
            worst = std::max(worst, norm(found[i] - exact[i]));
        out.push_back({h, worst / length});
    }
    return out;
}

CheckOutcome step_convergence(const CheckRun& run) {
    CheckOutcome out;
    Plot plot;
    plot.name = "step_convergence";
    plot.title = "Error of a falling strand after 0.2 s";
    plot.x_label = "substep, s";
    plot.y_label = "largest error / length";
    plot.log_x = plot.log_y = true;
    const double order = run.profile.order;
    PlotCurve slope = theory_curve(order == 1 ? "first order" : "second order");
    SimSettings limp = run.profile.limp_settings();
    limp.clamp_root = false;
    PlotCurve falling = measured_curve(run);
    falling.label += ", limp";
    falling.points = step_errors(run, limp, 0.3);
    out.compare("order, a limp strand of 0.3 m", order_of(falling.points), order, 0.15);
    for (const PlotPoint& p : falling.points)
        slope.points.push_back(
            {p.x, std::pow(p.x / falling.points[0].x, order) * falling.points[0].y});
    plot.curves = {slope, falling};
    if (run.profile.has_si_stiffness) {
        PlotCurve hair = measured_curve(run);
        hair.label += ", hair of 0.1 m";
        hair.colour = kSecondColour;
        hair.points = step_errors(run, run.profile.settings(), 0.1);
        out.compare("order, a clamped hair of 0.1 m", order_of(hair.points), order, 0.15);
        plot.curves.push_back(hair);
    }
    out.plots = {plot};
    return out;
}

// Drop over reach at rest of a horizontally clamped strand with Gamma 10.
double droop_at_ten(const CheckRun& run, int segments) {
    SimSettings settings = run.profile.settings();
    settings.damping = 6;
    settings.rod.damping = 0.02f;
    const double length = length_at(settings, 10);
    Simulation simulation = run.simulation(
        strands_of({straight_line({0, 0, 0}, {1, 0, 0}, static_cast<float>(length), segments + 1)}),
        settings);
    lab::run(simulation, 6, run.pool);
    const Vec3d tip = wide(simulation.state().x.vec3(0, segments));
    return -tip.y / tip.x;
}

CheckOutcome resolution_convergence(const CheckRun& run) {
    CheckOutcome out;
    Plot plot;
    plot.name = "resolution_convergence";
    plot.title = "Error by the number of segments";
    plot.x_label = "segments";
    plot.y_label = "relative error";
    plot.log_x = plot.log_y = true;
    PlotCurve swing = measured_curve(run);
    swing.label += ", first frequency of a chain";
    for (const DiscreteChainRow& row : kDiscreteChain) {
        const double guess = run.profile.end_mass < 1 ? row.half_tip[0] : row.full_tip[0];
        const double found =
            chain_frequency(run, row.segments, guess, run.is_full() ? 1.0 / 7680 : 1.0 / 3840);
        swing.points.push_back(
            {static_cast<double>(row.segments), std::abs(found / kChain[0] - 1)});
    }
    // A tip of full mass has the mass of half a segment too much: first order.
    const double expected = run.profile.end_mass < 1 ? 2 : 1;
    out.compare("order, first frequency of a hanging chain", -order_of(swing.points), expected,
                0.15);
    plot.curves = {swing};
    if (run.profile.has_si_stiffness) {
        PlotCurve droop = measured_curve(run);
        droop.label += ", droop at Gamma 10";
        droop.colour = kSecondColour;
        // The joint at the clamp of coarser strands is corrected.
        for (const int segments : {32, 64, 128})
            droop.points.push_back({static_cast<double>(segments),
                                    std::abs(droop_at_ten(run, segments) / 1.06680232 - 1)});
        out.compare("order, droop of a cantilever at Gamma 10", -order_of(droop.points), 2, 0.15);
        plot.curves.push_back(droop);
    }
    out.plots = {plot};
    return out;
}

// The largest relative difference from the first value.
double spread(std::span<const double> values) {
    double worst = 0;
    for (const double value : values) worst = std::max(worst, std::abs(value / values[0] - 1));
    return worst;
}

// The drop of the tip over the length at rest, with the model's own stiffness.
double drop_at_rest(const CheckRun& run, int substeps, int effort) {
    SimSettings settings = run.profile.stiff_settings();
    run.profile.set_effort(settings, effort);
    settings.substeps = substeps;
    settings.damping = 4;
    settings.rod.damping = 0.02f;
    constexpr int segments = 10;
    const double length = 0.1;
    Simulation simulation = run.simulation(
        strands_of({straight_line({0, 0, 0}, {1, 0, 0}, static_cast<float>(length), segments + 1)}),
        settings);
    lab::run(simulation, 6, run.pool);
    return -wide(simulation.state().x.vec3(0, segments)).y / length;
}

CheckOutcome same_stiffness(const CheckRun& run) {
    CheckOutcome out;
    std::vector<double> by_effort, by_substeps;
    const int usual = run.profile.efforts[1];
    for (const int effort : run.profile.efforts) by_effort.push_back(drop_at_rest(run, 32, effort));
    for (const int substeps : {8, 16, 32})
        by_substeps.push_back(drop_at_rest(run, substeps, usual));
    out.bound("droop changes with iterations or solves", spread(by_effort), 1e-3);
    out.bound("droop changes with substeps, 8 to 32", spread(by_substeps), 1e-3);
    return out;
}

constexpr Check kConvergenceChecks[] = {
    {"step_convergence",
     "A strand of 16 segments is released horizontally; its position after 0.2 s, for substeps of "
     "1/480 to 1/7680 s (rod: 1/240 to 1/1920 s, in pairs, with four solves), is compared with "
     "that "
     "for much smaller ones.",
     "first order: the error halves with the step; rod: second order", step_convergence},
    {"resolution_convergence",
     "The hanging chain with 8, 16 and 32 segments and the cantilever with 32 to 128 segments are "
     "compared with the continuum.",
     "second order if the tip has half the mass of the other vertices, first order if it has all "
     "of it",
     resolution_convergence},
    {"same_stiffness",
     "The droop of a horizontally clamped strand of 10 segments and 0.1 m, with several numbers of "
     "iterations (5, 10, 40; rod: 1, 2, 3 solves) at 32 substeps, and with 8, 16 and 32 substeps.",
     "stiffness is a property of the hair, not of the solver", same_stiffness},
};

}  // namespace

std::span<const Check> convergence_checks() { return kConvergenceChecks; }

}  // namespace ringlet
