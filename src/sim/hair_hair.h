// Hair against hair: turns the scene's settings into mixings on a grid (collide/hair_grid.h), which
// change the velocities of free vertices before a model moves them. Models know nothing of it.
#pragma once

#include "collide/hair_grid.h"
#include "sim/device.h"
#include "sim/settings.h"
#include "sim/state.h"

namespace ringlet {

// Whether these settings ask for any of it.
bool couples_hair(const SimSettings& settings, const Wind& wind);

class HairCoupling {
public:
    // `groomed` is hair as dense as it is meant to be.
    HairCoupling(const SimState& groomed, const SimSettings& settings,
                 const TaskPool& pool = TaskPool(1));

    // Whether the k-th substep of a step begins with a coupling.
    bool is_due(int substep) const { return substep * couplings_ % substeps_ < couplings_; }
    // For the time until the next coupling.
    void couple(SimState& state, const TaskPool& pool);
    // What a device needs to do the same.
    DeviceCoupling on_device(SimState& state);

    // At every vertex, as of the last coupling: 1 as groomed, 0 alone or off the grid.
    const Channel<1>& density() const { return density_; }
    const Channel<1>& volume() const { return volume_; }
    const HairGrid& grid() const { return grid_; }
    std::size_t byte_count() const;

private:
    void measure_volumes(const SimState& groomed, const TaskPool& pool);

    HairHair settings_;
    int substeps_, couplings_;
    CoupleUniforms uniforms_{};
    HairGrid grid_;
    Channel<1> volume_;  // in cells, of a vertex when as dense as groomed
    float largest_volume_ = 1;
    Channel<1> density_;  // within a mixing what the grid notes of each vertex
};

}  // namespace ringlet
