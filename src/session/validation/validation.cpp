#include "session/validation/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "scene/nearest_name.h"
#include "session/boundary.h"
#include "session/validation/whole_scene_checks.h"
#include "validate/suite.h"
#include "validate/svg_plot.h"

namespace ringlet {

namespace {

const char* name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::pass:
            return "pass";
        case Verdict::fail:
            return "fail";
        default:
            return "exempt";
    }
}

std::string listed(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
    return out;
}

// Keeps the entry with that name, or all if the name is empty. `kind` is "model" or "check".
template <class T, class NameOf>
Result<void> choose(std::vector<T>& all, const std::string& name, const char* kind,
                    const NameOf& name_of) {
    if (name.empty()) return {};
    std::vector<std::string> known;
    for (const T& one : all) known.emplace_back(name_of(one));
    std::erase_if(all, [&](const T& one) { return name_of(one) != name; });
    if (!all.empty()) return {};
    const std::string near = nearest_name(name, known);
    const std::string question = near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near);
    return Error{
        fmt::format("no {0} \"{1}\"; the {0}s are {2}{3}", kind, name, listed(known), question)};
}

nlohmann::ordered_json json_of(const Plot& plot) {
    nlohmann::ordered_json curves = nlohmann::ordered_json::array();
    for (const PlotCurve& curve : plot.curves) {
        nlohmann::ordered_json points = nlohmann::ordered_json::array();
        for (const PlotPoint& p : curve.points) points.push_back({p.x, p.y});
        curves.push_back({{"label", curve.label}, {"theory", curve.is_theory}, {"points", points}});
    }
    return {{"check", plot.check}, {"name", plot.name}, {"title", plot.title},
            {"x", plot.x_label},   {"y", plot.y_label}, {"log_x", plot.log_x},
            {"log_y", plot.log_y}, {"curves", curves}};
}

}  // namespace

Result<Validation> validate(const ValidateOptions& options, const Listener& listener) try {
    std::vector<Profile> profiles = all_profiles();
    std::vector<Check> checks = all_checks();
    checks.insert(checks.end(), scene_checks().begin(), scene_checks().end());
    Result<void> chosen = choose(profiles, options.model, "model",
                                 [](const Profile& one) { return std::string_view(one.model); });
    if (chosen)
        chosen = choose(checks, options.check, "check",
                        [](const Check& one) { return std::string_view(one.name); });
    if (!chosen) return chosen.error();
    if (const Result<void> there = check_backend(options.backend); !there) return there.error();
    TaskPool pool(options.threads);
    const StopScope stop(pool, listener);
    return run_suite(checks, profiles, {options.size, options.backend, options.scenes}, pool,
                     listener);
} catch (...) {
    return error_from_exception();
}

Result<void> write_validation(const std::string& folder, const Validation& validation) try {
    const std::filesystem::path where = folder;
    for (const Plot& plot : validation.plots) {
        Result<void> done = write_file(where / (plot.name + ".svg"), to_svg(plot));
        if (!done) return done;
    }
    return write_file(where / "validation.md", validation_page(validation));
} catch (...) {
    return error_from_exception();
}

int Validation::count(Verdict verdict) const {
    return static_cast<int>(std::count_if(
        rows.begin(), rows.end(), [&](const CheckRow& row) { return row.verdict == verdict; }));
}

std::string Validation::failures() const {
    std::vector<std::string> names;
    for (const CheckRow& row : rows) {
        const std::string name = row.model + " " + row.check;
        if (row.verdict == Verdict::fail && (names.empty() || names.back() != name))
            names.push_back(name);
    }
    return names.empty() ? "" : fmt::format("{} fail: {}", names.size(), listed(names));
}

// NaN is written as null.
std::string Validation::to_json() const {
    nlohmann::ordered_json json = {{"size", size == ValidationSize::full ? "full" : "quick"},
                                   {"backend", backend == Backend::cuda ? "cuda" : "cpu"},
                                   {"passed", count(Verdict::fail) == 0},
                                   {"pass", count(Verdict::pass)},
                                   {"fail", count(Verdict::fail)},
                                   {"exempt", count(Verdict::exempt)},
                                   {"figures_not_the_cpus", differing},
                                   {"models", models},
                                   {"checks", nlohmann::ordered_json::array()},
                                   {"rows", nlohmann::ordered_json::array()},
                                   {"plots", nlohmann::ordered_json::array()}};
    for (const CheckInfo& check : checks)
        json["checks"].push_back(
            {{"name", check.name}, {"sentence", check.sentence}, {"source", check.source}});
    for (const CheckRow& row : rows)
        json["rows"].push_back({{"check", row.check},
                                {"model", row.model},
                                {"case", row.what},
                                {"measured", row.measured},
                                {"expected", row.expected},
                                {"error", row.error},
                                {"tolerance", row.tolerance},
                                {"verdict", name_of(row.verdict)},
                                {"reason", row.reason}});
    for (const Plot& plot : plots) json["plots"].push_back(json_of(plot));
    return json.dump(1) + "\n";
}

RowText text_of(const CheckRow& row) {
    RowText out;
    const bool is_error = row.expected == 0;
    if (!std::isnan(row.measured))
        out.measured =
            is_error ? fmt::format("{:.3g}", row.measured) : fmt::format("{:.6g}", row.measured);
    if (!std::isnan(row.expected)) out.expected = fmt::format("{:.6g}", row.expected);
    if (!std::isnan(row.error) && !is_error) {
        const double percent = row.error * 100;
        if (std::abs(percent) < 0.005)
            out.error = "0.00 %";
        else if (std::abs(percent) < 100)
            out.error = fmt::format("{:+.2f} %", percent);
        else
            out.error = fmt::format("{:+.0f} %", percent);
    }
    if (!std::isnan(row.tolerance))
        out.allowed = is_error ? fmt::format("{:g}", row.tolerance)
                               : fmt::format("{:g} %", row.tolerance * 100);
    out.verdict = name_of(row.verdict);
    return out;
}

}  // namespace ringlet
