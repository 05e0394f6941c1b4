// `ringlet bench --backend cuda`: measures every model on the GPU, stage by stage, and compares the
// times with the memory bandwidth.
#pragma once

#include "session/bench/bench_race.h"

namespace ringlet {

// `models` are indices into all_models(). Returns an Error if there is no GPU.
Result<Bench> bench_device(const BenchOptions& options, std::span<const int> models,
                           const Listener& listener);

// Adapts `hair` to the GPU benchmark: a head that keeps shaking, one solve per substep for rods,
// and, with a grid, friction, repulsion and volume preservation.
BenchHair for_device(const BenchHair& hair, int model, BenchWorld world);
// Removes everything that holds the hair up, so that it comes to lie on the bust.
BenchHair lying_down(BenchHair hair);

// Measures one row by the GPU's clock. `bandwidth` is the bytes per second that a copy reads and
// writes. Without a device: on the CPU, all cores, by the wall clock.
BenchRow measure_on_device(const BenchHair& hair, BenchWorld world, std::unique_ptr<Device> device,
                           double bandwidth);

// The performance targets for those of `rows` that have one.
std::vector<BenchTarget> device_targets(std::span<const BenchRow> rows);

// Formats a row for the terminal, with its stages on the next line.
extern const char* const kDeviceHeading;
std::string device_lines(const BenchRow& row);

}  // namespace ringlet
