// How fast this machine simulates: every model, alone, with hair against hair, and with bodies,
// beside what the machine could do at most and beside textbook implementations.
//
//     auto found = ringlet::bench({.quick = true}, {});
//     if (!found) return fail(found.error().text());
//     for (const ringlet::BenchRow& row : found->rows) ...
#pragma once

#include <optional>

#include "ringlet/session.h"

namespace ringlet {

struct BenchOptions {
    std::string model;  // empty: all
    int strands = 0;    // only that many; 0: a range
    int threads = 0;    // of the rows; 0: one, and all where a line asks for it
    bool quick = false;
    // Nothing but 1,000 to 1,000,000 strands of 32 vertices, and 10,000 of 8 to 128.
    bool scaling = false;
    Backend backend = Backend::cpu;
};

// A stage of the step on a device. Bytes are per vertex and substep.
struct BenchStage {
    std::string name;
    double ms = 0;             // of a frame
    double minimum_bytes = 0;  // every channel read once, and written once where it changes
    double time_bytes = 0;     // that a plain copy moves in the stage's time
};

struct BenchMemory {
    std::string what;
    double bytes_per_vertex;
};

// One program stepping one head of hair. Times are medians over frames.
struct BenchRow {
    std::string group;    // "models", or the line of `targets` it was measured for
    std::string program;  // "ringlet", or which textbook
    std::string world;    // "alone", "grid", "grid + collision"
    int strand_vertices = 0;
    Report report;
    double ns_per_vertex_substep = 0;
    double ms_per_60th = 0;           // for 1/60 s of time
    double strands_at_60hz = 0;       // that could be simulated as fast as they move
    double bytes_per_vertex = 0;      // of state, model and grid
    std::vector<BenchMemory> memory;  // what these are; empty: unknown
    double touching = 0;              // share of strands within 2 mm of a body, at the end
    double operations = 0;     // floating-point, of the model, per vertex and substep; 0: unknown
    double share_of_peak = 0;  // of the machine's arithmetic, by the threads used
    double share_of_bandwidth = 0;   // of its memory traffic, if everything is read once a substep
    std::vector<BenchStage> stages;  // on a device; there the share is that of the least bytes
    std::optional<bool> as_on_cpu;   // whether the hash is the CPU's, where both were run
};

// What a figure should be, from measurements within one run.
struct BenchTarget {
    std::string what;
    double measured = 0, wanted = 0;
    bool at_least = true;  // otherwise at most
    std::string unit;
    bool is_met() const { return at_least ? measured >= wanted : measured <= wanted; }
};

struct BenchMachine {
    int threads = 0;
    double peak_gflops = 0;        // of a core, sums and products apart
    double fused_peak_gflops = 0;  // ... fused, which would not be the same bits everywhere
    double bandwidth = 0;          // GB/s of a core
    std::string device;            // empty: the CPU
    double device_bandwidth = 0;   // GB/s that a plain copy reads and writes there
};

struct Bench {
    BenchMachine machine;
    std::vector<BenchRow> rows;
    std::vector<BenchTarget> targets;

    std::string to_json() const;
    std::string to_table() const;
};

Result<Bench> bench(const BenchOptions& options, const Listener& listener);
// .json: everything; of the scaling, .svg: how time changes, .md: tables of time and memory.
Result<void> write_bench(const std::string& path, const Bench& bench);

}  // namespace ringlet
