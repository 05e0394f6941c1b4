#include "session/bench/bench_comparisons.h"

#include <algorithm>

#include "bench/machine.h"
#include "bench/textbook_ftl.h"
#include "sim/models/registry.h"

namespace ringlet {

namespace {

using speed::Polylines;

int model_index(std::string_view name) {
    const std::span<const ModelEntry> models = all_models();
    for (std::size_t k = 0; k < models.size(); ++k)
        if (name == models[k].name) return static_cast<int>(k);
    return 0;
}

Polylines polylines_of(const StrandSet& strands) {
    Polylines out;
    for (int s = 0; s < strands.strand_count(); ++s) {
        out.emplace_back();
        for (int i = 0; i < strands.layout->vertex_count(s); ++i)
            out.back().push_back(strands.position.vec3(s, i));
    }
    return out;
}

Measurement stretch_of(const Polylines& now, const Polylines& rest) {
    Measurement out;
    for (std::size_t s = 0; s < now.size(); ++s)
        for (std::size_t i = 1; i < now[s].size(); ++i) {
            const double wanted = norm(rest[s][i] - rest[s][i - 1]);
            const double stretch =
                std::abs(static_cast<double>(norm(now[s][i] - now[s][i - 1])) / wanted - 1);
            if (!(stretch < 1e9)) {
                ++out.nonfinite_vertices;
                continue;
            }
            out.max_stretch = std::max(out.max_stretch, stretch);
            out.sum_stretch += stretch;
            ++out.segment_count;
        }
    return out;
}

// Wraps any program with step() and positions(); one thread.
template <class Program>
Contender textbook(std::string name, std::string model, std::shared_ptr<Program> program,
                   const BenchHair& hair) {
    auto rest = std::make_shared<Polylines>(polylines_of(*hair.rest));
    Contender out;
    out.row.program = std::move(name);
    out.row.world = "alone";
    out.row.strand_vertices = hair.rest->layout->vertex_count(0);
    out.row.report.scene = "curls";
    out.row.report.model = std::move(model);
    out.row.report.backend = "cpu";
    out.row.report.threads = 1;
    out.row.report.strands = hair.rest->strand_count();
    out.dt = static_cast<double>(hair.settings.dt);
    out.vertices = hair.rest->layout->vertex_total();
    out.step = [program] {
        const double start = speed::thread_seconds();
        program->step();
        return speed::thread_seconds() - start;
    };
    out.measure = [program, rest] { return stretch_of(program->positions(), *rest); };
    out.hash = [] { return std::string(); };
    return out;
}

void keep_rows(const BenchRun& run, const char* group, std::vector<Contender>& contenders) {
    for (Contender& c : contenders) {
        c.row.group = group;
        run.out.rows.push_back(std::move(c.row));
    }
}

// Ratio of the median times for the same simulated time.
double times_faster(const Contender& slow, const Contender& fast) {
    return median(slow.seconds) / median(fast.seconds);
}

}  // namespace

Result<void> race_pbd(const BenchRun& run) {
    Result<BenchHair> grown = run.groomer.grow(10000, 30, run.pool);
    if (!grown) return grown.error();
    BenchHair hair = with_model(*grown, model_index("pbd"), BenchWorld::alone);
    hair.world.head = {};
    hair.settings.substeps = 1;
    hair.settings.iterations = 10;
    hair.settings.clamp_root = false;
    hair.settings.pbd = {};
    hair.settings.pbd.length_solves = 0;
    hair.settings.pbd.stiffness_step = 0;
    hair.settings.pbd.pairs = {{.span = 2, .rest = 0.9f}, {.span = 4, .rest = 1.9f}};
    const Polylines rest = polylines_of(*hair.rest);
    const speed::TextbookStep step;
    const auto by_strand = speed::SweepOrder::strand_by_strand;
    std::vector<Contender> all;
    all.push_back(ringlet_on_cpu(hair, BenchWorld::alone, 1));
    all.push_back(textbook("textbook A", "pbd",
                           std::make_shared<speed::TextbookPbd>(rest, step, by_strand), hair));
    all.push_back(
        textbook("textbook A, all strands per iteration", "pbd",
                 std::make_shared<speed::TextbookPbd>(rest, step, speed::SweepOrder::world), hair));
    all.push_back(textbook("textbook A, virtual solve()", "pbd",
                           std::make_shared<speed::VirtualPbd>(rest, step, by_strand), hair));
    all.push_back(
        textbook("textbook A, virtual solve(), all strands per iteration", "pbd",
                 std::make_shared<speed::VirtualPbd>(rest, step, speed::SweepOrder::world), hair));
    race(all, 9, run.out.machine);
    run.out.targets.push_back({"pbd, 10 iterations, 10,000 x 30: times a textbook",
                               times_faster(all[1], all[0]), 15, true, "x"});
    keep_rows(run, "pbd and textbook A", all);
    return {};
}

Result<void> race_ftl(const BenchRun& run) {
    Result<BenchHair> grown = run.groomer.grow(10000, 30, run.pool);
    if (!grown) return grown.error();
    BenchHair hair = with_model(*grown, model_index("ftl"), BenchWorld::alone);
    const speed::TextbookFtlStep step{.low = {-1.84f, -1.5f, -1.84f}};
    hair.world.head = {};
    hair.settings.dt = step.dt;
    hair.settings.substeps = 1;
    hair.settings.gravity = step.gravity;
    hair.settings.clamp_root = false;
    hair.settings.ftl = {.correction = step.correction, .bend_stiffness = 0, .sag_free = false};
    hair.settings.hair_hair = {.cell = step.cell,
                               .friction_per_step = step.friction,
                               .repulsion_per_step = step.repulsion,
                               .couplings = 1};
    std::vector<Contender> all;
    all.push_back(ringlet_on_cpu(hair, BenchWorld::grid, 1));
    all.push_back(textbook("textbook C, dense grid", "ftl",
                           std::make_shared<speed::TextbookFtl>(polylines_of(*hair.rest), step),
                           hair));
    all.back().row.world = "grid";
    race(all, 5, run.out.machine);
    run.out.targets.push_back({"ftl with the grid, 10,000 x 30: times a textbook",
                               times_faster(all[1], all[0]), 40, true, "x"});
    keep_rows(run, "ftl and textbook C", all);
    return {};
}

Result<void> rod_rates(const BenchRun& run) {
    Result<BenchHair> grown = run.groomer.grow(run.options.quick ? 1000 : 10000, 33, run.pool);
    if (!grown) return grown.error();
    const int rod = model_index("rod");
    BenchHair lying = with_model(*grown, rod, BenchWorld::alone);
    // A floor at the height of the neck: every strand lies on it.
    lying.world.colliders = {
        Collider{.shape = ColliderShape::plane, .centre = {0, 0.3f, 0}, .attached = false}};
    std::vector<Contender> all;
    all.push_back(ringlet_on_cpu(with_model(*grown, rod, BenchWorld::alone), BenchWorld::alone, 1));
    all.push_back(ringlet_on_cpu(lying, BenchWorld::collision, 1));
    all.back().row.world = "all lie on a floor";
    for (int settling = 0; settling < 20; ++settling) all.back().step();
    race(all, 9, run.out.machine);
    const auto rate = [&](const Contender& c) {
        const double segments = static_cast<double>(c.vertices) * 32 / 33;
        return segments * c.substeps * lying.settings.rod.solves / median(c.seconds) * 1e-6;
    };
    run.out.targets.push_back(
        {"rod without contact", rate(all[0]), 30, true, "M segment-solves/s"});
    run.out.targets.push_back(
        {"rod, hair lying on a floor", rate(all[1]), 18, true, "M segment-solves/s"});
    keep_rows(run, "rod's solves", all);
    return {};
}

Result<void> rod_costs(const BenchRun& run) {
    Result<BenchHair> grown = run.groomer.grow(10000, 32, run.pool);
    if (!grown) return grown.error();
    // Hair that sags under gravity comes to lie on the bust. With the bust moved forward by this
    // distance (m), a third of the strands are in contact after this time (s).
    constexpr float kForward = 0.07f;
    constexpr double kSettle = 0.5;
    grown->settings.rod.sag_free = false;
    grown->settings.rod.extra_solves = 0;  // equal solves for strands with and without contact
    grown->world.head = {};
    const int rod = model_index("rod");
    BenchHair far = with_model(*grown, rod, BenchWorld::collision);
    for (Collider& body : far.world.colliders) {  // ten metres below
        body.centre.y -= 10;
        body.attached = false;
    }
    BenchHair near = with_model(*grown, rod, BenchWorld::both);
    near.settings.keep_gap = 0;
    for (Collider& body : near.world.colliders) body.centre.z += kForward;
    std::vector<Contender> all;
    all.push_back(
        ringlet_on_cpu(with_model(*grown, rod, BenchWorld::alone), BenchWorld::alone, 1, kSettle));
    all.push_back(ringlet_on_cpu(near, BenchWorld::both, 1, kSettle));
    all.push_back(ringlet_on_cpu(far, BenchWorld::collision, 1, kSettle));
    all.back().row.world = "bodies out of reach";
    race(all, 9, run.out.machine);
    run.out.targets.push_back({"rod with grid and bodies, over the rod alone, at equal solves",
                               times_faster(all[1], all[0]), 2, false, "x"});
    run.out.targets.push_back({"rod with bodies out of reach, over the rod alone",
                               times_faster(all[2], all[0]), 1.15, false, "x"});
    keep_rows(run, "rod and its surroundings", all);
    return {};
}

Result<void> frame_budget(const BenchRun& run) {
    Result<BenchHair> grown = run.groomer.grow(10000, 32, run.pool);
    if (!grown) return grown.error();
    BenchHair hair = with_model(*grown, model_index("rod"), BenchWorld::both);
    hair.world.head.delay = 0;
    std::vector<Contender> all;
    all.push_back(ringlet_on_cpu(hair, BenchWorld::both, 0));
    // On a busy machine the wall-clock time includes other processes. CPU time divided by the
    // number of cores estimates the time of the frame on an idle machine.
    auto cpu_share = std::make_shared<std::vector<double>>();
    all[0].step = [step = all[0].step, cpu_share, threads = all[0].row.report.threads] {
        const double start = speed::process_seconds(), wall = step();
        cpu_share->push_back((speed::process_seconds() - start) / threads);
        return wall;
    };
    const int frames = run.options.quick ? 60 : 160;
    race(all, frames, run.out.machine);
    run.out.targets.push_back({"default scene, rod, 10,000 x 32, all cores: a frame",
                               median(all[0].seconds) * 1000, 50, false, "ms"});
    run.out.targets.push_back({"... its CPU time divided by the number of cores",
                               median(*cpu_share) * 1000, 50, false, "ms"});
    keep_rows(run, "frame budget", all);
    return {};
}

}  // namespace ringlet
