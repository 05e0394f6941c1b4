#include "validate/claims.h"

#include <cmath>
#include <string_view>

#include "validate/check.h"

namespace ringlet {

namespace {

constexpr double kExempt = -1;

// Rows of a check on a model, by how their case begins. A row that no line here speaks of is
// claimed with the check's own tolerance, so a new model promises everything until it says why not.
struct Claim {
    std::string_view model, check, rows;
    double tolerance;  // or kExempt
    std::string_view reason;
};

constexpr std::string_view kPbdStiffness =
    "its stiffness is the share of an error that is taken away at once, not a modulus in N m^2";

constexpr std::string_view kFtlStiffness =
    "its stiffness is a pull of each segment to its groomed direction, without a unit and not a "
    "moment";

constexpr std::string_view kSpringStiffness =
    "it holds segments to directions on a smoothed curve, not curvature by a moment: a hair under "
    "load is no elastica";
constexpr std::string_view kSpringLength =
    "its lengths are springs, under weight a thousandth longer, limited to 0.5 %";

constexpr Claim kClaims[] = {
    {"pbd", "cantilever", "", kExempt, kPbdStiffness},
    {"pbd", "cantilever_steps", "", kExempt,
     "a share is taken away in every substep, so more of them make stiffer hair"},
    {"pbd", "bend_twist", "", kExempt, "it has no twist"},
    {"pbd", "self_buckling", "", kExempt, kPbdStiffness},
    {"pbd", "hanging_helix", "", kExempt, kPbdStiffness},
    {"pbd", "lateral_buckling", "", kExempt, "its sections have no width, and it has no twist"},
    {"pbd", "stick_slip", "", kExempt, kPbdStiffness},
    {"pbd", "beam_modes", "", kExempt, kPbdStiffness},
    {"pbd", "same_stiffness", "droop changes with substeps", kExempt,
     "a share is taken away in every substep, so more of them make stiffer hair"},
    {"pbd", "rest_shape", "drift under gravity", kExempt,
     "it has no sag-free start: a groom that was not settled falls to where it hangs"},
    {"ftl", "cantilever", "", kExempt, kFtlStiffness},
    {"ftl", "hanging_helix", "", kExempt, kFtlStiffness},
    {"ftl", "catenary", "", kExempt,
     "a pass from the root has no second fixed end: the tip cannot be held, and the strand hangs"},
    {"ftl", "bend_twist", "", kExempt, "it has no twist"},
    {"ftl", "self_buckling", "", kExempt, kFtlStiffness},
    {"ftl", "lateral_buckling", "", kExempt, "its sections have no width, and it has no twist"},
    {"ftl", "stick_slip", "", kExempt, kFtlStiffness},
    {"ftl", "beam_modes", "", kExempt, kFtlStiffness},
    {"ftl", "energy", "", kExempt,
     "a leader feels what follows it one substep late, so energy sways instead of only falling"},
    {"ftl", "momentum", "", kExempt,
     "followers give their leaders back only a share of what they take, and of bending not all: it "
     "keeps momentum only with a correction of 1 and without stiffness"},
    {"spring", "cantilever", "", kExempt, kSpringStiffness},
    {"spring", "cantilever_steps", "", kExempt,
     "where its inner steps are used up, springs are only as stiff as those bear: in one substep "
     "of 1/60 s, softer"},
    {"spring", "hanging_helix", "", kExempt, kSpringStiffness},
    {"spring", "catenary", "", kExempt, "it cannot hold tips, and the strand hangs"},
    {"spring", "bend_twist", "", kExempt, "it has no twist"},
    {"spring", "self_buckling", "", kExempt, kSpringStiffness},
    {"spring", "lateral_buckling", "", kExempt, "its sections have no width, and it has no twist"},
    {"spring", "stick_slip", "", kExempt, kSpringStiffness},
    {"spring", "beam_modes", "", kExempt, kSpringStiffness},
    {"spring", "resolution_convergence", "", kExempt,
     "stretched by its weight, the chain is off by as much as 32 segments are: the order does not "
     "show"},
    {"spring", "energy", "", kExempt,
     "its limit on lengths moves vertices and leaves their velocities, which can make energy"},
    {"spring", "stretch", "", 0.006, kSpringLength},
    {"rod", "hanging_chain", "mode 3", 0.02,
     "its segments carry the inertia of turning m l^2/12, which the table's chain has not: 1.1 % "
     "slower in the third mode of 32 segments"},
};

const Claim* claim_of(const CheckRow& row) {
    for (const Claim& claim : kClaims)
        if (row.model == claim.model && row.check == claim.check &&
            row.what.starts_with(claim.rows))
            return &claim;
    return nullptr;
}

}  // namespace

void judge(CheckRow& row) {
    const Claim* claim = claim_of(row);
    if (claim) row.reason = claim->reason;
    if (claim && claim->tolerance == kExempt) {
        row.verdict = Verdict::exempt;
        row.tolerance = kNone;
        return;
    }
    if (claim) row.tolerance = claim->tolerance;
    // Not a number is never within a tolerance, so what cannot be measured must be exempt.
    row.verdict = std::abs(row.error) <= row.tolerance ? Verdict::pass : Verdict::fail;
    if (std::isnan(row.tolerance)) row.reason = "neither claimed nor exempt in claims.cpp";
}

}  // namespace ringlet
