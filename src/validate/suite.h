// Runs checks on models.
#pragma once

#include "validate/check.h"

namespace ringlet {

// One check on one model, judged.
CheckOutcome run_check(const Check& check, const CheckRun& run);

// All checks on the given models. An error only when the listener stops it.
Result<Validation> run_suite(std::span<const Profile> profiles, ValidationSize size,
                             const TaskPool& pool, const Listener& listener);

}  // namespace ringlet
