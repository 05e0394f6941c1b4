// Runs checks on models.
#pragma once

#include "validate/check.h"

namespace ringlet {

// One check on one model, judged.
CheckOutcome run_check(const Check& check, const CheckRun& run);

// A row whose figure is not the CPU's, to the last bit, fails. Returns how many.
int hold_to_cpu(const CheckOutcome& cpu, CheckOutcome& found);

// All checks on the given models; elsewhere than on the CPU, twice. An error only when the listener
// stops it.
Result<Validation> run_suite(std::span<const Profile> profiles, ValidationSize size,
                             const TaskPool& pool, const Listener& listener,
                             Backend backend = Backend::cpu);

}  // namespace ringlet
