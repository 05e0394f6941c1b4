#include "validate/claims.h"

#include <cmath>

#include "validate/check.h"

namespace ringlet {

namespace {

const ModelClaim* claim_about(const CheckRow& row, std::span<const ModelClaim> claims) {
    for (const ModelClaim& claim : claims)
        if (row.check == claim.check && row.what.starts_with(claim.rows)) return &claim;
    return nullptr;
}

}  // namespace

void judge(CheckRow& row, std::span<const ModelClaim> claims) {
    const ModelClaim* claim = claim_about(row, claims);
    if (claim) row.reason = claim->reason;
    if (claim && claim->tolerance == kExempt) {
        row.verdict = Verdict::exempt;
        row.tolerance = kNone;
        return;
    }
    if (claim) row.tolerance = claim->tolerance;
    // NaN is never within a tolerance, so a row that cannot be measured must be exempt.
    row.verdict = std::abs(row.error) <= row.tolerance ? Verdict::pass : Verdict::fail;
    if (std::isnan(row.tolerance)) row.reason = "not measured, and the model claims no exemption";
}

}  // namespace ringlet
