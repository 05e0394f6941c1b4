// Runs checks on models.
#pragma once

#include "validate/check.h"

namespace ringlet {

// Runs one check on one model and judges its rows.
CheckOutcome run_check(const Check& check, const CheckRun& run);

// Marks rows whose measured bits differ from those of the CPU as failed. Returns their number.
int hold_to_cpu(const CheckOutcome& cpu, CheckOutcome& found);

// Options of run_suite(), as in ValidateOptions.
struct SuiteOptions {
    ValidationSize size = ValidationSize::full;
    Backend backend = Backend::cpu;
    int scenes = 0;
};

// Runs the checks on the given models; on a GPU also on the CPU, for comparison. Fails only if the
// listener stops it.
Result<Validation> run_suite(std::span<const Check> checks, std::span<const Profile> profiles,
                             const SuiteOptions& options, const TaskPool& pool,
                             const Listener& listener);

}  // namespace ringlet
