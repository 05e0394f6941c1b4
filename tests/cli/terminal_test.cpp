// The lines that the program shows while and after it works.
#include "terminal.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "run_outcome.h"

namespace ringlet {
namespace {

TEST(progress_bar, shows_share_count_and_times) {
    EXPECT_EQ(progress_bar("rendering", 12, 48, 3, 60),
              "rendering [######....................] 12/48 0:03, 0:09 left");
    EXPECT_EQ(progress_bar("rendering", 48, 48, 12, 40),
              "rendering [#################] 48/48 0:12");
    EXPECT_EQ(progress_bar("measuring", 0, 0, 0, 40), "measuring [###################] 0/0 0:00");
    EXPECT_EQ(progress_bar("simulating", 1, 2, 7325, 70),
              "simulating [###############................] 1/2 2:02:05, 2:02:05 left");
}

TEST(progress_bar, is_right_for_the_largest_counts) {
    // 40 columns times 60 million overflow an int.
    const std::string bar = progress_bar("simulating", 60'000'000, 100'000'000, 3600, 200);
    EXPECT_EQ(std::count(bar.begin(), bar.end(), '#'), 24) << bar;
    EXPECT_EQ(std::count(bar.begin(), bar.end(), '.'), 16) << bar;
    // An estimate of 68 years and more.
    const std::string late = progress_bar("simulating", 1, 2'147'483'647, 3600, 80);
    EXPECT_EQ(late.find('-'), std::string::npos) << late;
    EXPECT_LE(late.size(), 80u);
}

TEST(progress_bar, fits_the_terminal) {
    for (const int columns : {60, 80, 120})
        for (const int done : {0, 1, 500, 1000})
            EXPECT_LE(progress_bar("drawing hairstyles", done, 1000, 100, columns).size(),
                      static_cast<std::size_t>(columns));
}

struct Finished {
    ExitCode code;
    std::string err;
};

Finished finish(const Report& report, bool quiet) {
    testing::internal::CaptureStderr();
    const ExitCode code = finish_run(report, quiet);
    return {code, testing::internal::GetCapturedStderr()};
}

TEST(finish_run, a_sound_run_says_nothing_and_returns_0) {
    const Finished finished = finish({}, false);
    EXPECT_EQ(finished.code, ExitCode::done);
    EXPECT_EQ(finished.err, "");
}

TEST(finish_run, a_repaired_strand_returns_0) {
    Report report;
    report.repaired_strand = 7;
    report.warnings = {{"the strand was repaired", "strand 7, vertex 2", "raise sim.substeps"}};
    const Finished finished = finish(report, false);
    EXPECT_EQ(finished.code, ExitCode::done);
    EXPECT_EQ(finished.err, "");
}

TEST(finish_run, non_finite_vertices_are_shown_even_when_quiet_and_return_3) {
    Report report;
    report.nonfinite_vertices = 2;
    report.warnings = {{"2 vertices are NaN or infinite", "strand 0, vertex 4", "lower sim.dt"}};
    EXPECT_EQ(static_cast<int>(finish(report, false).code), 3);
    const Finished quiet = finish(report, true);
    EXPECT_EQ(static_cast<int>(quiet.code), 3);
    EXPECT_EQ(quiet.err,
              "ringlet: warning: strand 0, vertex 4: 2 vertices are NaN or infinite; lower "
              "sim.dt\n");
}

TEST(terminal_listener, a_warning_is_one_line_with_place_text_and_remedy) {
    testing::internal::CaptureStderr();
    terminal_listener().notify_of({"the strand was repaired", "strand\n7", "raise sim.substeps"});
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "ringlet: warning: strand?7: the strand was repaired; raise sim.substeps\n");
}

}  // namespace
}  // namespace ringlet
