#include "validate/check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ringlet {

Simulation CheckRun::simulation(const StrandSet& rest, const SimSettings& settings, World world,
                                std::uint32_t seed) const {
    return Simulation(rest, settings, std::move(world), seed, LaneKind::automatic, 0,
                      backend == Backend::cuda ? std::move(*open_cuda_device()) : nullptr);
}

void CheckOutcome::compare(std::string what, double measured, double expected, double tolerance) {
    CheckRow row;
    row.what = std::move(what);
    row.measured = measured;
    row.expected = expected;
    row.error = measured / expected - 1;
    row.tolerance = tolerance;
    rows.push_back(std::move(row));
}

void CheckOutcome::bound(std::string what, double measured, double limit) {
    CheckRow row;
    row.what = std::move(what);
    row.measured = row.error = measured;
    row.tolerance = limit;
    rows.push_back(std::move(row));
}

void CheckOutcome::show(std::string what, double measured) {
    CheckRow row;
    row.what = std::move(what);
    row.measured = measured;
    row.expected = row.error = row.tolerance = kNone;
    rows.push_back(std::move(row));
}

void CheckOutcome::skip() { show("not measured", kNone); }

std::vector<Check> all_checks() {
    std::vector<Check> out;
    for (const auto family :
         {static_checks(), stability_checks(), contact_checks(), dynamic_checks(), energy_checks(),
          convergence_checks(), invariant_checks(), robustness_checks()})
        out.insert(out.end(), family.begin(), family.end());
    return out;
}

std::string named(const char* word, double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%s %g", word, value);
    return text;
}

PlotCurve measured_curve(const CheckRun& run, bool is_line) {
    PlotCurve out;
    out.label = run.profile.model;
    out.is_line = is_line;
    out.colour = run.profile.index;
    return out;
}

PlotCurve theory_curve(std::string label) {
    PlotCurve out;
    out.label = std::move(label);
    out.is_theory = out.is_line = true;
    return out;
}

void add_sample(PlotCurve& curve, int step, int steps, double x, double y) {
    if (step % std::max(1, steps / 300) == 0) curve.points.push_back({x, y});
}

}  // namespace ringlet
