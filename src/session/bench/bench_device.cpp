#include "session/bench/bench_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/models/registry.h"

namespace ringlet {

namespace {

constexpr int kVertices = 32;
// The world "grid + collision" with most strands in contact with the bust.
constexpr const char* kLying = "lying on it";
constexpr int kMostCompared = 10000;  // strands; the CPU takes too long for more
// Frames of two steps each. Hair needs half a second to lie down.
constexpr int kWarmUp = 15, kFrames = 15;

std::vector<int> strand_counts_for(const BenchOptions& options) {
    if (options.strands > 0) return {options.strands};
    if (options.quick) return {1000, 10000, 100000};
    return {1000, 10000, 100000, 1000000};
}

std::string_view name_of_model(int model) {
    return all_models()[static_cast<std::size_t>(model)].name;
}
bool is_rod(int model) { return name_of_model(model) == "rod"; }

// The other models take too long to prepare a million strands.
bool is_measured(int model, int strands) {
    return strands <= 100000 || is_rod(model) || name_of_model(model) == "ftl";
}

std::string hash_on_cpu(const BenchHair& hair, int steps, const TaskPool& pool) {
    Simulation cpu(*hair.rest, hair.settings, hair.world, hair.seed, LaneKind::automatic, 0,
                   nullptr, pool);
    while (cpu.step_count() < steps) cpu.step(pool);
    return hash_of(cpu.state().x, cpu.state().v).hex();
}

// Medians over frames of `seconds`, which is indexed by frame and stage.
std::vector<BenchStage> stages_of(std::span<const StageTime> last,
                                  const std::vector<std::vector<double>>& seconds,
                                  double vertex_substeps, double bandwidth) {
    std::vector<BenchStage> out;
    for (std::size_t k = 0; k < last.size(); ++k) {
        std::vector<double> of_frames;
        for (const std::vector<double>& frame : seconds) of_frames.push_back(frame[k]);
        const double one = median(std::move(of_frames));
        out.push_back({std::string(last[k].name), one * 1000,
                       static_cast<double>(last[k].minimum_bytes) / vertex_substeps,
                       one * bandwidth / vertex_substeps});
    }
    return out;
}

}  // namespace

BenchHair for_device(const BenchHair& hair, int model, BenchWorld world) {
    BenchHair out = with_model(hair, model, world);
    out.world.head = {};
    out.world.head.motion = MotionKind::shake;
    out.settings.rod.solves = 1;
    if (world == BenchWorld::alone) return out;
    out.settings.hair_hair.repulsion = 2;
    out.settings.hair_hair.volume = 4;
    return out;
}

BenchHair lying_down(BenchHair hair) {
    hair.settings.keep_gap = 0;
    hair.settings.rod.sag_free = false;
    return hair;
}

BenchRow measure_on_device(const BenchHair& hair, BenchWorld world, std::unique_ptr<Device> device,
                           double bandwidth) {
    const TaskPool pool;
    auto state = std::make_shared<BenchSimulation>(
        BenchSimulation{Simulation(*hair.rest, hair.settings, hair.world, hair.seed,
                                   LaneKind::automatic, 0, std::move(device), pool),
                        TaskPool()});
    std::vector<Contender> one;
    one.push_back(contender_of(state, hair, world));
    std::vector<std::vector<double>> seconds;
    // Two steps per frame, so that the host prepares a step while the GPU computes the previous
    // one.
    one[0].step = [&] {
        for (int k = 0; k < 2; ++k) state->simulation.step(state->pool);
        double sum = 0;
        std::vector<double>& frame = seconds.emplace_back();
        for (const StageTime& stage : state->simulation.stage_times()) {
            frame.push_back(stage.seconds);
            sum += stage.seconds;
        }
        return sum;
    };
    for (int k = 0; k < kWarmUp; ++k) one[0].step();
    race(one, kFrames, {});
    seconds.erase(seconds.begin(), seconds.end() - kFrames);
    BenchRow row = std::move(one[0].row);
    const double vertex_substeps = static_cast<double>(one[0].vertices) * one[0].substeps;
    row.group = "models";
    row.stages = stages_of(state->simulation.stage_times(), seconds, vertex_substeps, bandwidth);
    double least = 0;
    for (const BenchStage& stage : row.stages) least += stage.minimum_bytes;
    row.share_of_peak = 0;
    row.share_of_bandwidth = least / (row.ns_per_vertex_substep * 1e-9 * bandwidth);
    if (row.report.strands <= kMostCompared)
        row.as_on_cpu = hash_on_cpu(hair, state->simulation.step_count(), pool) == row.report.hash;
    return row;
}

std::vector<BenchTarget> device_targets(std::span<const BenchRow> rows) {
    struct Goal {
        BenchWorld world;
        int strands;
        double ms;
    };
    constexpr Goal kTargets[] = {{BenchWorld::alone, 1000, 0.15},  {BenchWorld::alone, 10000, 0.25},
                                 {BenchWorld::alone, 100000, 0.9}, {BenchWorld::alone, 1000000, 8},
                                 {BenchWorld::both, 100000, 3},    {BenchWorld::both, 1000000, 33}};
    std::vector<BenchTarget> out;
    for (const Goal& target : kTargets)
        for (const BenchRow& row : rows)
            if (row.report.model == "rod" && row.report.strands == target.strands &&
                row.world == name_of(target.world) && row.strand_vertices == kVertices)
                out.push_back(
                    {fmt::format("rod, {} x {}, {}: 1/60 s", target.strands, kVertices, row.world),
                     row.ms_per_60th, target.ms, false, "ms"});
    double compared = 0, same = 0;
    for (const BenchRow& row : rows) {
        compared += row.as_on_cpu ? 1 : 0;
        same += row.as_on_cpu.value_or(false) ? 1 : 0;
    }
    if (compared > 0) out.push_back({"rows whose hash is the CPU's", same, compared, true, "rows"});
    return out;
}

Result<Bench> bench_device(const BenchOptions& options, std::span<const int> models,
                           const Listener& listener) {
    Result<std::unique_ptr<Device>> device = open_cuda_device();
    if (!device) return device.error();
    const TaskPool pool;
    Bench out;
    out.machine.threads = pool.thread_count();
    out.machine.device = (*device)->name();
    const double bandwidth = (*device)->measure_bandwidth();
    out.machine.device_bandwidth = bandwidth * 1e-9;
    Result<BenchGroomer> groomer = BenchGroomer::open(options.overrides);
    if (!groomer) return groomer.error();
    const std::vector<int> sizes = strand_counts_for(options);
    const int total = static_cast<int>(sizes.size() * models.size());
    int done = 0;
    for (const int strands : sizes) {
        const Result<BenchHair> hair = groomer->grow(strands, kVertices, pool);
        if (!hair) return hair.error();
        for (const int model : models) {
            if (!listener.proceed("measuring", done++, total)) return out;
            if (options.strands == 0 && !is_measured(model, strands)) continue;
            const auto add = [&](const BenchHair& own, BenchWorld world) -> BenchRow& {
                return out.rows.emplace_back(
                    measure_on_device(own, world, std::move(*open_cuda_device()), bandwidth));
            };
            for (const BenchWorld world : {BenchWorld::alone, BenchWorld::both})
                add(for_device(*hair, model, world), world);
            if (is_rod(model))
                add(lying_down(for_device(*hair, model, BenchWorld::both)), BenchWorld::both)
                    .world = kLying;
        }
    }
    out.targets = device_targets(out.rows);
    listener.proceed("measuring", total, total);
    return out;
}

const char* const kDeviceHeading =
    "model          hair world             ns/v/sub  ms/60th  at 60 Hz   least      time  stretch"
    "  touch  hash\n"
    "  ms of each stage (bytes per vertex and substep: minimum, and those a copy moves in the "
    "time)\n";

std::string device_lines(const BenchRow& row) {
    const Report& report = row.report;
    double least = 0, time = 0;
    for (const BenchStage& stage : row.stages) {
        least += stage.minimum_bytes;
        time += stage.time_bytes;
    }
    std::string out =
        fmt::format("{:<7}{:>12} {:<17}{:>9.4f}{:>9.3f}{:>10.0f}{:>6.0f} B{:>8.0f} B", report.model,
                    fmt::format("{}x{}", report.strands, row.strand_vertices), row.world,
                    row.ns_per_vertex_substep, row.ms_per_60th, row.strands_at_60hz, least, time);
    out += fmt::format("{:>8.3f}%{:>6.0f}%  {}{}\n", report.max_stretch * 100, row.touching * 100,
                       report.hash,
                       !row.as_on_cpu   ? ""
                       : *row.as_on_cpu ? ", the CPU's"
                                        : ", NOT the CPU's");
    std::string stages;
    for (const BenchStage& stage : row.stages)
        stages += fmt::format("{}{} {:.3f} ({:.0f}, {:.0f})", stages.empty() ? "  " : "; ",
                              stage.name, stage.ms, stage.minimum_bytes, stage.time_bytes);
    return out + stages + "\n";
}

}  // namespace ringlet
