// Output of a validation: verdicts, table, JSON, page and plots.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "session/validation/validation.h"
#include "session/validation/whole_scene_checks.h"
#include "test_level.h"
#include "validate/claims.h"
#include "validate/suite.h"
#include "validate/svg_plot.h"

namespace ringlet {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

CheckRow row_of(const std::string& model, double measured, double expected, double tolerance) {
    CheckRow row;
    row.check = "droop";
    row.model = model;
    row.what = "a case with a rather long name, at worst";
    row.measured = measured;
    row.expected = expected;
    row.error = expected == 0 ? measured : measured / expected - 1;
    row.tolerance = tolerance;
    return row;
}

Validation sample() {
    Validation out;
    out.models = {"pbd", "rod"};
    out.checks = {{"droop",
                   "A strand droops, and what is said about it takes more than a line of eighty "
                   "columns to be said.",
                   "theory"}};
    out.rows = {row_of("pbd", kNan, kNan, kNan), row_of("rod", 1.005, 1, 0.01),
                row_of("rod", 0.2, 0, 0.1)};
    out.rows[0].verdict = Verdict::exempt;
    out.rows[0].reason =
        "it says why in a sentence that does not fit into a line of eighty columns";
    out.rows[2].verdict = Verdict::fail;
    Plot plot;
    plot.check = "droop";
    plot.name = "droop";
    plot.title = "a < b & c";
    plot.log_x = true;
    PlotCurve theory, rod;
    theory.is_theory = theory.is_line = true;
    theory.points = {{1, 1}, {10, 2}, {0, 3}, {100, kNan}};
    rod.points = {{1, 1.1}, {10, 2.1}};
    plot.curves = {theory, rod};
    out.plots = {plot};
    return out;
}

TEST(validation, a_value_that_differs_from_the_cpus_fails_whatever_the_claim) {
    CheckOutcome cpu;
    cpu.compare("droop", 1.25, 1.25, 0.01);
    cpu.skip();
    cpu.compare("sag", 2.5, 2.5, 0.01);
    CheckOutcome found = cpu;
    EXPECT_EQ(hold_to_cpu(cpu, found), 0) << "what cannot be measured is the same everywhere";
    found.rows[2].measured = std::nextafter(2.5, 3.0);
    EXPECT_EQ(hold_to_cpu(cpu, found), 1);
    EXPECT_EQ(found.rows[0].verdict, Verdict::pass);
    EXPECT_EQ(found.rows[2].verdict, Verdict::fail);
    EXPECT_EQ(found.rows[2].reason, "the CPU measures 2.5");
    cpu.rows.pop_back();
    EXPECT_EQ(hold_to_cpu(cpu, found), 1) << "a row that the CPU does not have";
}

TEST(validation, the_table_names_the_backend_and_the_differing_rows) {
    Validation all = sample();
    EXPECT_EQ(all.to_table().find("GPU"), std::string::npos);
    all.backend = Backend::cuda;
    EXPECT_NE(all.to_table().find("all figures are the CPU's"), std::string::npos);
    all.differing = 2;
    EXPECT_NE(all.to_table().find("2 figures are not the CPU's"), std::string::npos);
    const nlohmann::json json = nlohmann::json::parse(all.to_json());
    EXPECT_EQ(json["backend"], "cuda");
    EXPECT_EQ(json["figures_not_the_cpus"], 2);
}

TEST(validation, a_missing_device_is_an_error_with_its_reason) {
    const Result<void> there = check_backend(Backend::cuda);
    if (there) GTEST_SKIP() << "there is one";
    ValidateOptions options;
    options.backend = Backend::cuda;
    const Result<Validation> found = validate(options, {});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().text(), there.error().text());
}

TEST(validation, table_keeps_within_its_columns) {
    for (const int columns : {80, 100, 200}) {
        std::istringstream lines(sample().to_table(columns));
        int count = 0;
        for (std::string line; std::getline(lines, line); ++count)
            EXPECT_LE(line.size(), static_cast<std::size_t>(std::min(columns, 100))) << line;
        EXPECT_GT(count, 6);
    }
    const std::string table = sample().to_table();
    EXPECT_NE(table.find("+0.50 %"), std::string::npos);
    EXPECT_NE(table.find("it says why"), std::string::npos);
    EXPECT_NE(table.find("1 pass, 1 fail, 1 exempt"), std::string::npos);
}

TEST(validation, failures_are_named_once) {
    Validation all = sample();
    all.rows.push_back(all.rows[2]);
    EXPECT_EQ(all.failures(), "1 fail: rod droop");
    all.rows.resize(2);
    EXPECT_EQ(all.failures(), "");
}

TEST(validation, json_writes_null_for_nan) {
    const auto json = nlohmann::json::parse(sample().to_json(), nullptr, false);
    ASSERT_FALSE(json.is_discarded());
    EXPECT_TRUE(json["rows"][0]["measured"].is_null());
    EXPECT_EQ(json["rows"][1]["case"], "a case with a rather long name, at worst");
    EXPECT_EQ(json["rows"][2]["verdict"], "fail");
    EXPECT_FALSE(json["passed"].get<bool>());
}

TEST(validation, page_shows_overview_plots_and_reasons) {
    const std::string page = validation_page(sample());
    EXPECT_NE(page.find("| [droop](#droop) | exempt | **fail** |"), std::string::npos);
    EXPECT_NE(page.find("![a < b & c](droop.svg)"), std::string::npos);
    EXPECT_NE(page.find("1. it says why"), std::string::npos);
}

// Every coordinate of a plot lies inside its area, whatever the values.
TEST(validation, plots_skip_values_outside_any_axis) {
    Plot plot = sample().plots[0];
    const std::string svg = to_svg(plot);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
    for (PlotCurve& curve : plot.curves) curve.points.clear();
    EXPECT_TRUE(to_svg(plot).ends_with("</svg>\n"));
    plot.curves[0].points = {{3, 3}};
    EXPECT_EQ(to_svg(plot).find("nan"), std::string::npos);
}

TEST(validation, rows_are_judged_by_the_models_claims) {
    constexpr ModelClaim kClaims[] = {{"bend_twist", "it has no twist"},
                                      {"hanging_chain", "it has inertia", "mode 3", 0.02}};
    CheckRow row = row_of("rod", 1.005, 1, 0.01);
    judge(row, kClaims);
    EXPECT_EQ(row.verdict, Verdict::pass);
    row = row_of("rod", 0.985, 1, 0.01);
    judge(row, kClaims);
    EXPECT_EQ(row.verdict, Verdict::fail);
    row = row_of("rod", kNan, 1, 0.01);
    judge(row, kClaims);
    EXPECT_EQ(row.verdict, Verdict::fail);  // not measurable and not exempt
    row = row_of("pbd", 7, 1, 0.01);
    row.check = "bend_twist";
    judge(row, kClaims);
    EXPECT_EQ(row.verdict, Verdict::exempt);
    EXPECT_NE(row.reason, "");
    row = row_of("rod", 0.985, 1, 0.01);
    row.check = "hanging_chain";
    row.what = "mode 3";
    judge(row, kClaims);
    EXPECT_EQ(row.verdict, Verdict::pass);  // a tolerance of its own, with a reason
    EXPECT_NE(row.reason, "");
}

TEST(validation, scenes_meet_the_claims_of_every_model) {
    RINGLET_TEST_FROM(full);
    const TaskPool pool;
    for (const Check& check : scene_checks())
        for (const Profile& profile : all_profiles()) {
            const CheckOutcome found = run_check(check, {profile, ValidationSize::quick, pool});
            EXPECT_FALSE(found.rows.empty());
            for (const CheckRow& row : found.rows)
                EXPECT_NE(row.verdict, Verdict::fail)
                    << check.name << " " << profile.model << ": " << row.measured;
        }
}

}  // namespace
}  // namespace ringlet
