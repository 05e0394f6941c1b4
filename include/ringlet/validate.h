// Validation: compares each model with closed-form solutions, tabulated values and invariants.
//
//     auto validation = ringlet::validate({.model = "rod"}, {});
//     if (!validation) return fail(validation.error().text());
//     for (const ringlet::CheckRow& row : validation->rows) ...
//
// All structs are plain values without references. "NaN" below means "not a number".
#pragma once

#include <string>
#include <vector>

#include "ringlet/session.h"

namespace ringlet {

// How much is measured. full: the cases of docs/validation, minutes. quick: every check on fewer
// and coarser cases, seconds. least: as quick, with fewer random scenes, for slow debug builds.
enum class ValidationSize { least, quick, full };

enum class Verdict {
    pass,   // the error is within the tolerance
    fail,   // it is not
    exempt  // the model does not claim this property; CheckRow::reason gives the cause
};

// One measured quantity and its expected value.
struct CheckRow {
    std::string check;     // CheckInfo::name
    std::string model;     // "rod"
    std::string what;      // the case, and the quantity if the check has several
    double measured = 0;   // NaN: not measurable on this model
    double expected = 0;   // NaN: no expectation; 0: `measured` already is an error
    double error = 0;      // (measured - expected) / expected; if `expected` is 0: `measured`
    double tolerance = 0;  // largest |error| that passes; NaN: no claim
    Verdict verdict = Verdict::pass;
    std::string reason;  // why the row is exempt, or why the model has a tolerance of its own
};

struct PlotPoint {
    double x, y;
};

struct PlotCurve {
    std::string label;
    bool is_theory = false;  // true: the expected curve
    bool is_line = false;    // true: a line; false: markers
    int colour = 0;          // index of the model, so that it has one colour in all plots
    std::vector<PlotPoint> points;
};

struct Plot {
    std::string check;  // CheckInfo::name
    std::string name;   // file name without extension
    std::string title, x_label, y_label;
    bool log_x = false, log_y = false;  // logarithmic axes
    bool from_zero = false;             // true: the y axis starts at 0
    std::vector<PlotCurve> curves;
};

struct CheckInfo {
    std::string name;      // "cantilever"
    std::string sentence;  // what the check does
    std::string source;    // origin of the expected values
};

// The result of validate().
struct RINGLET_API Validation {
    ValidationSize size = ValidationSize::full;
    Backend backend = Backend::cpu;
    // Rows whose value on `backend` differs in any bit from the CPU's. These rows fail. 0 on the
    // CPU.
    int differing = 0;
    std::vector<std::string> models;
    std::vector<CheckInfo> checks;
    std::vector<CheckRow> rows;  // ordered by check, then by model
    std::vector<Plot> plots;

    // Number of rows with that verdict.
    int count(Verdict verdict) const;

    // Returns everything as JSON. NaN is written as null.
    std::string to_json() const;

    // Returns a table for a terminal of that width: one line per row from 100 columns on, two lines
    // below that.
    std::string to_table(int columns = 100) const;

    // Returns "2 fail: rod cantilever, rod energy", or an empty string if no row fails.
    std::string failures() const;
};

struct ValidateOptions {
    std::string model;  // name of one model; empty: all models
    std::string check;  // name of one check, for example "random_scenes"; empty: all checks
    ValidationSize size = ValidationSize::full;
    // Number of random scenes of the check random_scenes. 0: as many as `size` has, at most 1,000.
    int scenes = 0;
    int threads = 0;                 // 0: all of the machine's
    Backend backend = Backend::cpu;  // cuda: also compares every value with the CPU's
};

// Runs the checks. Returns an Error if the model or check is unknown, the backend is unavailable,
// or the listener cancels.
RINGLET_API Result<Validation> validate(const ValidateOptions& options, const Listener& listener);

// Writes FOLDER/validation.md and its plots as SVG files in the same folder.
RINGLET_API Result<void> write_validation(const std::string& folder, const Validation& validation);

}  // namespace ringlet
