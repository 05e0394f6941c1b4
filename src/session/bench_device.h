// `ringlet bench --backend cuda`: every model on a device, stage by stage, beside what its memory
// allows.
#pragma once

#include "session/bench_race.h"

namespace ringlet {

// `models` are indices into all_models(). Says why where there is no device.
Result<Bench> bench_device(const BenchOptions& options, std::span<const int> models,
                           const Listener& listener);

// A head that goes on shaking; rods that are solved once where nothing asks for more; with a grid,
// friction, repulsion and volume.
BenchHair for_device(const BenchHair& hair, int model, BenchWorld world);
// Nothing holds hair up: it comes to lie on the bust.
BenchHair lying_down(BenchHair hair);

// One row, by the device's clock; `bandwidth` is what a copy reads and writes, bytes a second.
// Without a device strands are moved by the CPU, on all cores, by its clock.
BenchRow measure_on_device(const BenchHair& hair, BenchWorld world, std::unique_ptr<Device> device,
                           double bandwidth);

// What rows are held to, one line for each that is among them.
std::vector<BenchTarget> device_targets(std::span<const BenchRow> rows);

// A row on the terminal, with its stages below.
extern const char* const kDeviceHeading;
std::string device_lines(const BenchRow& row);

}  // namespace ringlet
