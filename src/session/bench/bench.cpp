#include "ringlet/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "bench/machine.h"
#include "scene/nearest_name.h"
#include "session/bench/bench_comparisons.h"
#include "session/bench/bench_device.h"
#include "session/bench/bench_scaling.h"
#include "session/boundary.h"
#include "session/json_text.h"
#include "sim/models/registry.h"

namespace ringlet {

namespace {

BenchMachine measure_machine(int threads) {
    const speed::PeakRate peak = speed::measure_peak_rate();
    return {threads, peak.separate, peak.fused, speed::measure_bandwidth(), "", 0};
}

Result<std::vector<int>> wanted_models(const std::string& wanted) {
    std::vector<int> out;
    std::vector<std::string> known;
    for (const ModelEntry& model : all_models()) {
        if (wanted.empty() || wanted == model.name) out.push_back(static_cast<int>(known.size()));
        known.emplace_back(model.name);
    }
    if (!out.empty()) return out;
    const std::string near = nearest_name(wanted, known);
    std::string listed;
    for (const std::string& name : known) listed += (listed.empty() ? "" : ", ") + name;
    return Error{fmt::format("no model \"{}\"; {}the models are {}", wanted,
                             near.empty() ? "" : "did you mean \"" + near + "\"? ", listed)};
}

struct Size {
    int strands, vertices;
};

std::vector<Size> sizes_for(const BenchOptions& options) {
    std::vector<Size> out;
    if (options.strands > 0) {
        const bool many = options.strands > 100000;
        for (const int vertices : {16, 32, 64})
            if (vertices == 32 || !(options.quick || many))
                out.push_back({options.strands, vertices});
        return out;
    }
    if (options.scaling) {
        for (const int strands : {1000, 10000, 100000, 1000000})
            out.push_back({strands, kScalingVertices});
        for (const int vertices : {8, 16, 64, 128}) out.push_back({kScalingStrands, vertices});
        return out;
    }
    if (options.quick) return {{1000, 32}};
    for (const int strands : {500, 1000, 10000})
        for (const int vertices : {16, 32, 64}) out.push_back({strands, vertices});
    out.push_back({100000, 32});
    return out;
}

// The grid scales differently from the strands, but equally for all models, so two models suffice.
std::vector<BenchWorld> worlds_for(const BenchOptions& options, int model) {
    const std::string_view name = all_models()[static_cast<std::size_t>(model)].name;
    if (options.scaling && name != "ftl" && name != "rod") return {BenchWorld::alone};
    if (options.scaling) return {BenchWorld::alone, BenchWorld::grid};
    return {BenchWorld::alone, BenchWorld::grid, BenchWorld::both};
}

// Measures all models in all worlds at one size. Grows the hair once.
Result<void> measure_size(const BenchRun& run, Size size, const std::vector<int>& models,
                          const std::function<void()>& tick) {
    Result<BenchHair> hair = run.groomer.grow(size.strands, size.vertices, run.pool);
    if (!hair) return hair.error();
    const int threads = std::max(run.options.threads, 1);
    for (const int model : models)
        for (const BenchWorld world : worlds_for(run.options, model)) {
            std::vector<Contender> one;
            one.push_back(ringlet_on_cpu(with_model(*hair, model, world), world, threads));
            race(one, frames_for(one[0].vertices), run.out.machine);
            one[0].row.group = "models";
            run.out.rows.push_back(std::move(one[0].row));
            tick();
        }
    return {};
}

using Comparison = Result<void> (*)(const BenchRun&);
struct ModelComparison {
    const char* model;
    Comparison run;
};
constexpr ModelComparison kComparisons[] = {{"pbd", race_pbd},
                                            {"ftl", race_ftl},
                                            {"rod", rod_rates},
                                            {"rod", rod_costs},
                                            {"rod", frame_budget}};

constexpr const char* kHeading =
    "model          hair world            cpu ns/v/sub  ms/60th at 60 Hz B/vert     MB  peak   mem"
    "  stretch  touch  hash\n";

std::string line_of(const BenchRow& row) {
    const Report& report = row.report;
    std::string out = fmt::format("{:<7}{:>12} {:<17}{:>3}{:>9.2f}{:>9.2f}{:>9.0f}", report.model,
                                  fmt::format("{}x{}", report.strands, row.strand_vertices),
                                  row.world, report.threads, row.ns_per_vertex_substep,
                                  row.ms_per_60th, row.strands_at_60hz);
    out += fmt::format("{:>7.0f}{:>7.0f}{:>5.0f}%{:>5.0f}%", row.bytes_per_vertex,
                       static_cast<double>(report.peak_memory_bytes) / 1e6, row.share_of_peak * 100,
                       row.share_of_bandwidth * 100);
    out += fmt::format("{:>8.3f}%{:>6.0f}%  {}", report.max_stretch * 100, row.touching * 100,
                       report.hash);
    return out + (row.program == "ringlet" ? "" : row.program) + "\n";
}

}  // namespace

Result<Bench> bench(const BenchOptions& options, const Listener& listener) try {
    const Result<std::vector<int>> models = wanted_models(options.model);
    if (!models) return models.error();
    if (options.backend == Backend::cuda) return bench_device(options, *models, listener);
    const TaskPool pool;
    Bench out;
    out.machine = measure_machine(pool.thread_count());
    Result<BenchGroomer> groomer = BenchGroomer::open(options.overrides);
    if (!groomer) return groomer.error();
    const BenchRun run{out, *groomer, options, pool};
    const std::vector<Size> sizes = sizes_for(options);
    std::vector<Comparison> comparisons;
    for (const ModelComparison& each : kComparisons)
        if (options.strands == 0 && !options.scaling &&
            (options.model.empty() || options.model == each.model))
            comparisons.push_back(each.run);
    std::size_t rows = 0;
    for (const int model : *models) rows += worlds_for(options, model).size();
    const int total = static_cast<int>(sizes.size() * rows + comparisons.size());
    int done = 0;
    bool goes_on = listener.proceed("measuring", done, total);
    const auto tick = [&] { goes_on = listener.proceed("measuring", ++done, total) && goes_on; };
    for (const Comparison compare : comparisons) {
        if (!goes_on) break;
        const Result<void> measured = compare(run);
        if (!measured) return measured.error();
        tick();
    }
    for (const Size size : sizes) {
        if (!goes_on) break;
        const Result<void> measured = measure_size(run, size, *models, tick);
        if (!measured) return measured.error();
    }
    return out;
} catch (...) {
    return error_from_exception();
}

Result<void> write_bench(const std::string& path, const Bench& bench) try {
    const std::string kind = std::filesystem::path(path).extension().string();
    if (kind == ".svg") return write_file(path, scaling_svg(bench));
    if (kind == ".md") return write_file(path, scaling_tables(bench));
    return write_file(path, bench.to_json());
} catch (...) {
    return error_from_exception();
}

std::string Bench::to_json() const {
    nlohmann::ordered_json json = {{"machine",
                                    {{"threads", machine.threads},
                                     {"peak_gflops_per_core", machine.peak_gflops},
                                     {"fused_peak_gflops_per_core", machine.fused_peak_gflops},
                                     {"bandwidth_gb_per_second_per_core", machine.bandwidth}}},
                                   {"targets", nlohmann::ordered_json::array()},
                                   {"rows", nlohmann::ordered_json::array()}};
    if (!machine.device.empty())
        json["machine"].update({{"device", machine.device},
                                {"device_bandwidth_gb_per_second", machine.device_bandwidth}});
    for (const BenchTarget& target : targets)
        json["targets"].push_back({{"what", target.what},
                                   {"measured", target.measured},
                                   {"wanted", target.wanted},
                                   {"at_least", target.at_least},
                                   {"unit", target.unit},
                                   {"met", target.is_met()}});
    for (const BenchRow& row : rows) {
        nlohmann::ordered_json out = {{"group", row.group},
                                      {"program", row.program},
                                      {"world", row.world},
                                      {"strand_vertices", row.strand_vertices},
                                      {"ns_per_vertex_substep", row.ns_per_vertex_substep},
                                      {"ms_per_60th", row.ms_per_60th},
                                      {"strands_at_60hz", row.strands_at_60hz},
                                      {"bytes_per_vertex", row.bytes_per_vertex},
                                      {"touching_strands", row.touching},
                                      {"operations_per_vertex_substep", row.operations},
                                      {"share_of_peak", row.share_of_peak},
                                      {"share_of_bandwidth", row.share_of_bandwidth}};
        for (const BenchStage& stage : row.stages)
            out["stages"].push_back({{"name", stage.name},
                                     {"ms", stage.ms},
                                     {"minimum_bytes_per_vertex_substep", stage.minimum_bytes},
                                     {"time_bytes_per_vertex_substep", stage.time_bytes}});
        if (row.as_on_cpu) out["hash_is_the_cpus"] = *row.as_on_cpu;
        for (const BenchMemory& use : row.memory)
            out["bytes_per_vertex_of"][use.what] = use.bytes_per_vertex;
        out.update(nlohmann::ordered_json::parse(row.report.to_json()));
        json["rows"].push_back(std::move(out));
    }
    return json_text(json, 1);
}

std::string Bench::to_table() const {
    const bool on_device = !machine.device.empty();
    std::string out =
        on_device
            ? fmt::format("{}, a copy reads and writes {:.0f} GB/s\n", machine.device,
                          machine.device_bandwidth)
            : fmt::format("{} cores, each {:.0f} GFLOP/s ({:.0f} fused) and {:.1f} GB/s at most\n",
                          machine.threads, machine.peak_gflops, machine.fused_peak_gflops,
                          machine.bandwidth);
    std::string group;
    for (const BenchRow& row : rows) {
        if (row.group != group) {
            group = row.group;
            out += "\n" + group + "\n" + (on_device ? kDeviceHeading : kHeading);
        }
        out += on_device ? device_lines(row) : line_of(row);
    }
    if (!targets.empty()) out += "\n";
    for (const BenchTarget& target : targets)
        out += fmt::format("{:<62}{:>8.2f} {} (wanted: {} {:g}){}\n", target.what, target.measured,
                           target.unit, target.at_least ? "at least" : "at most", target.wanted,
                           target.is_met() ? "" : "  MISSED");
    return out;
}

}  // namespace ringlet
