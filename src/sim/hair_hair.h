// Hair-hair coupling: friction, repulsion and pressure between strands, computed on a sparse grid
// (collide/hair_grid.h). It changes the velocities of free vertices before a model moves them and
// is independent of the model.
#pragma once

#include "collide/hair_grid.h"
#include "ringlet/settings.h"
#include "sim/device.h"
#include "sim/state.h"

namespace ringlet {

// Returns whether these settings need hair-hair coupling or hair density.
bool couples_hair(const SimSettings& settings, const Wind& wind);

class HairCoupling {
public:
    // `groomed` defines the reference density.
    HairCoupling(const SimState& groomed, const SimSettings& settings,
                 const TaskPool& pool = TaskPool(1));

    // Couples only this rank's strands from now on, with those of all ranks. couple() is then
    // collective over the ranks that share the strands.
    void divide(const StrandDivision& division) { grid_.divide(division); }

    // Returns whether the given substep of a step starts with a coupling.
    bool is_due(int substep) const { return substep * couplings_ % substeps_ < couplings_; }
    // Applies friction, repulsion and pressure for the time until the next coupling.
    void couple(SimState& state, const TaskPool& pool);
    // The arguments for the same coupling on a device.
    DeviceCoupling on_device(SimState& state);

    // Density at every vertex at the last coupling: 1 as groomed, 0 outside the grid.
    const Channel<1>& density() const { return density_; }
    Channel<1>& density() { return density_; }
    const Channel<1>& volume() const { return volume_; }
    const HairGrid& grid() const { return grid_; }
    std::size_t byte_count() const;

private:
    void measure_volumes(const SimState& groomed, const TaskPool& pool);

    HairHair settings_;
    int substeps_, couplings_;
    CoupleUniforms uniforms_{};
    HairGrid grid_;
    Channel<1> volume_;  // in cells, the volume of a vertex at the groomed density
    float largest_volume_ = 1;
    Channel<1> density_;  // during a coupling: temporary data of the grid
};

}  // namespace ringlet
