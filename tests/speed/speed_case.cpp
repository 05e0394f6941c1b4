// A small fixed run of one model, for count_instructions.py to count: `speed_case rod`, or
// `speed_case grid` for hair-hair coupling. Always uses AVX2, so that the count is the same on
// every machine. `speed_case textbook`, `textbook_world`, `virtual` and `virtual_world` are what
// docs/performance.md compares: one step of 2,000 straight strands by the textbooks.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "bench/textbook_pbd.h"
#include "sim/models/registry.h"
#include "sim/simulation.h"

namespace {

using namespace ringlet;

constexpr int kVertices = 24, kSteps = 3;

// Curls in rows around a sphere of 10 cm, every third strand lying on it.
StrandSet curls(int strands) {
    const std::vector<int> counts(static_cast<std::size_t>(strands), kVertices);
    StrandSet out{StrandLayout(counts)};
    for (int s = 0; s < strands; ++s)
        for (int i = 0; i < kVertices; ++i) {
            const auto at = static_cast<float>(i), turn = at * 0.7f + static_cast<float>(s);
            const float away = s % 3 == 0 ? 0.1f : 0.13f;
            const Vec3f root = {away + 0.002f * static_cast<float>(s % 24),
                                0.1f - 0.012f * at + 0.004f * static_cast<float>(s / 24), 0};
            out.position.set_vec3(
                s, i, root + Vec3f{0.008f * std::cos(turn), 0, 0.008f * std::sin(turn)});
        }
    return out;
}

template <class Program>
int step_textbook(speed::SweepOrder order) {
    speed::Polylines strands(2000);
    for (std::size_t s = 0; s < strands.size(); ++s)
        for (int i = 0; i < 30; ++i)
            strands[s].push_back({static_cast<float>(s), -0.02f * static_cast<float>(i), 0});
    Program program(strands, {}, order);
    program.step();
    return program.positions()[0][29].y < 0 ? 0 : 1;
}

int run_textbook(const char* wanted) {
    const bool by_strand = !std::strstr(wanted, "_world");
    const auto order = by_strand ? speed::SweepOrder::strand_by_strand : speed::SweepOrder::world;
    return wanted[0] == 'v' ? step_textbook<speed::VirtualPbd>(order)
                            : step_textbook<speed::TextbookPbd>(order);
}

}  // namespace

int main(int count, char** arguments) {
    const char* wanted = count > 1 ? arguments[1] : "";
    if (wanted[0] == 'v' || wanted[0] == 't') return run_textbook(wanted);
    SimSettings settings;
    settings.substeps = 2;
    settings.model = -1;
    const bool is_grid = std::strcmp(wanted, "grid") == 0;
    if (is_grid) settings.hair_hair.friction = settings.hair_hair.volume = 2;
    for (int k = 0; k < static_cast<int>(all_models().size()); ++k)
        if (std::strcmp(is_grid ? "ftl" : wanted, all_models()[static_cast<std::size_t>(k)].name) ==
            0)
            settings.model = k;
    if (settings.model < 0) {
        std::fprintf(stderr, "speed_case: no case \"%s\"\n", wanted);
        return 1;
    }
    settings.pbd.pairs = {{.span = 2}, {.span = 4}};
    World world;
    world.colliders = {Collider{.centre = {0, 0, 0}, .radius = 0.1f}};
    Simulation simulation(curls(is_grid ? 480 : 48), settings, world, 1, LaneKind::avx2);
    const TaskPool pool(1);
    for (int step = 0; step < kSteps; ++step) simulation.step(pool);
    return simulation.measure(pool).nonfinite_vertices > 0 ? 1 : 0;
}
