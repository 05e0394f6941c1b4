// Checks of stability: the thresholds beyond which a perturbed strand does not return.
#include <algorithm>

#include "validate/check.h"
#include "validate/lab.h"
#include "validate/reference.h"

namespace ringlet {

namespace {

using namespace lab;

using Lines = std::vector<std::vector<Vec3f>>;

// A planar arc of constant natural curvature that is clamped vertically downwards.
std::vector<Vec3f> arc(double length, double turned, int segments) {
    std::vector<Vec3f> line{{0, 0, 0}};
    for (int i = 0; i < segments; ++i) {
        const SinCos<float> at = sin_cos(static_cast<float>((i + 0.5) * turned / segments));
        line.push_back(line.back() +
                       Vec3f{at.sin, -at.cos, 0} * static_cast<float>(length / segments));
    }
    return line;
}

// The largest distance of the vertices of each strand from its initial plane or line, over its
// length.
template <class Distance>
std::vector<double> excursions(const Simulation& simulation, std::span<const double> lengths,
                               Distance distance) {
    std::vector<double> out;
    for (std::size_t s = 0; s < lengths.size(); ++s) {
        double most = 0;
        const int strand = static_cast<int>(s);
        for (int i = 0; i < simulation.state().x.layout().vertex_count(strand); ++i)
            most = std::max(most, distance(wide(simulation.state().x.vec3(strand, i))));
        out.push_back(most / lengths[s]);
    }
    return out;
}

// Velocities across the plane that grow towards the tip.
void nudge(Simulation& simulation, float speed) {
    for (int s = 0; s < simulation.state().v.layout().strand_count(); ++s) {
        const int last = simulation.state().v.layout().vertex_count(s) - 1;
        for (int i = 1; i <= last; ++i)
            simulation.state().v.set_vec3(
                s, i, {0, 0, speed * static_cast<float>(i) / static_cast<float>(last)});
    }
}

// The threshold on an ascending scale: halfway between the last strand that returns and the first
// that does not. NaN if all or none return.
double threshold_between(std::span<const double> scale, std::span<const double> excursion,
                         double limit) {
    std::size_t first = 0;
    while (first < scale.size() && excursion[first] < limit) ++first;
    if (first == 0 || first == scale.size()) return kNone;
    return 0.5 * (scale[first - 1] + scale[first]);
}

// Multiples of the threshold in steps of 1 %, offset by half a step, and farther values for the
// map.
constexpr double kScale[] = {0.6,   0.7,   0.8,   0.9,   0.945, 0.955, 0.965, 0.975,
                             0.985, 0.995, 1.005, 1.015, 1.025, 1.035, 1.045, 1.055,
                             1.1,   1.15,  1.2,   1.25,  1.3,   1.35,  1.4,   1.5};
// A strand with a larger excursion (over its length) has not returned; others end near 1e-5.
constexpr double kExcursionLimit = 0.02;

// The threshold over the expected one, from `leave(scale)`, which returns the excursions of strands
// at multiples of the expected threshold: bracketed to 1 %, and at full size to a ninth of that.
// Stores the excursions at kScale in `found`.
template <class Leave>
double find_threshold(const CheckRun& run, std::vector<double>& found, Leave leave) {
    found = leave(std::span<const double>(kScale));
    const double coarse = threshold_between(kScale, found, kExcursionLimit);
    if (!run.is_full() || std::abs(coarse - 1) > 0.05) return coarse;
    std::vector<double> fine;
    for (int k = 0; k < 10; ++k) fine.push_back(coarse - 0.005 + 0.01 * k / 9);
    return threshold_between(fine, leave(std::span<const double>(fine)), kExcursionLimit);
}

// Excursions of curved rods at multiples of the critical curvature, after a perturbation.
std::vector<double> leave_plane(const CheckRun& run, const BendTwistRow& row,
                                std::span<const double> scale) {
    constexpr int segments = 64;
    SimSettings settings = run.profile.settings();
    settings.rod.poisson_ratio = static_cast<float>(row.poisson_ratio);
    settings.rod.damping = 0.002f;
    settings.damping = 2;
    const double length = 0.3;
    set_gamma(settings, row.gamma, length);
    Lines lines;
    for (const double by : scale) lines.push_back(arc(length, by * row.critical, segments));
    Simulation simulation = run.simulation(strands_of(lines), settings);
    lab::run(simulation, 3, run.pool);
    nudge(simulation, 0.02f);
    lab::run(simulation, run.is_full() ? 30 : 15, run.pool);
    return excursions(simulation, std::vector<double>(lines.size(), length),
                      [](Vec3d x) { return std::abs(x.z); });
}

// Planar and spatial shapes, by weight and natural curvature.
Plot bend_twist_map(const CheckRun& run) {
    Plot plot;
    plot.name = "bend_twist_map";
    plot.title = "A hanging curved rod stays in its plane or leaves it (nu 0.45)";
    plot.x_label = "Gamma = rho g A L^3 / EI";
    plot.y_label = "natural curvature x length";
    plot.log_x = true;
    plot.curves = {theory_curve("threshold"), measured_curve(run), measured_curve(run)};
    plot.curves[1].label += " stays planar";
    plot.curves[1].colour = kSecondColour;
    plot.curves[2].label += " leaves its plane";
    return plot;
}

Plot bend_twist_thresholds(const CheckRun& run) {
    Plot plot;
    plot.name = "bend_twist_thresholds";
    plot.title = "Threshold of leaving the plane, for three ratios of twist to bend stiffness";
    plot.x_label = "Gamma = rho g A L^3 / EI";
    plot.y_label = "critical natural curvature x length";
    plot.log_x = true;
    plot.curves = {theory_curve("theory, nu 0"), theory_curve("theory, nu 0.3"),
                   theory_curve("theory, nu 0.45"), measured_curve(run)};
    for (const BendTwistRow& row : kBendTwist)
        plot.curves[row.poisson_ratio == 0     ? 0
                    : row.poisson_ratio == 0.3 ? 1
                                               : 2]
            .points.push_back({row.gamma, row.critical});
    return plot;
}

CheckOutcome bend_twist(const CheckRun& run) {
    CheckOutcome out;
    if (!run.profile.has_si_stiffness) {
        out.skip();
        return out;
    }
    Plot map = bend_twist_map(run), thresholds = bend_twist_thresholds(run);
    for (const BendTwistRow& row : kBendTwist) {
        const bool is_gate = row.gamma == 100;
        if (!run.is_full() && !(is_gate && row.poisson_ratio != 0.3)) continue;
        std::vector<double> found;
        const double threshold =
            row.critical * find_threshold(run, found, [&](std::span<const double> scale) {
                return leave_plane(run, row, scale);
            });
        thresholds.curves[3].points.push_back({row.gamma, threshold});
        if (is_gate || row.gamma == 20 || row.gamma == 1000)
            out.compare(named("kappa0 L, nu", row.poisson_ratio) + named(", Gamma", row.gamma),
                        threshold, row.critical, 0.03);
        if (row.poisson_ratio != 0.45) continue;
        map.curves[0].points.push_back({row.gamma, row.critical});
        for (std::size_t k = 0; k < found.size(); ++k)
            map.curves[found[k] < kExcursionLimit ? 1 : 2].points.push_back(
                {row.gamma, kScale[k] * row.critical});
    }
    if (run.is_full()) out.plots = {map, thresholds};
    return out;
}

Plot self_buckling_plot(const CheckRun& run, std::span<const double> found) {
    Plot plot;
    plot.name = "self_buckling";
    plot.title = "An upright strand stands or buckles under its own weight";
    plot.x_label = "Gamma = rho g A L^3 / EI";
    plot.y_label = "excursion / length";
    plot.curves = {theory_curve("threshold"), measured_curve(run)};
    plot.curves[0].points = {{kSelfBuckling, 0}, {kSelfBuckling, 1}};
    for (std::size_t k = 0; k < found.size(); ++k)
        plot.curves[1].points.push_back({kScale[k] * kSelfBuckling, found[k]});
    return plot;
}

// Excursions of upright strands at multiples of the critical Gamma, after a perturbation.
std::vector<double> fall(const CheckRun& run, std::span<const double> scale) {
    constexpr int segments = 32;
    SimSettings settings = run.profile.settings();
    settings.damping = 2;
    std::vector<double> lengths;
    Lines lines;
    for (const double by : scale) {
        lengths.push_back(length_at(settings, by * kSelfBuckling));
        lines.push_back(
            straight_line({0, 0, 0}, {0, 1, 0}, static_cast<float>(lengths.back()), segments + 1));
    }
    Simulation simulation = run.simulation(strands_of(lines), settings);
    nudge(simulation, 0.02f);
    lab::run(simulation, run.is_full() ? 60 : 15, run.pool);
    return excursions(simulation, lengths, [](Vec3d x) { return std::abs(x.z); });
}

CheckOutcome self_buckling(const CheckRun& run) {
    CheckOutcome out;
    if (!run.profile.has_si_stiffness) {
        out.skip();
        return out;
    }
    std::vector<double> found;
    const double threshold =
        find_threshold(run, found, [&](std::span<const double> scale) { return fall(run, scale); });
    out.compare("critical Gamma", kSelfBuckling * threshold, kSelfBuckling, 0.03);
    out.plots = {self_buckling_plot(run, found)};
    return out;
}

// Excursions of horizontal blades on edge at multiples of the critical load, after a perturbation.
// A sag-free start keeps them straight under their weight, as the theory assumes.
std::vector<double> tip_over(const CheckRun& run, std::span<const double> scale) {
    constexpr int segments = 32;
    SimSettings settings = run.profile.settings();
    settings.damping = 2;
    settings.rod.sag_free = true;
    settings.rod.sag_free_safety = 0;  // no additional stiffness
    settings.rod.aspect_ratio = 0.1f;
    settings.rod.section_angle = 90;
    // For an ellipse with the area of the circle: EI_min = EI e, J = 2 I e/(1 + e^2).
    const double e = 0.1, nu = static_cast<double>(settings.rod.poisson_ratio);
    const double weakest = stiffness_over_weight(settings) * e;
    const double geometric_mean = weakest * std::sqrt(2 / ((1 + nu) * (1 + e * e)));
    std::vector<double> lengths;
    Lines lines;
    for (const double by : scale) {
        lengths.push_back(std::cbrt(by * kLateralBuckling * geometric_mean / 9.81));
        lines.push_back(
            straight_line({0, 0, 0}, {1, 0, 0}, static_cast<float>(lengths.back()), segments + 1));
    }
    Simulation simulation = run.simulation(strands_of(lines), settings);
    nudge(simulation, 0.02f);
    lab::run(simulation, run.is_full() ? 60 : 15, run.pool);
    return excursions(simulation, lengths, [](Vec3d x) { return std::abs(x.z); });
}

CheckOutcome lateral_buckling(const CheckRun& run) {
    CheckOutcome out;
    if (!run.profile.has_si_stiffness) {
        out.skip();
        return out;
    }
    std::vector<double> found;
    const double threshold = find_threshold(
        run, found, [&](std::span<const double> scale) { return tip_over(run, scale); });
    out.compare("q L^3 / sqrt(EI_min GJ)", kLateralBuckling * threshold, kLateralBuckling, 0.03);
    return out;
}

constexpr Check kStabilityChecks[] = {
    {"bend_twist",
     "A naturally curved strand of 64 segments hangs from a vertical clamp and is perturbed out of "
     "its plane: beyond a critical curvature it does not return. Bracketed to 1 % (quick) or 0.1 % "
     "(full).",
     "linear stability of the planar shape, by shooting and a determinant", bend_twist},
    {"self_buckling",
     "An upright clamped strand of 32 segments is perturbed sideways: beyond a critical length it "
     "buckles. Bracketed to 1 % (quick) or 0.1 % (full).",
     "Greenhill: the first zero of a Bessel function", self_buckling},
    {"lateral_buckling",
     "A horizontal strand of 32 segments, whose cross section is an ellipse of 1 to 10 on edge, is "
     "perturbed sideways: beyond a critical length it buckles. Bracketed to 1 % (quick) or 0.1 % "
     "(full).",
     "Prandtl's blade under its own weight", lateral_buckling},
};

}  // namespace

std::span<const Check> stability_checks() { return kStabilityChecks; }

}  // namespace ringlet
