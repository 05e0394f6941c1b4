// `ringlet bench`: the compared programs are comparable, and the rows are complete.
#include "ringlet/bench.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/peak.h"
#include "bench/textbook_ftl.h"
#include "math/counted.h"
#include "session/bench/bench_device.h"
#include "session/bench/bench_scaling.h"
#include "sim/models/registry.h"
#include "sim/simulation.h"

namespace ringlet {
namespace {

speed::Polylines straight_strands(int strands, int vertices) {
    speed::Polylines out;
    for (int s = 0; s < strands; ++s) {
        out.emplace_back();
        for (int i = 0; i < vertices; ++i)
            out.back().push_back({0.03f * static_cast<float>(i), 0.1f * static_cast<float>(s), 0});
    }
    return out;
}

template <class Program, class Step>
Vec3f tip_after(int steps, const speed::Polylines& rest, const Step& step,
                speed::SweepOrder order) {
    Program program(rest, step, order);
    for (int n = 0; n < steps; ++n) program.step();
    return program.positions().back().back();
}

TEST(bench, all_variants_of_the_pbd_textbook_agree) {
    const speed::Polylines rest = straight_strands(3, 12);
    const speed::TextbookStep step;
    const auto by_strand = speed::SweepOrder::strand_by_strand, world = speed::SweepOrder::world;
    const Vec3f tip = tip_after<speed::TextbookPbd>(20, rest, step, by_strand);
    EXPECT_LT(tip.y, 0.15f);  // it fell
    for (const Vec3f other : {tip_after<speed::TextbookPbd>(20, rest, step, world),
                              tip_after<speed::VirtualPbd>(20, rest, step, by_strand),
                              tip_after<speed::VirtualPbd>(20, rest, step, world)})
        EXPECT_EQ(norm(other - tip), 0);
}

TEST(bench, the_ftl_textbook_keeps_lengths) {
    const speed::Polylines rest = straight_strands(4, 10);
    speed::TextbookFtl program(rest, {.low = {-0.3f, -0.3f, -0.3f}, .side = 64});
    for (int n = 0; n < 50; ++n) program.step();
    const std::vector<Vec3f> line = program.positions().front();
    EXPECT_LT(line.back().y, -0.05f);
    for (std::size_t i = 1; i < line.size(); ++i)
        EXPECT_NEAR(norm(line[i] - line[i - 1]), 0.03f, 1e-6f);
}

TEST(bench, counting_lanes_give_the_same_bits) {
    const std::vector<int> counts(3, 8);
    StrandSet rest{StrandLayout(counts)};
    for (int s = 0; s < 3; ++s)
        for (int i = 0; i < 8; ++i)
            rest.position.set_vec3(
                s, i, {0.02f * static_cast<float>(i), 0, 0.1f * static_cast<float>(s)});
    const TaskPool pool(1);
    for (int model = 0; model < std::ssize(all_models()); ++model) {
        SimSettings settings;
        settings.model = model;
        settings.substeps = 2;
        std::string hashes[2];
        for (const LaneKind lanes : {LaneKind::scalar, LaneKind::counted}) {
            counted_operations = 0;
            Simulation simulation(rest, settings, {}, 1, lanes);
            for (int n = 0; n < 5; ++n) simulation.step(pool);
            hashes[lanes == LaneKind::counted] =
                hash_of(simulation.state().x, simulation.state().v).hex();
            // At least some tens of operations for each of 24 vertices in 10 substeps.
            EXPECT_EQ(counted_operations > 24 * 10 * 20, lanes == LaneKind::counted);
        }
        EXPECT_EQ(hashes[0], hashes[1]) << all_models()[static_cast<std::size_t>(model)].name;
    }
}

TEST(bench, a_row_contains_the_whole_report) {
    const Result<Bench> found = bench({.model = "ftl", .strands = 16, .quick = true}, {});
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_EQ(found->rows.size(), 3u);  // alone, grid, grid + collision
    EXPECT_GT(found->machine.peak_gflops, 0);
    const nlohmann::json json = nlohmann::json::parse(found->to_json());
    for (const nlohmann::json& row : json["rows"]) {
        const nlohmann::json report = nlohmann::json::parse(Report{}.to_json());
        for (const auto& [key, value] : report.items()) EXPECT_TRUE(row.contains(key)) << key;
        EXPECT_EQ(row["model"], "ftl");
        EXPECT_EQ(row["strands"], 16);
        EXPECT_EQ(row["hash"].get<std::string>().size(), 16u);
        EXPECT_GT(row["ns_per_vertex_substep"], 0);
        EXPECT_GT(row["operations_per_vertex_substep"], 50);
        EXPECT_GT(row["peak_memory_bytes"], 1000000);
        EXPECT_LT(row["max_stretch"], 1e-5);
        double bytes = 0;
        for (const auto& [what, of] : row["bytes_per_vertex_of"].items()) bytes += of.get<double>();
        EXPECT_NEAR(bytes, row["bytes_per_vertex"].get<double>(), 1e-6);
        EXPECT_NEAR(row["bytes_per_vertex_of"]["positions"].get<double>(), 12, 1e-6);
    }
}

TEST(bench, a_device_row_has_stages_and_a_hash_comparison_with_the_cpu) {
    Result<BenchGroomer> groomer = BenchGroomer::open();
    ASSERT_TRUE(groomer);
    const Result<BenchHair> hair = groomer->grow(40, 32, TaskPool(1));
    ASSERT_TRUE(hair);
    Bench all;
    all.machine.device = "a card";
    all.machine.device_bandwidth = 100;
    // Only the CPU is available on every machine.
    const BenchHair own = with_model(*hair, 0, BenchWorld::both);
    all.rows.push_back(measure_on_device(own, BenchWorld::both, nullptr, 100e9));
    BenchRow& row = all.rows[0];
    EXPECT_EQ(row.as_on_cpu, true);
    ASSERT_EQ(row.stages.size(), 6u);
    for (const BenchStage& stage : row.stages)
        EXPECT_NEAR(stage.time_bytes, stage.ms * 1e-3 * 100e9 / (40.0 * 32 * own.settings.substeps),
                    1e-6);
    EXPECT_GT(row.stages.back().ms, 0);
    const std::string table = all.to_table();
    EXPECT_EQ(table.find("a card, a copy reads and writes 100 GB/s"), 0u) << table;
    EXPECT_NE(table.find("couple hair "), std::string::npos) << table;
    EXPECT_NE(table.find(row.report.hash + ", the CPU's"), std::string::npos) << table;
    row.as_on_cpu = false;
    EXPECT_NE(all.to_table().find("NOT the CPU's"), std::string::npos);
    const nlohmann::json json = nlohmann::json::parse(all.to_json());
    EXPECT_EQ(json["machine"]["device"], "a card");
    EXPECT_EQ(json["rows"][0]["stages"][2]["name"], "couple hair");
    EXPECT_EQ(json["rows"][0]["hash_is_the_cpus"], false);
}

TEST(bench, device_targets_cover_times_and_hashes) {
    BenchRow row;
    row.report.model = "rod";
    row.world = "alone";
    row.strand_vertices = 32;
    std::vector<BenchRow> rows;
    for (const int strands : {1000, 5000, 1000000}) {
        row.report.strands = strands;
        row.ms_per_60th = 5;
        rows.push_back(row);
    }
    rows[0].as_on_cpu = true;
    rows[1].as_on_cpu = false;
    const std::vector<BenchTarget> found = device_targets(rows);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_FALSE(found[0].is_met()) << found[0].what;
    EXPECT_TRUE(found[1].is_met()) << found[1].what;
    EXPECT_FALSE(found[2].is_met()) << found[2].what;
}

TEST(bench, a_missing_device_is_an_error_with_its_reason) {
    const Result<void> there = check_backend(Backend::cuda);
    if (there) GTEST_SKIP() << "there is one";
    const Result<Bench> found = bench({.model = "", .backend = Backend::cuda}, {});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().text(), there.error().text());
}

BenchRow scaling_row(const std::string& model, const std::string& world, int strands, int vertices,
                     double ns) {
    BenchRow out;
    out.group = "models";
    out.world = world;
    out.strand_vertices = vertices;
    out.ns_per_vertex_substep = ns;
    out.bytes_per_vertex = 12.4;
    out.memory = {{"positions", 12}, {"per strand", 0.4}};
    out.report.model = model;
    out.report.strands = strands;
    out.report.peak_memory_bytes = 5000000;
    return out;
}

TEST(bench, scaling_tables_have_one_column_per_size_and_gaps_for_missing_rows) {
    Bench bench;
    bench.rows = {
        scaling_row("ftl", "alone", 1000, 32, 1.25), scaling_row("ftl", "alone", 10000, 32, 2.5),
        scaling_row("ftl", "grid", 10000, 32, 3.75), scaling_row("ftl", "alone", 10000, 8, 5),
        scaling_row("ftl", "alone", 1000, 16, 99)};  // part of neither sweep
    const std::string tables = scaling_tables(bench);
    for (const char* line :
         {"| strands | 1,000 | 10,000 |\n", "| ftl | 1.2 | 2.5 |\n", "| ftl, grid | | 3.8 |\n",
          "| vertices of a strand | 8 | 32 |\n", "| ftl | 5.0 | 2.5 |\n", "| ftl | 5 | 5 |\n",
          "| ftl | 12 | positions 12, per strand 0.4 |\n"})
        EXPECT_NE(tables.find(line), std::string::npos) << line << tables;
    EXPECT_EQ(tables.find("99"), std::string::npos);
    const std::string svg = scaling_svg(bench);
    EXPECT_NE(svg.find(">ftl, grid<"), std::string::npos);
    EXPECT_NE(svg.find("height=\"840\""), std::string::npos);  // two panels
}

TEST(bench, an_unknown_model_is_rejected_with_a_suggestion) {
    const Result<Bench> found = bench({.model = "rood"}, {});
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().text().find("did you mean \"rod\""), std::string::npos);
}

// The sink of a peak loop after `rounds` rounds (peak.cpp), with products and sums fused or apart.
float sink_after(int rounds, bool is_fused) {
    float sums[2] = {0, 0};
    for (int k = 0; k < 12; ++k)
        for (const int lane : {0, 7}) {
            float a = static_cast<float>(k + lane);
            for (int n = 0; n < rounds; ++n) {
                const volatile float product = a * 0.999f;
                a = is_fused ? std::fma(a, 0.999f, 0.001f) : product + 0.001f;
            }
            sums[lane / 7] += a;
        }
    return sums[0] + sums[1];
}

TEST(bench_machine, fused_peak_rounds_once_and_the_other_twice) {
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("fma")) GTEST_SKIP() << "this processor has no fused operations";
#endif
    constexpr int kRounds = 100;
    ASSERT_NE(sink_after(kRounds, true), sink_after(kRounds, false));
    float fused = 0, apart = 0;
    speed::peak_fma(kRounds, &fused);
    speed::peak_avx2(kRounds, &apart);
    EXPECT_EQ(fused, sink_after(kRounds, true));
    EXPECT_EQ(apart, sink_after(kRounds, false));
}

}  // namespace
}  // namespace ringlet
