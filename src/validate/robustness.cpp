// Check of random scenes with violent motion: all values stay finite, and lengths recover.
#include <algorithm>

#include "validate/check.h"
#include "validate/lab.h"

namespace ringlet {

namespace {

using namespace lab;

constexpr float kMotionEnd = 0.5f;  // s
constexpr int kStrands = 8;         // one block

// The random numbers of one scene.
class Draws {
public:
    explicit Draws(std::uint32_t scene) : scene_(scene) {}
    float uniform() { return counter_uniform(0x726f6275, scene_, next_++); }
    float between(float low, float high) { return low + (high - low) * uniform(); }
    float log_between(float low, float high) { return low * std::pow(high / low, uniform()); }
    Vec3f direction() {
        const Vec3f a{between(-1, 1), between(-1, 1), between(-1, 1)};
        return unit_or(a, Vec3f{0, 1, 0});
    }

private:
    std::uint32_t scene_, next_ = 0;
};

StrandSet random_strands(Draws& draw) {
    std::vector<std::vector<Vec3f>> lines;
    const float most = draw.uniform() * draw.uniform();  // mostly short strands, which are cheap
    for (int k = 0; k < kStrands; ++k) {
        const float length = draw.log_between(0.01f, 2);
        const float share = k == 0 ? most : most * draw.uniform();
        const int vertices = 1 + static_cast<int>(share * 199.99f);
        const Vec3f root = draw.direction() * 0.1f, along = draw.direction();
        const bool is_curly = draw.uniform() < 0.5f;
        if (vertices == 1)
            lines.push_back({root});
        else if (is_curly)
            lines.push_back(helix(root, length * 0.05f, length * 0.2f, length * 0.54f, vertices));
        else
            lines.push_back(straight_line(root, along, length, vertices));
    }
    return strands_of(lines);
}

// Half a second of jumps of 1 m, rotations of up to 20 turns per second and pushes, then rest.
HeadMotion random_motion(Draws& draw) {
    HeadMotion out;
    Vec3f at{0, 0, 0}, angles{0, 0, 0};
    float time = 0;
    out.keys.push_back({time, at, angles});
    while (time < kMotionEnd - 0.06f) {
        const float kind = draw.uniform();
        float pause = draw.between(0.02f, 0.06f);
        if (kind < 0.4f) {
            // There and back: far from the origin, float precision would stretch short segments.
            at = norm(at) > 0.5f ? Vec3f{0, 0, 0} : draw.direction();
            pause = 1e-4f;
        } else if (kind < 0.7f) {
            angles += draw.direction() * (7200 * pause);
        } else {
            at += draw.direction() * 0.05f;
        }
        time += pause;
        out.keys.push_back({time, at, angles});
        time += draw.between(0, 0.04f);
        out.keys.push_back({time, at, angles});
    }
    return out;
}

struct SceneResult {
    std::int64_t nonfinite = 0;
    bool is_repaired = false;
    double stretch = 0;  // one second after the motion has stopped
};

SceneResult run_scene(const CheckRun& run, std::uint32_t scene) {
    Draws draw(scene);
    SimSettings settings = run.profile.settings();
    settings.damping = 1;
    settings.dt = draw.log_between(1.0f / 960, 1.0f / 24);
    // The model's usual substeps are for steps of 1/60 s; shorter steps need fewer.
    const float needed = std::ceil(static_cast<float>(settings.substeps) * 60 * settings.dt);
    settings.substeps = std::clamp(static_cast<int>(needed), 2, settings.substeps);
    run.profile.set_stiffness(settings, draw.uniform());
    World world;
    world.head = random_motion(draw);
    Simulation simulation = run.simulation(random_strands(draw), settings, world, scene);
    SceneResult out;
    while (simulation.time() < static_cast<double>(kMotionEnd) + 1) {
        simulation.step(run.pool);
        if (simulation.step_count() % 8 == 0)
            out.nonfinite += simulation.measure(run.pool).nonfinite_vertices;
    }
    out.is_repaired = simulation.collect_repaired().first >= 0;
    out.stretch = simulation.measure(run.pool).max_stretch;
    return out;
}

// The distribution of stretch over scenes.
Plot stretch_plot(const CheckRun& run, std::span<const double> sorted) {
    Plot plot;
    plot.name = "random_scenes";
    plot.title = "Stretch one second after violent motion";
    plot.x_label = "percentage of scenes with less stretch";
    plot.y_label = "largest stretch of a segment";
    plot.log_y = true;
    PlotCurve curve = measured_curve(run, true);
    const std::size_t every = std::max<std::size_t>(1, sorted.size() / 200);
    for (std::size_t k = 0; k < sorted.size(); k += every)
        curve.points.push_back({100 * static_cast<double>(k) / static_cast<double>(sorted.size()),
                                std::max(sorted[k], 1e-8)});
    curve.points.push_back({100, std::max(sorted.back(), 1e-8)});
    plot.curves = {theory_curve("allowed"), curve};
    plot.curves[0].points = {{0, 0.01}, {100, 0.01}};
    return plot;
}

CheckOutcome random_scenes(const CheckRun& run) {
    const int usual = run.is_full() ? 1000 : run.size == ValidationSize::quick ? 40 : 8;
    const int count = run.scenes > 0 ? run.scenes : usual;
    std::vector<SceneResult> results(static_cast<std::size_t>(count));
    run.pool.for_each(count, [&](int k) {
        results[static_cast<std::size_t>(k)] = run_scene(run, static_cast<std::uint32_t>(k));
    });
    double nonfinite = 0, repaired = 0, stretched = 0;
    std::vector<double> stretches;
    for (const SceneResult& one : results) {
        nonfinite += static_cast<double>(one.nonfinite);
        repaired += one.is_repaired;
        stretched += one.stretch > 0.01;
        stretches.push_back(one.stretch);
    }
    std::sort(stretches.begin(), stretches.end());
    CheckOutcome out;
    out.bound("vertices that are not finite", nonfinite, 0);
    out.bound("scenes with repaired strands", repaired, 0);
    out.bound("stretch after 1 s, largest", stretches.back(), 0.01);
    out.bound("stretch after 1 s, scenes over 1 %", stretched, 0);
    out.plots = {stretch_plot(run, stretches)};
    return out;
}

constexpr Check kRobustnessChecks[] = {
    {"random_scenes",
     "1,000 random scenes (quick: 40) of eight strands: 1 cm to 2 m, 1 to 200 vertices, steps of "
     "1/24 to 1/960 s, stiffness over six decades, roots that jump by 1 m and rotate at 20 turns "
     "per "
     "second.",
     "all values stay finite, and lengths recover", random_scenes},
};

}  // namespace

std::span<const Check> robustness_checks() { return kRobustnessChecks; }

}  // namespace ringlet
