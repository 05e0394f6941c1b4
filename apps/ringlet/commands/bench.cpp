#include "command.h"
#include "stop.h"
#include "terminal.h"

namespace {

struct Options {
    ringlet::BenchOptions bench;
    std::vector<std::string> outputs;
    bool json = false;
};

ringlet::Result<ExitCode> run(Options& options, const SharedOptions& shared) {
    options.bench.threads = shared.threads;
    options.bench.backend = shared.backend_kind();
    for (const std::string& output : options.outputs) {
        const auto known = ringlet::check_output(output, ringlet::OutputKind::text);
        if (!known) return known.error();
    }
    const ringlet::Result<ringlet::Bench> found = ringlet::bench(options.bench, shared.listener());
    if (!found) return found.error();
    if (stop_signal() != 0) return ringlet::Error{"stopped; no results were written"};
    for (const std::string& output : options.outputs) {
        const ringlet::Result<void> done = ringlet::write_bench(output, *found);
        if (!done) return done.error();
    }
    if (options.json)
        print(found->to_json());
    else if (!shared.quiet)
        print(found->to_table());
    return ExitCode::done;
}

Job declare(CLI::App& app, const SharedOptions& shared) {
    const auto options = std::make_shared<Options>();
    ringlet::BenchOptions& bench = options->bench;
    app.add_option("--model", bench.model, "One model; otherwise all");
    app.add_option("--strands", bench.strands, "Only this number of strands")
        ->check(CLI::Range(1, 10000000));
    app.add_flag("--json", options->json, "Print JSON");
    app.add_flag("--quick", bench.quick, "Fewer and smaller cases");
    app.add_flag("--scaling", bench.scaling, "Only the scaling with strands and with vertices");
    app.add_option("-o,--output,--plot", options->outputs,
                   "Write .json; with --scaling also .svg, .md");
    return [options, &shared] { return run(*options, shared); };
}

}  // namespace

Command bench_command() {
    return {"bench", "Measure the speed of the models here", declare, false};
}
