// The command line. Exit codes: 0 done, 1 the input is wrong, 2 wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "ringlet/ringlet.h"
#include "terminal.h"
#include "viewer/viewer.h"

namespace {

constexpr const char* kDefaultScene = "curls";

struct Common {
    std::vector<std::string> overrides;
    int threads = 0;
    long long seed = -1;
    std::string lanes = "auto", backend = "cpu";
    bool quiet = false;

    ringlet::SessionOptions session() const {
        ringlet::SessionOptions options{overrides, threads, ringlet::Lanes::automatic};
        if (seed >= 0) options.overrides.push_back(fmt::format("groom.seed={}", seed));
        if (lanes == "scalar") options.lanes = ringlet::Lanes::scalar;
        if (lanes == "wide8") options.lanes = ringlet::Lanes::wide8;
        if (backend == "cuda") options.backend = ringlet::Backend::cuda;
        if (lanes == "avx2") options.lanes = ringlet::Lanes::avx2;
        if (lanes == "avx512") options.lanes = ringlet::Lanes::avx512;
        return options;
    }
};

int fail(const ringlet::Error& error) {
    fmt::print(stderr, "ringlet: {}\n", error.text());
    return 1;
}

bool has_display() { return std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY"); }

int run_view(const std::string& scene, const std::string& script, const Common& common) {
    const ringlet::Result<void> done =
        ringlet::view(scene, common.session(), script, terminal_listener(common.quiet));
    return done ? 0 : fail(done.error());
}

int run_default(const Common& common) {
    if (has_display()) return run_view(kDefaultScene, "", common);
    const ringlet::Listener listener = terminal_listener(common.quiet);
    listener.notify("no display: rendering the scene `curls` to renders/ringlet.mp4");
    ringlet::Result<ringlet::Session> session =
        ringlet::Session::open(kDefaultScene, common.session(), listener);
    if (!session) return fail(session.error());
    ringlet::RenderOptions options;
    options.output = "renders/ringlet.mp4";
    options.still = "renders/ringlet.png";
    options.still_time = 0.75;
    const ringlet::Result<void> done = ringlet::render(*session, options, listener);
    if (!done) return fail(done.error());
    fmt::print("video    renders/ringlet.mp4\npicture  renders/ringlet.png\n");
    return 0;
}

int run_simulate(const std::string& scene, const ringlet::SimulateOptions& options,
                 const std::string& report_file, const Common& common) {
    const ringlet::Listener listener = terminal_listener(common.quiet);
    if (!options.output.empty()) {
        const auto known =
            ringlet::check_output(options.output, ringlet::OutputKind::strands_or_folder);
        if (!known) return fail(known.error());
    }
    ringlet::SessionOptions once = common.session();
    once.keep_groom = false;
    ringlet::Result<ringlet::Session> session = ringlet::Session::open(scene, once, listener);
    if (!session) return fail(session.error());
    const ringlet::Result<ringlet::Report> report = ringlet::simulate(*session, options, listener);
    if (!report) return fail(report.error());
    if (!report_file.empty()) {
        const ringlet::Result<void> written = ringlet::write_report(report_file, *report);
        if (!written) return fail(written.error());
    }
    if (!common.quiet)
        fmt::print(
            "{} strands, {} vertices, {} frames in {:.2f} s ({:.2f} ms a frame)\n"
            "stretch {:.3f} % at most, {:.3f} % in 99 of 100 strands, {:.4f} % mean; {} strands "
            "strain-limited in {} frames\n"
            "penetration {:.2f} mm at most, {} vertices\n"
            "memory {:.0f} MB at most\n"
            "hash {}\n",
            report->strands, report->vertices, report->frames, report->seconds,
            report->ms_per_frame, report->max_stretch * 100, report->stretch_p99 * 100,
            report->mean_stretch * 100, report->strain_limited_strands,
            report->strain_limited_frames, report->max_penetration * 1000,
            report->penetrating_vertices, static_cast<double>(report->peak_memory_bytes) / 1e6,
            report->hash);
    return 0;
}

int run_render(const std::string& scene, const ringlet::RenderOptions& options,
               const Common& common) {
    const ringlet::Listener listener = terminal_listener(common.quiet);
    const auto known = ringlet::check_output(options.output, ringlet::OutputKind::frames);
    if (!known) return fail(known.error());
    ringlet::Result<ringlet::Session> session =
        ringlet::Session::open(scene, common.session(), listener);
    if (!session) return fail(session.error());
    const ringlet::Result<void> done = ringlet::render(*session, options, listener);
    if (!done) return fail(done.error());
    if (!common.quiet) fmt::print("wrote {}\n", options.output);
    return 0;
}

int run_groom(const std::string& scene, const std::string& output, const Common& common) {
    const auto known = ringlet::check_output(output, ringlet::OutputKind::strands);
    if (!known) return fail(known.error());
    ringlet::Result<ringlet::Session> session =
        ringlet::Session::open(scene, common.session(), terminal_listener(common.quiet));
    if (!session) return fail(session.error());
    const ringlet::Result<void> done = ringlet::save_groom(*session, output);
    if (!done) return fail(done.error());
    if (!common.quiet) fmt::print("wrote {} strands to {}\n", session->strand_count(), output);
    return 0;
}

int run_convert(const std::string& input, const std::string& output,
                const ringlet::ConvertOptions& options, const Common& common) {
    const ringlet::Result<void> done = ringlet::convert(input, output, options);
    if (!done) return fail(done.error());
    if (!common.quiet) fmt::print("wrote {}\n", output);
    return 0;
}

int run_sheet(const ringlet::SheetOptions& options, const Common& common) {
    const ringlet::Result<void> done =
        ringlet::contact_sheet(options, common.session(), terminal_listener(common.quiet));
    if (!done) return fail(done.error());
    if (!common.quiet) fmt::print("wrote {}\n", options.output);
    return 0;
}

int run_video(const ringlet::VideoOptions& options, const Common& common) {
    const ringlet::Result<void> done =
        ringlet::make_video(options, terminal_listener(common.quiet));
    if (!done) return fail(done.error());
    if (!common.quiet) fmt::print("wrote {}\n", options.output);
    return 0;
}

int run_scenes(const std::string& name, bool keys) {
    if (keys) {
        fmt::print("{}", ringlet::scene_keys());
        return 0;
    }
    if (name.empty()) {
        for (const ringlet::SceneInfo& scene : ringlet::builtin_scenes())
            fmt::print("{:<15} {}\n", scene.name, scene.title);
        return 0;
    }
    const ringlet::Result<std::string> text = ringlet::builtin_scene_text(name);
    if (!text) return fail(text.error());
    fmt::print("{}", *text);
    return 0;
}

int run_info(const std::string& file, const std::string& mesh, bool json) {
    const ringlet::Result<std::string> text = ringlet::describe_file(file, mesh, json);
    if (!text) return fail(text.error());
    fmt::print("{}", *text);
    return 0;
}

int run_validate(ringlet::ValidateOptions options, const std::string& folder, bool json,
                 const Common& common) {
    options.threads = common.threads;
    options.backend = common.session().backend;
    if (std::filesystem::exists(folder) && !std::filesystem::is_directory(folder))
        return fail(ringlet::Error{"not a folder; name one for the page and its plots", folder});
    const ringlet::Result<ringlet::Validation> found =
        ringlet::validate(options, terminal_listener(common.quiet));
    if (!found) return fail(found.error());
    if (json)
        fmt::print("{}", found->to_json());
    else if (!common.quiet)
        fmt::print("{}", found->to_table(output_columns()));
    if (!folder.empty()) {
        const ringlet::Result<void> done = ringlet::write_validation(folder, *found);
        if (!done) return fail(done.error());
        if (!json && !common.quiet) fmt::print("wrote {}\n", folder);
    }
    const std::string failures = found->failures();
    return failures.empty() ? 0 : fail(ringlet::Error{failures});
}

int run_bench(ringlet::BenchOptions options, const std::vector<std::string>& outputs, bool json,
              const Common& common) {
    options.threads = common.threads;
    options.backend = common.session().backend;
    const ringlet::Result<ringlet::Bench> found =
        ringlet::bench(options, terminal_listener(common.quiet));
    if (!found) return fail(found.error());
    for (const std::string& output : outputs) {
        const ringlet::Result<void> done = ringlet::write_bench(output, *found);
        if (!done) return fail(done.error());
    }
    if (json)
        fmt::print("{}", found->to_json());
    else if (!common.quiet)
        fmt::print("{}", found->to_table());
    return 0;
}

// "960x720" into width and height.
std::string parse_size(const std::string& text, ringlet::RenderOptions& options) {
    int used = 0;
    const bool good =
        std::sscanf(text.c_str(), "%5dx%5d%n", &options.width, &options.height, &used) == 2 &&
        static_cast<std::size_t>(used) == text.size() && options.width >= 16 &&
        options.width <= 8192 && options.height >= 16 && options.height <= 8192;
    return good ? "" : "write the size as 960x720, each side 16 to 8192";
}

void add_common(CLI::App& command, Common& common) {
    command
        .add_option("--set", common.overrides, "Override a scene parameter: key=value; repeatable")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command.add_option("--threads", common.threads, "Threads to use; 0 for all")
        ->check(CLI::Range(0, 1024));
    command.add_option("--seed", common.seed, "Seed of all chance (groom.seed)")
        ->check(CLI::Range(0LL, 4294967295LL));
    command.add_option("--backend", common.backend, "Where to simulate; both give the same bits")
        ->check(CLI::IsMember({"cpu", "cuda"}));
    command.add_option("--lanes", common.lanes, "CPU instructions; all give the same bits")
        ->check(CLI::IsMember({"auto", "scalar", "wide8", "avx2", "avx512"}));
    command.add_flag("--quiet", common.quiet, "Say nothing but errors");
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Ringlet grows, simulates and draws hair. Without a command: the default scene."};
    app.set_version_flag("--version", RINGLET_VERSION);
    app.require_subcommand(0, 1);
    Common common;
    add_common(app, common);
    int exit_code = 0;
    std::string scene, output, report_file, file, name;
    bool json = false, keys = false;

    CLI::App* view = app.add_subcommand("view", "Open a window on a scene");
    view->add_option("scene", scene, "Built-in name or TOML file")->default_val(kDefaultScene);
    std::string script;
    view->add_option("--script", script, "Drive the window from a text file (docs/viewer.md)");
    view->callback([&] { exit_code = run_view(scene, script, common); });

    ringlet::RenderOptions render_options;
    CLI::App* render = app.add_subcommand("render", "Draw a scene to a video or pictures");
    render->add_option("scene", scene, "Built-in name or TOML file")->required();
    render
        ->add_option("-o,--output", render_options.output,
                     ".mp4, .png or .bmp (the last frame), or a folder/")
        ->required();
    render->add_option("--frames", render_options.frames, "Frames to draw")
        ->check(CLI::Range(1, 1000000));
    std::string size;
    render->add_option("--size", size, "Size in pixels: 960x720")
        ->check([&](const std::string& text) { return parse_size(text, render_options); });
    render->add_option("--fps", render_options.fps, "Frames per second")
        ->check(CLI::Range(1.0, 240.0));
    render->add_option("--renderer", "How to draw; only gl so far")->check(CLI::IsMember({"gl"}));
    render->callback([&] { exit_code = run_render(scene, render_options, common); });

    ringlet::SimulateOptions simulate_options;
    CLI::App* simulate = app.add_subcommand("simulate", "Simulate without drawing");
    simulate->add_option("scene", scene, "Built-in name or TOML file")->required();
    simulate->add_option("-o,--output", simulate_options.output,
                         ".hair (the last frame), or a folder/ (one a frame)");
    simulate->add_option("--frames", simulate_options.frames, "Steps of dt")
        ->check(CLI::Range(1, 100000000));
    simulate->add_option("--report", report_file, "Write how it went as JSON");
    simulate->callback(
        [&] { exit_code = run_simulate(scene, simulate_options, report_file, common); });

    CLI::App* groom = app.add_subcommand("groom", "Write the strands at rest");
    groom->add_option("scene", scene, "Built-in name or TOML file")->required();
    groom->add_option("-o,--output", output, ".hair, .tfx, .data, .bin, .ply or .obj")->required();
    groom->callback([&] { exit_code = run_groom(scene, output, common); });

    ringlet::ConvertOptions convert_options;
    std::string up = "y";
    CLI::App* convert = app.add_subcommand("convert", "Turn one hairstyle format into another");
    convert->add_option("in", file, ".hair, .tfx, .data, .bin, .ply or .obj")->required();
    convert->add_option("out", output, "The same kinds; always metres, Y up")->required();
    convert->add_option("--scale", convert_options.scale, "Metres per unit of the input")
        ->check(CLI::Range(1e-6, 1e6));
    convert->add_option("--up", up, "Which axis points up in the input")
        ->check(CLI::IsMember({"y", "z"}));
    convert->add_option("--vertices", convert_options.vertices, "Resample each strand to this many")
        ->check(CLI::Range(2, 4096));
    convert->callback([&] {
        convert_options.z_up = up == "z";
        exit_code = run_convert(file, output, convert_options, common);
    });

    ringlet::SheetOptions sheet_options;
    CLI::App* sheet = app.add_subcommand("sheet", "Draw hairstyles side by side, front and side");
    sheet->add_option("scenes", sheet_options.scenes,
                      "Built-in names or TOML files; none: all presets");
    sheet->add_option("-o,--output", sheet_options.output, ".png or .bmp")->required();
    sheet->add_option("--columns", sheet_options.columns, "Hairstyles in a row")
        ->check(CLI::Range(1, 64));
    sheet->callback([&] { exit_code = run_sheet(sheet_options, common); });

    ringlet::VideoOptions video_options;
    CLI::App* video = app.add_subcommand("video", "Make a video of a folder of frames");
    video->add_option("folder", video_options.folder, "Holds render0000.png, render0001.png ...")
        ->required();
    video->add_option("-o,--output", video_options.output, ".mp4")->required();
    video->add_option("--fps", video_options.fps, "Frames per second")
        ->check(CLI::Range(1.0, 240.0));
    video->add_flag("--delete-frames", video_options.delete_frames,
                    "Delete the frames once the video is complete");
    video->callback([&] { exit_code = run_video(video_options, common); });

    CLI::App* info = app.add_subcommand("info", "Tell what a mesh or groom file holds");
    info->add_option("file", file, ".obj, .hair, .tfx, .data, .bin or .ply")->required();
    std::string mesh;
    info->add_option("--mesh", mesh, "OBJ the strands should stand on");
    info->add_flag("--json", json, "As JSON");
    info->callback([&] { exit_code = run_info(file, mesh, json); });

    ringlet::ValidateOptions validate_options;
    bool quick = false;
    CLI::App* validate =
        app.add_subcommand("validate", "Hold the models to the physics they claim, with numbers");
    validate->add_option("--model", validate_options.model, "One model; otherwise all");
    validate->add_flag("--json", json, "As JSON");
    validate->add_flag("--quick", quick, "Fewer and coarser cases: seconds, not minutes");
    validate->add_option("-o,--output", output, "Also write validation.md and its plots here");
    validate->callback([&] {
        if (quick) validate_options.size = ringlet::ValidationSize::quick;
        exit_code = run_validate(validate_options, output, json, common);
    });

    ringlet::BenchOptions bench_options;
    CLI::App* bench = app.add_subcommand("bench", "Measure the speed of the models here");
    bench->add_option("--model", bench_options.model, "One model; otherwise all");
    bench->add_option("--strands", bench_options.strands, "Only that many strands")
        ->check(CLI::Range(1, 10000000));
    bench->add_flag("--json", json, "As JSON");
    bench->add_flag("--quick", bench_options.quick, "Fewer and smaller cases");
    bench->add_flag("--scaling", bench_options.scaling,
                    "Nothing but 1,000 to 1,000,000 strands, and strands of 8 to 128 vertices");
    std::vector<std::string> bench_outputs;
    bench->add_option("-o,--output,--plot", bench_outputs,
                      "Also write it here: .json; of the scaling .svg (plot) and .md (tables)");
    bench->callback([&] { exit_code = run_bench(bench_options, bench_outputs, json, common); });

    CLI::App* scenes = app.add_subcommand("scenes", "List the built-in scenes, or print one");
    scenes->add_option("name", name, "Print this scene's TOML");
    scenes->add_flag("--keys", keys, "List every key a scene may have");
    scenes->callback([&] { exit_code = run_scenes(name, keys); });

    for (CLI::App* command : app.get_subcommands({})) command->fallthrough();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (app.get_subcommands().empty()) exit_code = run_default(common);
    return exit_code;
}
