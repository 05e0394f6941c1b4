// The stage `apply wind`: drag towards an air that moves, and the push of a hand, as changes of
// velocity before a model moves strands. Models know nothing of it.
#pragma once

#include <optional>

#include "sim/block_kernel.h"
#include "sim/kernels/wind_kernel.h"
#include "sim/state.h"

namespace ringlet {

// A hand that pushes hair: full along the axis from `from` to `to`, fading to nothing at `radius`
// from it. In the frame of the simulation.
struct Push {
    Vec3f from{0, 0, 0}, to{0, 0, 0};  // m
    float radius = 0.05f;              // m
    Vec3f acceleration{0, 0, 0};       // m/s^2
};

// The mean wind at a time; the same everywhere.
Vec3f wind_at(const Wind& wind, double time);

// How far it has carried the air since time 0.
Vec3f displacement_of_air(const Wind& wind, double time);

class WindField {
public:
    WindField(const LayoutRef& layout, const SimSettings& settings, const Wind& wind,
              LaneKind lanes);

    // `density` of hair at every vertex, 1 as groomed; null where it is not known.
    void apply(SimState& state, double time, float h, const Channel<1>* density,
               const std::optional<Push>& push, const TaskPool& pool,
               Device* device = nullptr) const;

    // What a substep that ends at `time` takes of the air; its waves are those of the turbulence.
    WindUniforms uniforms_at(double time, float h) const;

private:
    void make_waves();

    Wind wind_;
    float damping_, along_;
    int first_free_, held_tips_;
    std::vector<AirWave> waves_;
    std::vector<float> drift_;  // 1/s, waves each passes by as air moves in air
    std::vector<float> end_;    // per block and lane
    BlockKernel<WindUniforms, WindBlock> kernel_;
};

}  // namespace ringlet
