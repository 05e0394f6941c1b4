// Benchmarks: measures how fast this machine simulates each model, and compares that with the
// machine's peak rates and with textbook implementations.
//
//     auto bench = ringlet::bench({.quick = true}, {});
//     if (!bench) return fail(bench.error().text());
//     for (const ringlet::BenchRow& row : bench->rows) ...
//
// All structs are plain values without references.
#pragma once

#include <optional>

#include "ringlet/session.h"

namespace ringlet {

struct BenchOptions {
    std::string model;   // name of one model; empty: all models
    int strands = 0;     // measures this number of strands only; 0: a range of sizes
    int threads = 0;     // threads of the rows; 0: one thread, or all where the row requires it
    bool quick = false;  // true: one size and fewer frames, for a first impression
    // True: measures only how the time scales: 1,000 to 1,000,000 strands of 32 vertices, and
    // 10,000 strands of 8 to 128 vertices.
    bool scaling = false;
    Backend backend = Backend::cpu;  // cuda: measures the stages of the step on the GPU
    // Parameters of the scene `curls` that are measured instead of the benchmark's own, for example
    // "sim.rod.integrator=backward_euler". The benchmark sets the model, substeps and coupling of
    // each row, and on a GPU one solve per substep.
    std::vector<std::string> overrides = {};
};

// One stage of the step on the GPU. Bytes are per vertex and substep.
struct BenchStage {
    std::string name;
    double ms = 0;             // median time per frame
    double minimum_bytes = 0;  // reads every channel once and writes each changed channel once
    double time_bytes = 0;     // bytes a plain copy moves in the stage's time
};

// Memory of one kind, such as "state" or "model".
struct BenchMemory {
    std::string what;
    double bytes_per_vertex;
};

// The measurement of one program on one head of hair. Times are medians over frames.
struct BenchRow {
    std::string group;        // "models", or the name of the comparison it belongs to
    std::string program;      // "ringlet", or the name of a textbook implementation
    std::string world;        // "alone", "grid", "collision" or "grid + collision"
    int strand_vertices = 0;  // vertices per strand
    Report report;            // sizes, stretch, hash and memory of the run
    double ns_per_vertex_substep = 0;
    double ms_per_60th = 0;           // ms of computation per 1/60 s of simulated time
    double strands_at_60hz = 0;       // strands that could be simulated in real time
    double bytes_per_vertex = 0;      // of state, model and grid together
    std::vector<BenchMemory> memory;  // the same by kind; empty: unknown
    double touching = 0;              // fraction of strands within 2 mm of a collider at the end
    // Floating-point operations of the model per vertex and substep; 0: not counted.
    double operations = 0;
    double share_of_peak = 0;  // fraction of the arithmetic peak of the threads used
    // Fraction of the memory bandwidth. On the CPU: as if all memory were read once per substep. On
    // the GPU: of minimum_bytes.
    double share_of_bandwidth = 0;
    std::vector<BenchStage> stages;  // GPU only
    std::optional<bool> as_on_cpu;   // hash equals the CPU's; nullopt: not compared
};

// A performance target and its measured value, both from the same run.
struct BenchTarget {
    std::string what;
    double measured = 0, wanted = 0;  // in `unit`
    bool at_least = true;             // true: lower bound; false: upper bound
    std::string unit;
    bool is_met() const { return at_least ? measured >= wanted : measured <= wanted; }
};

struct BenchMachine {
    int threads = 0;
    double peak_gflops = 0;        // per core, separate additions and multiplications
    double fused_peak_gflops = 0;  // per core, fused multiply-add; Ringlet does not use it
    double bandwidth = 0;          // GB/s per core
    std::string device;            // name of the GPU; empty: measured on the CPU
    double device_bandwidth = 0;   // GB/s a plain copy on the GPU reads and writes
};

// The result of bench().
struct RINGLET_API Bench {
    BenchMachine machine;
    std::vector<BenchRow> rows;
    std::vector<BenchTarget> targets;

    std::string to_json() const;
    std::string to_table() const;  // for a terminal, about 110 columns
};

// Runs the benchmarks: seconds if quick, otherwise minutes. Returns an Error if the model is
// unknown or the backend is unavailable. If the listener cancels, the rows measured so far are
// returned. Needs an otherwise idle machine for meaningful times.
RINGLET_API Result<Bench> bench(const BenchOptions& options, const Listener& listener);

// Writes the result in the format of the extension. .json: everything. With `scaling` also .svg: a
// plot of the times, and .md: tables of times and memory.
RINGLET_API Result<void> write_bench(const std::string& path, const Bench& bench);

}  // namespace ringlet
