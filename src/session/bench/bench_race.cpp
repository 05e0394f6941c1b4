#include "session/bench/bench_race.h"

#include <algorithm>

#include "bench/machine.h"
#include "sim/models/registry.h"

namespace ringlet {

namespace {

void add(Report& report, const Measurement& now, double& sum_stretch, std::int64_t& segments) {
    report.max_stretch = std::max(report.max_stretch, now.max_stretch);
    report.max_penetration = std::max(report.max_penetration, now.max_penetration);
    report.penetrating_vertices = std::max(report.penetrating_vertices, now.penetrating_vertices);
    report.nonfinite_vertices = std::max(report.nonfinite_vertices, now.nonfinite_vertices);
    sum_stretch += now.sum_stretch;
    segments += now.segment_count;
}

void fill_row(Contender& c, const BenchMachine& machine) {
    BenchRow& row = c.row;
    Report& report = row.report;
    const double frame = median(c.seconds), substep = frame / c.substeps;
    const auto vertices = static_cast<double>(c.vertices);
    report.frames = static_cast<int>(c.seconds.size());
    report.substeps = c.substeps;
    report.dt = c.dt;
    report.vertices = c.vertices;
    for (const double s : c.seconds) report.seconds += s;
    report.ms_per_frame = frame * 1000;
    report.vertex_steps_per_second = vertices / substep;
    row.ns_per_vertex_substep = substep / vertices * 1e9;
    row.ms_per_60th = frame * 1000 / (60 * c.dt);
    row.strands_at_60hz = report.strands / (row.ms_per_60th * 60 / 1000);
    const double threads = report.threads;
    row.share_of_peak =
        row.operations / row.ns_per_vertex_substep / (machine.peak_gflops * threads);
    row.share_of_bandwidth =
        row.bytes_per_vertex / row.ns_per_vertex_substep / (machine.bandwidth * threads);
}

// The fraction of strands with a vertex within 2 mm of a collider.
double touching_share(const Simulation& simulation, const TaskPool& pool) {
    constexpr float kNear = 0.002f;
    const Channel<3>& x = simulation.state().x;
    std::vector<char> touches(static_cast<std::size_t>(x.layout().strand_count()), 0);
    pool.for_each(x.layout().strand_count(), [&](int s) {
        char& one = touches[static_cast<std::size_t>(s)];
        for (int i = 2; i < x.layout().vertex_count(s) && !one; ++i)
            for (const PlacedCollider& body : simulation.colliders())
                if (nearest_surface(body, x.vec3(s, i)).distance < kNear) one = 1;
    });
    const auto touching = std::count(touches.begin(), touches.end(), 1);
    return static_cast<double>(touching) / std::max(x.layout().strand_count(), 1);
}

}  // namespace

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

int frames_for(std::int64_t vertices) {
    return static_cast<int>(
        3 + std::min<std::int64_t>(1000000 / std::max<std::int64_t>(vertices, 1), 40));
}

Contender contender_of(const std::shared_ptr<BenchSimulation>& state, const BenchHair& hair,
                       BenchWorld world) {
    const StrandLayout& layout = *hair.rest->layout;
    Contender out;
    out.row.program = "ringlet";
    out.row.world = name_of(world);
    out.row.strand_vertices = layout.strand_count() > 0 ? layout.vertex_count(0) : 0;
    Report& report = out.row.report;
    report.scene = "curls";
    report.model = all_models()[static_cast<std::size_t>(hair.settings.model)].name;
    report.backend = state->simulation.device() ? "cuda" : "cpu";
    report.threads = state->pool.thread_count();
    report.strands = layout.strand_count();
    out.substeps = hair.settings.substeps;
    out.dt = static_cast<double>(hair.settings.dt);
    out.vertices = layout.vertex_total();
    for (const MemoryUse& use : state->simulation.memory()) {
        const double bytes = static_cast<double>(use.bytes) /
                             static_cast<double>(std::max<std::int64_t>(out.vertices, 1));
        out.row.memory.push_back({use.what, bytes});
        out.row.bytes_per_vertex += bytes;
    }
    out.measure = [state] { return state->simulation.measure(state->pool); };
    out.touching = [state] { return touching_share(state->simulation, state->pool); };
    out.hash = [state] {
        return hash_of(state->simulation.state().x, state->simulation.state().v).hex();
    };
    return out;
}

Contender ringlet_on_cpu(const BenchHair& hair, BenchWorld world, int threads, double settle) {
    speed::reset_peak_memory();
    auto state = std::make_shared<BenchSimulation>(BenchSimulation{
        Simulation(*hair.rest, hair.settings, hair.world, hair.seed), TaskPool(threads)});
    if (settle > 0) state->simulation.settle(settle, TaskPool());
    Contender out = contender_of(state, hair, world);
    out.row.operations = count_operations(hair);
    const bool alone = out.row.report.threads == 1;
    out.step = [state, alone] {
        const double start = alone ? speed::thread_seconds() : speed::wall_seconds();
        state->simulation.step(state->pool);
        return (alone ? speed::thread_seconds() : speed::wall_seconds()) - start;
    };
    return out;
}

void race(std::vector<Contender>& contenders, int frames, const BenchMachine& machine) {
    std::vector<double> sums(contenders.size(), 0);
    std::vector<std::int64_t> segments(contenders.size(), 0);
    for (int frame = 0; frame <= frames; ++frame)
        for (std::size_t k = 0; k < contenders.size(); ++k) {
            Contender& c = contenders[k];
            const double spent = c.step();
            if (frame > 0) c.seconds.push_back(spent);
            add(c.row.report, c.measure(), sums[k], segments[k]);
        }
    for (std::size_t k = 0; k < contenders.size(); ++k) {
        Contender& c = contenders[k];
        c.row.report.mean_stretch =
            sums[k] / static_cast<double>(std::max<std::int64_t>(segments[k], 1));
        c.row.report.hash = c.hash();
        if (c.touching) c.row.touching = c.touching();
        c.row.report.peak_memory_bytes = speed::peak_memory();
        fill_row(c, machine);
    }
}

}  // namespace ringlet
