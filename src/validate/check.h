// A check: one statement of physics, measured on one model at a time. The suite (suite.cpp) walks
// all checks and models, and claims.cpp says what each model promises.
#pragma once

#include <limits>
#include <span>

#include "base/parallel.h"
#include "ringlet/validate.h"
#include "validate/profile.h"

namespace ringlet {

// What a check is given.
struct CheckRun {
    const Profile& profile;
    ValidationSize size;
    const TaskPool& pool;
    Backend backend = Backend::cpu;

    // Where every check steps what it looks at; seed 1 where nothing depends on chance.
    Simulation simulation(const StrandSet& rest, const SimSettings& settings, World world = {},
                          std::uint32_t seed = 1) const;
    bool is_full() const { return size == ValidationSize::full; }
};

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// What a check finds. Rows and plots are completed (check, model, verdict) by the suite.
struct CheckOutcome {
    std::vector<CheckRow> rows;
    std::vector<Plot> plots;

    // A value that should be `expected` within a relative tolerance.
    void compare(std::string what, double measured, double expected, double tolerance);
    // An error that should be at most `limit`.
    void bound(std::string what, double measured, double limit);
    // Measured for its own sake: nothing is expected of it.
    void show(std::string what, double measured);
    // Nothing to measure on this model.
    void skip();
};

struct Check {
    const char* name;
    const char* sentence;
    const char* source;
    CheckOutcome (*measure)(const CheckRun& run);
};

// One family per file.
std::span<const Check> static_checks();       // statics.cpp
std::span<const Check> stability_checks();    // stability.cpp
std::span<const Check> contact_checks();      // contact.cpp
std::span<const Check> dynamic_checks();      // dynamics.cpp
std::span<const Check> convergence_checks();  // convergence.cpp
std::span<const Check> invariant_checks();    // invariants.cpp
std::span<const Check> robustness_checks();   // robustness.cpp

std::vector<Check> all_checks();

// "Gamma 0.1" and the like: a word and a number, as short as exact.
std::string named(const char* word, double value);

// The colour of a model's second curve on a plot, where it is the only one with two.
inline constexpr int kSecondColour = 8;

// A curve of the model under test, and one of theory.
PlotCurve measured_curve(const CheckRun& run, bool is_line = false);
PlotCurve theory_curve(std::string label);

}  // namespace ringlet
