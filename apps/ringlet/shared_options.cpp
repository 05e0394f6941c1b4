#include <fmt/format.h>

#include "command.h"
#include "stop.h"
#include "terminal.h"

void SharedOptions::declare(CLI::App& app) {
    app.add_option("--set", overrides, "Override a scene parameter; repeatable")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    app.add_option("--threads", threads, "Number of threads; 0: all")->check(CLI::Range(0, 1024));
    app.add_option("--seed", seed, "Random seed (groom.seed)")
        ->check(CLI::Range(0LL, 4294967295LL));
    app.add_option("--backend", backend, "Processor to simulate on; bit-identical results")
        ->check(CLI::IsMember({"cpu", "cuda"}));
    app.add_option("--lanes", lanes, "CPU instruction set; bit-identical results")
        ->check(CLI::IsMember({"auto", "scalar", "wide8", "avx2", "avx512"}));
    app.add_flag("--quiet", quiet, "Print errors only");
}

ringlet::Backend SharedOptions::backend_kind() const {
    return backend == "cuda" ? ringlet::Backend::cuda : ringlet::Backend::cpu;
}

ringlet::SessionOptions SharedOptions::session() const {
    using ringlet::Lanes;
    ringlet::SessionOptions options;
    options.overrides = overrides;
    if (seed >= 0) options.overrides.push_back(fmt::format("groom.seed={}", seed));
    options.threads = threads;
    options.backend = backend_kind();
    for (const auto& [name, kind] : {std::pair{"scalar", Lanes::scalar},
                                     {"wide8", Lanes::wide8},
                                     {"avx2", Lanes::avx2},
                                     {"avx512", Lanes::avx512}})
        if (lanes == name) options.lanes = kind;
    return options;
}

ringlet::Listener SharedOptions::listener() const {
    catch_stop_signals();
    ringlet::Listener out = quiet ? ringlet::Listener{} : terminal_listener();
    out.stop_requested = [] { return stop_signal() != 0; };
    return out;
}

void declare_checkpoints(CLI::App& app, ringlet::CheckpointOptions& options) {
    options.every = 60;
    app.add_option("--checkpoint-every", options.every,
                   "Seconds between two checkpoints beside the output; 0: none")
        ->check(CLI::Range(0.0, 1e9))
        ->capture_default_str();
    app.add_flag("--resume", options.resume,
                 "Continue a run that was interrupted, from its newest checkpoint");
}
