#include <fmt/format.h>

#include "command.h"
#include "terminal.h"

namespace {

ringlet::Result<ExitCode> run_groom(const std::string& scene, const std::string& output,
                                    const SharedOptions& shared) {
    const ringlet::Listener listener = shared.listener();
    const auto known = ringlet::check_output(output, ringlet::OutputKind::strands);
    if (!known) return known.error();
    // Patches, such as eyebrows, are no part of a hairstyle that is simulated elsewhere.
    ringlet::SessionOptions options = shared.session();
    options.overrides.insert(options.overrides.begin(), "groom.grow_patches=false");
    ringlet::Result<ringlet::Session> session = ringlet::Session::open(scene, options, listener);
    if (!session) return session.error();
    const ringlet::Result<void> done = ringlet::save_groom(*session, output);
    if (!done) return done.error();
    if (!shared.quiet)
        print(fmt::format("wrote {} strands to {}\n", session->strand_count(), output));
    return ExitCode::done;
}

Job declare_groom(CLI::App& app, const SharedOptions& shared) {
    struct Options {
        std::string scene, output;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("scene", options->scene, "Built-in name or TOML file")->required();
    app.add_option("-o,--output", options->output,
                   ringlet::list_extensions(ringlet::groom_formats()))
        ->required();
    return [options, &shared] { return run_groom(options->scene, options->output, shared); };
}

}  // namespace

Command groom_command() { return {"groom", "Write the strands at rest", declare_groom}; }
