#include "session/validation/whole_scene_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "session/live/session_impl.h"

namespace ringlet {

namespace {

// The positions of the scene `curls` after 4 s; empty, which fails the check, if it cannot be
// opened.
std::vector<float> curls_after_4_s(const CheckRun& run, int steps_per_second, int substeps) {
    SessionOptions options;
    options.overrides = {
        fmt::format("sim.model=\"{}\"", run.profile.model),
        fmt::format("sim.dt={}", 1.0 / steps_per_second), fmt::format("sim.substeps={}", substeps),
        fmt::format("groom.strands={}", run.is_full() ? 640 : 20), "sim.rod.solves=1",
        // pbd keeps the style only with these.
        "sim.pbd.shape_stiffness=0.1", "sim.pbd.shape_reach=0.6"};
    options.threads = 1;  // the checks themselves run in parallel
    options.backend = run.backend;
    Result<Session> session = Session::open("curls", options);
    if (!session) return {};
    for (int k = 0; k < 4 * steps_per_second; ++k) session->impl().step();
    return session->positions();
}

CheckOutcome scene_steps(const CheckRun& run) {
    CheckOutcome out;
    const std::vector<float> usual = curls_after_4_s(run, 60, run.profile.settings().substeps);
    const std::vector<float> small = curls_after_4_s(run, 480, 8);
    const bool are_comparable = !usual.empty() && usual.size() == small.size();
    double sum = are_comparable ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; are_comparable && k + 2 < usual.size(); k += 3)
        sum += static_cast<double>(std::hypot(usual[k] - small[k], usual[k + 1] - small[k + 1],
                                              usual[k + 2] - small[k + 2]));
    // The more strands, the less a few of them that swing far contribute.
    out.bound("mean distance after 4 s, mm",
              3000 * sum / std::max(1.0, static_cast<double>(usual.size())),
              run.is_full() ? 1.2 : 2);
    return out;
}

constexpr Check kChecks[] = {
    {"scene_steps",
     "640 strands (quick: 20) of the scene `curls`, whose head turns in a gust of wind, with steps "
     "of 1/60 s and the model's usual substeps (rod: 2 with one solve each).",
     "the same with steps of 1/480 s and 8 substeps", scene_steps},
};

}  // namespace

std::span<const Check> scene_checks() { return kChecks; }

}  // namespace ringlet
