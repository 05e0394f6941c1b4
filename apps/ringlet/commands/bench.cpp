#include "command.h"
#include "stop.h"
#include "terminal.h"

namespace {

struct BenchArguments {
    ringlet::BenchOptions bench;
    std::vector<std::string> outputs;
    bool json = false;
};

ringlet::Result<ExitCode> run_bench(BenchArguments& arguments, const SharedOptions& shared) {
    arguments.bench.threads = shared.threads;
    arguments.bench.backend = shared.backend_kind();
    arguments.bench.overrides = shared.overrides;
    for (const std::string& output : arguments.outputs) {
        const auto known = ringlet::check_output(output, ringlet::OutputKind::text);
        if (!known) return known.error();
    }
    const ringlet::Result<ringlet::Bench> found =
        ringlet::bench(arguments.bench, shared.listener());
    if (!found) return found.error();
    if (stop_signal() != 0) return ringlet::Error{"stopped; no results were written"};
    for (const std::string& output : arguments.outputs) {
        const ringlet::Result<void> done = ringlet::write_bench(output, *found);
        if (!done) return done.error();
    }
    if (arguments.json)
        print(found->to_json());
    else if (!shared.quiet)
        print(found->to_table());
    return ExitCode::done;
}

Job declare_bench(CLI::App& app, const SharedOptions& shared) {
    const auto arguments = std::make_shared<BenchArguments>();
    ringlet::BenchOptions& bench = arguments->bench;
    app.add_option("--model", bench.model, "One model; otherwise all");
    app.add_option("--strands", bench.strands, "Only this number of strands")
        ->check(CLI::Range(1, 10000000));
    app.add_flag("--json", arguments->json, "Print JSON");
    app.add_flag("--quick", bench.quick, "Fewer and smaller cases");
    app.add_flag("--scaling", bench.scaling, "Only the scaling with strands and with vertices");
    app.add_option("-o,--output,--plot", arguments->outputs,
                   "Write .json; with --scaling also .svg, .md");
    return [arguments, &shared] { return run_bench(*arguments, shared); };
}

}  // namespace

Command bench_command() { return {"bench", "Measure the speed of the models here", declare_bench}; }
