// A check: one physical statement, measured on one model at a time. The suite (suite.cpp) runs all
// checks on all models and judges the results by the models' claims (sim/model_entry.h).
#pragma once

#include <limits>
#include <span>

#include "base/parallel.h"
#include "ringlet/validate.h"
#include "validate/profile.h"

namespace ringlet {

// The arguments of a check.
struct CheckRun {
    const Profile& profile;
    ValidationSize size;
    const TaskPool& pool;
    Backend backend = Backend::cpu;
    int scenes = 0;  // ValidateOptions::scenes

    // Creates a simulation on the backend. The default seed is for checks without random numbers.
    Simulation simulation(const StrandSet& rest, const SimSettings& settings, World world = {},
                          std::uint32_t seed = 1) const;
    bool is_full() const { return size == ValidationSize::full; }
};

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The result of a check. The suite fills in check, model and verdict.
struct CheckOutcome {
    std::vector<CheckRow> rows;
    std::vector<Plot> plots;

    // Adds a value that should equal `expected` within a relative tolerance.
    void compare(std::string what, double measured, double expected, double tolerance);
    // Adds an error that should be at most `limit`.
    void bound(std::string what, double measured, double limit);
    // Adds a value without an expectation.
    void show(std::string what, double measured);
    // Adds a row that says that this model cannot be measured.
    void skip();
};

struct Check {
    const char* name;
    const char* sentence;
    const char* source;
    CheckOutcome (*measure)(const CheckRun& run);
};

// The checks, one group per file.
std::span<const Check> static_checks();       // statics.cpp
std::span<const Check> stability_checks();    // stability.cpp
std::span<const Check> contact_checks();      // contact.cpp
std::span<const Check> dynamic_checks();      // dynamics.cpp
std::span<const Check> energy_checks();       // energy.cpp
std::span<const Check> convergence_checks();  // convergence.cpp
std::span<const Check> invariant_checks();    // invariants.cpp
std::span<const Check> robustness_checks();   // robustness.cpp

std::vector<Check> all_checks();

// A word and a number in its shortest form, such as "Gamma 0.1".
std::string named(const char* word, double value);

// The colour of the second curve of the only model with two curves on a plot.
inline constexpr int kSecondColour = 8;

// A measured curve of the model, and a theoretical one.
PlotCurve measured_curve(const CheckRun& run, bool is_line = false);
PlotCurve theory_curve(std::string label);

// Adds every n-th sample, so that a curve over time has some 300 points.
void add_sample(PlotCurve& curve, int step, int steps, double x, double y);

}  // namespace ringlet
