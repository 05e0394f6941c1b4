// Hair for benchmarks: the groom of the scene `curls` at any size, with its world.
#pragma once

#include "session/live/session_impl.h"

namespace ringlet {

// One head of hair, ready to be simulated by any model.
struct BenchHair {
    std::shared_ptr<const StrandSet> rest;  // positions only
    SimSettings settings;                   // the scene's; with_model() adapts them to a model
    World world;                            // with the bust as a collider
    std::uint32_t seed = 0;
};

// Returns the overrides of the scene `curls` that the benchmark uses (SessionOptions::overrides).
std::vector<std::string> bench_overrides();

class BenchGroomer {
public:
    // Reads the scene `curls` and its bust. `overrides` follow those of the benchmark.
    static Result<BenchGroomer> open(std::span<const std::string> overrides = {});
    Result<BenchHair> grow(int strands, int vertices, const TaskPool& pool);

private:
    explicit BenchGroomer(Session session) : session_(std::move(session)) {}
    Session session_;
};

enum class BenchWorld { alone, grid, collision, both };
const char* name_of(BenchWorld world);

// Selects a model, its number of substeps, and the parts of the world that are present.
BenchHair with_model(const BenchHair& hair, int model, BenchWorld world);

// Floating-point operations of the model per vertex and substep, counted on a few strands.
double count_operations(const BenchHair& hair);

}  // namespace ringlet
