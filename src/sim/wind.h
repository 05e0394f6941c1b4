// The stage `apply wind`: drag relative to moving air, and a local push. It changes velocities
// before a model moves the strands and is independent of the model.
#pragma once

#include <optional>

#include "ringlet/settings.h"
#include "sim/block_kernel.h"
#include "sim/kernels/wind_kernel.h"
#include "sim/state.h"

namespace ringlet {

// A local push of hair, set by dragging in the viewer: full acceleration on the axis from `from` to
// `to`, falling to zero at the distance `radius`. In the simulation's frame.
struct Push {
    Vec3f from{0, 0, 0}, to{0, 0, 0};  // m
    float radius = 0.05f;              // m
    Vec3f acceleration{0, 0, 0};       // m/s^2
};

// The mean wind (m/s) at a time; uniform in space.
Vec3f wind_at(const Wind& wind, double time);

// The displacement (m) of the air by the mean wind since time 0.
Vec3f displacement_of_air(const Wind& wind, double time);

// The damping (1/s) of slow motion across a strand of this length (m).
float slow_damping(const SimSettings& settings, float length);

class WindField {
public:
    // `rest` has the groomed positions (m); slender-body drag depends on the lengths of strands.
    WindField(const Channel<3>& rest, const SimSettings& settings, const Wind& wind,
              LaneKind lanes);

    void set_wind(const Wind& wind);
    // Restricts apply() to some blocks of the layout, on the CPU; empty: all.
    void set_active_blocks(std::span<const int> blocks) { kernel_.set_active_blocks(blocks); }

    // `density` is the hair density at every vertex, 1 as groomed; null if unknown.
    void apply(SimState& state, double time, float h, const Channel<1>* density,
               const std::optional<Push>& push, const TaskPool& pool,
               Device* device = nullptr) const;

    // Wind and turbulence waves for a substep of length h (s) that ends at `time`.
    WindUniforms uniforms_at(double time, float h) const;

private:
    void make_waves();

    Wind wind_;
    float damping_, along_;
    float slender_damping_ = 0;  // 1/s, by a resistance of 1 (slender_drag.h); 0: drag is simple
    float reynolds_ = 0;         // of a strand at 1 m/s
    int first_free_, held_tips_;
    std::vector<AirWave> waves_;
    std::vector<float>
        drift_;             // 1/s, frequency by which each wave's phase changes in the moving air
    StrandChannel<1> end_;  // index after the last free vertex of a strand
    StrandChannel<3> slender_;  // SlenderStrand; empty if drag is simple
    BlockKernel<WindKernel> kernel_;
};

}  // namespace ringlet
