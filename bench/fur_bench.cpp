// Measures the speed of the fur tips relative to a plain implementation of the course assignment's
// loop, and the CPU time of one frame of a large coat.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "fur/coat.h"

namespace ringlet {
namespace {

// A sphere of around / 2 + 1 rings with `around` vertices each.
Pelt ball(int around) {
    Mesh mesh;
    const int rings = around / 2;
    for (int r = 0; r <= rings; ++r)
        for (int k = 0; k < around; ++k) {
            const SinCos<float> up =
                sin_cos(kPi * (static_cast<float>(r) / static_cast<float>(rings) - 0.5f));
            const SinCos<float> turn =
                sin_cos(2 * kPi * static_cast<float>(k) / static_cast<float>(around));
            mesh.positions.push_back({up.cos * turn.cos, up.sin, up.cos * turn.sin});
        }
    const auto at = [&](int r, int k) {
        return static_cast<std::uint32_t>(r * around + k % around);
    };
    for (int r = 0; r < rings; ++r)
        for (int k = 0; k < around; ++k)
            for (const std::uint32_t i : {at(r, k), at(r + 1, k), at(r + 1, k + 1), at(r, k),
                                          at(r + 1, k + 1), at(r, k + 1)})
                mesh.indices.push_back(i);
    return *make_pelt(mesh, "");
}

double best_seconds(const std::function<void()>& run, int rounds) {
    double best = 1e9;
    for (int k = 0; k < rounds; ++k) {
        const auto start = std::chrono::steady_clock::now();
        run();
        best = std::min(
            best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

struct PlainTip {
    Vec3f p, n, t, v;
};

// The assignment's loop over a vector of vertices, in plain scalar code.
void plain_loop(std::vector<PlainTip>& tips, const FurSettings& s, int steps) {
    for (int k = 0; k < steps; ++k)
        for (PlainTip& tip : tips) {
            const Vec3f rest = tip.p + tip.n * s.length;
            const Vec3f f = Vec3f{0, -s.gravity, 0} + (rest - tip.t) * s.stiffness;
            tip.t += tip.v * s.dt;
            const Vec3f d = tip.t - tip.p;
            tip.t = tip.p + d * (s.length / std::sqrt(dot(d, d)));
            tip.v = (tip.v + f * s.dt) * s.damping;
        }
}

// A mesh that rotates by 1 mrad per step.
std::vector<FurCoat::StepInput> moving(int steps) {
    std::vector<FurCoat::StepInput> out;
    for (int k = 0; k < steps; ++k)
        out.push_back(
            {{quat_from_axis_angle(Vec3f{0, 1, 0}, 1e-3f * static_cast<float>(k)), {0, 0, 0}}});
    return out;
}

// Returns tip-steps per second. `wave_count` is the number of turbulence waves, 0 for none.
double coat_rate(const Pelt& pelt, FurStyle style, int wave_count, int threads) {
    FurSettings settings;
    settings.style = style;
    settings.unit = 1;
    FurCoat coat(pelt, settings, {});
    const TaskPool pool(threads);
    const std::vector<AirWave> waves(static_cast<std::size_t>(wave_count),
                                     {{1, 0.5f, 0}, 0.1f, {0, 0, 0.1f}});
    const std::vector<FurCoat::StepInput> steps = moving(settings.steps);
    constexpr int kFrames = 2;  // short, so that some rounds run undisturbed
    const double seconds = best_seconds(
        [&] {
            for (int k = 0; k < kFrames; ++k) coat.advance(steps, {}, {.waves = waves}, pool);
        },
        100);
    return static_cast<double>(coat.vertex_count()) * settings.steps * kFrames / seconds;
}

void print_rates(const Pelt& pelt) {
    std::vector<PlainTip> tips;
    const FurSettings s;
    for (std::size_t i = 0; i < pelt.positions.size(); ++i)
        tips.push_back({pelt.positions[i],
                        pelt.normals[i],
                        pelt.positions[i] + pelt.normals[i] * s.length,
                        {0, 0, 0}});
    const double plain =
        static_cast<double>(tips.size()) * 20 / best_seconds([&] { plain_loop(tips, s, 20); }, 100);
    std::printf("%d tips, 10 steps a frame; M tip-steps/s\n", pelt.vertex_count());
    std::printf("  plain scalar loop               %7.0f\n", plain * 1e-6);
    struct Kind {
        const char* name;
        FurStyle style;
        int wave_count;
    };
    for (const Kind& kind :
         {Kind{"original", FurStyle::original, 0}, Kind{"shells", FurStyle::shells, 0},
          Kind{"shells, turbulence", FurStyle::shells, 24}})
        for (const int threads : {1, 0}) {
            const double rate = coat_rate(pelt, kind.style, kind.wave_count, threads);
            std::printf("  %-18s %s  %7.0f  %5.1f of the loop, %5.1f of the assignment's 33\n",
                        kind.name, threads == 1 ? "one thread " : "all threads", rate * 1e-6,
                        rate / plain, rate / 33e6);
        }
}

// Prints the CPU time of one frame: tips, packed directions, edges for fins.
void print_frame(const Pelt& pelt) {
    FurSettings settings;
    settings.style = FurStyle::shells;
    settings = with_few_steps(settings);
    FurCoat coat(pelt, settings, {});
    const TaskPool pool;
    const std::vector<FurCoat::StepInput> steps = moving(settings.steps);
    std::vector<PackedTip> tips;
    std::vector<std::uint32_t> edges;
    const double seconds = best_seconds(
        [&] {
            coat.advance(steps, {}, pool);
            coat.directions(0.5f, tips, pool);
            find_edges_seen_edge_on(pelt, {0, 1, 5}, 0.4f, edges);
        },
        100);
    std::printf("a frame of %d vertices x %d shells: %.2f ms of CPU, %.2f MB to upload\n",
                pelt.vertex_count(), settings.shells, seconds * 1e3,
                static_cast<double>(tips.size() * sizeof(PackedTip) +
                                    edges.size() * sizeof(std::uint32_t)) *
                    1e-6);
}

}  // namespace
}  // namespace ringlet

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    ringlet::print_rates(ringlet::ball(62));   // 1,984 vertices, as many as the assignment's bunny
    ringlet::print_rates(ringlet::ball(264));  // 35,112
    ringlet::print_frame(ringlet::ball(264));
    return 0;
}
