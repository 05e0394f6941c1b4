// How right each model is: what it does, measured against closed forms, tables and invariants.
//
//     auto found = ringlet::validate({.model = "rod"}, {});
//     if (!found) return fail(found.error().text());
//     for (const ringlet::CheckRow& row : found->rows) ...
#pragma once

#include <string>
#include <vector>

#include "ringlet/session.h"

namespace ringlet {

// quick: every check, on fewer and coarser cases (seconds). full: what docs/validation shows.
// least: as quick, with fewer random scenes, for builds that are slow on purpose.
enum class ValidationSize { least, quick, full };

enum class Verdict {
    pass,
    fail,
    exempt  // the model does not claim this; `reason` says why
};

// One measured number beside what it should be.
struct CheckRow {
    std::string check, model;
    std::string what;      // which case, and the quantity where it is not the check's own
    double measured = 0;   // not a number: cannot be measured on this model
    double expected = 0;   // not a number: nothing is expected; 0: `measured` is an error already
    double error = 0;      // relative to `expected`; `measured` itself where that is 0
    double tolerance = 0;  // of |error|; not a number where nothing is claimed
    Verdict verdict = Verdict::pass;
    std::string reason;  // of an exemption, or of a tolerance that is the model's own
};

struct PlotPoint {
    double x, y;
};

struct PlotCurve {
    std::string label;
    bool is_theory = false;  // what the others should lie on
    bool is_line = false;    // otherwise markers
    int colour = 0;          // the model's number: one colour per model on every plot
    std::vector<PlotPoint> points;
};

struct Plot {
    std::string check;
    std::string name;  // of its file, without extension
    std::string title, x_label, y_label;
    bool log_x = false, log_y = false;
    bool from_zero = false;  // the y axis begins there, even where no curve does
    std::vector<PlotCurve> curves;
};

struct CheckInfo {
    std::string name;
    std::string sentence;  // what is done
    std::string source;    // where the expected values come from
};

struct Validation {
    ValidationSize size = ValidationSize::full;
    Backend backend = Backend::cpu;
    int differing =
        0;  // rows whose figure is not, to the last bit, what the CPU measures: they fail
    std::vector<std::string> models;
    std::vector<CheckInfo> checks;
    std::vector<CheckRow> rows;  // by check, then by model
    std::vector<Plot> plots;

    int count(Verdict verdict) const;  // of rows
    std::string to_json() const;
    // For a terminal; a line a row from 100 columns on, two below that.
    std::string to_table(int columns = 100) const;
    // "2 fail: rod cantilever, rod energy"; empty when nothing does.
    std::string failures() const;
};

struct ValidateOptions {
    std::string model;  // empty: all
    ValidationSize size = ValidationSize::full;
    int threads = 0;                 // 0: as many as the machine has
    Backend backend = Backend::cpu;  // another: every figure is held to the CPU's as well
};
Result<Validation> validate(const ValidateOptions& options, const Listener& listener);

// FOLDER/validation.md, and the plots it shows as SVG beside it.
Result<void> write_validation(const std::string& folder, const Validation& validation);

}  // namespace ringlet
