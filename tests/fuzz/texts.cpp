// The readers of text: scenes, painted growth, and the files of the viewer.
#include "fuzz/fuzz_target.h"
#include "groom/growth_paint.h"
#include "scene/read_actors.h"
#include "viewer/layout.h"
#include "viewer/script.h"

namespace ringlet {
namespace {

using Seeds = std::vector<std::string>;

// The scenes that a scene can name.
Result<std::string> find_scene(const std::string& name) {
    if (name == "curls") return std::string("[groom]\ncurl = { radius = 0.01, pitch = 0.05 }\n");
    if (name == "shake") return std::string("base = 'curls'\n[head]\nmotion = 'shake'\n");
    return Error{"no such scene"};
}

// TOML, then overrides ("key=value"), with a byte 0 between them. Reads the scenes of the actors,
// too.
FuzzOutcome run_scene(std::string_view input) {
    const std::vector<std::string_view> parts = zero_separated(input, 5);
    const std::vector<std::string> overrides(parts.begin() + 1, parts.end());
    const Result<Scene> scene =
        read_scene(parts[0], "input.toml", "/nowhere", overrides, find_scene);
    if (!scene) return refused(scene.error());
    const auto load = [](const std::string& name) -> Result<Scene> {
        const Result<std::string> text = find_scene(name);
        if (!text) return text.error();
        return read_scene(*text, name, "/nowhere", {}, find_scene);
    };
    const Result<std::vector<Scene>> heads = read_actors(*scene, overrides, find_scene, load);
    return outcome_of(heads, [](const std::vector<Scene>& value) -> std::string {
        return value.empty() ? "no heads" : "";
    });
}

Seeds scene_seeds() {
    const std::string rich =
        "title = \"All of it\"\nbase = \"shake\"\n[groom]\nmesh = \"builtin:bust.obj\"\n"
        "strands = 3000\nvertices = 56\nlength = 0.34 # metres\n"
        "curl = { radius = 0.011, pitch = 0.042 }\n"
        "colour = { root = [0.16, 0.040, 0.010], tip = [0.42, 0.13, 0.035] }\n"
        "[sim]\ndt = 0.016666667\nhold_roots = true\n[[sim.pbd.pair]]\nspan = 2\nreach = \"ends\"\n"
        "[[groom.strand]]\nroot = [0, 1e-1, 0x10]\n[[head.key]]\ntime = 0.6\n[[head.key]]\n"
        "time = 1.2\nrotate = [0, 38, 0]\n[wind]\nvelocity = [0.001, 0, 0]\n[[collider]]\n"
        "shape = 'capsule'\nend = [0, 1, 0]\n";
    const std::string actors =
        "[[actor]]\nscene = 'shake'\nat = [1, 0, 0]\nset = ['sim.model=pbd']\n[[actor]]\n";
    return {
        rich + '\0' + "groom.length=0.25" + '\0' + "collider.0.radius=0.125" + '\0' + "title=a b",
        actors, "groom.preset = 'curls'\nsim.rod.material = 'coily'\n"};
}

FuzzOutcome run_growth(std::string_view input) {
    return outcome_of(
        GrowthPaint::parse(input, "input"), [](const GrowthPaint& paint) -> std::string {
            const Result<GrowthPaint> again = GrowthPaint::parse(paint.text(), "again");
            return again && *again == paint ? ""
                                            : "another painting when it is written and read again";
        });
}

Seeds growth_seeds() {
    GrowthPaint paint(0.02f);
    paint.dab({{0.1f, -0.2f, 0.3f}, 0.03f, 0.7f});
    return {paint.text()};
}

// An unknown command gets the list of all commands, which has several lines.
FuzzOutcome run_script(std::string_view input) {
    const Result<std::vector<ScriptCommand>> script = parse_script(std::string(input), "input");
    if (!script) return {false, script.error().line > 0 ? "" : "an error without a line"};
    for (const ScriptCommand& command : *script)
        for (const std::string& word : command.words)
            if (word.empty()) return {true, "an empty argument"};
    return {true};
}

Seeds script_seeds() {
    return {
        "# all kinds\nframes 2\nkey Ctrl+Z\nset groom.length=0.2\nslide sim.dt 0.5\npress Dismiss\n"
        "panel Scene\nclose Scene\nfind a b\nclick 0.5 0.5\ndrag 0 0 1 1\nopen a.obj\n"
        "preset curls\nsize 640 480\nscreenshot a.png\nsave a.toml\nprint hash\nquit\n"};
}

FuzzOutcome run_layout(std::string_view input) {
    const Layout layout = parse_layout(std::string(input));
    const std::string text = format_layout(layout);
    return {true, format_layout(parse_layout(text)) == text
                      ? ""
                      : "another layout when it is read again"};
}

}  // namespace

std::vector<FuzzTarget> text_targets() {
    return {{"scene", run_scene, scene_seeds},
            {"growth", run_growth, growth_seeds},
            {"viewer_script", run_script, script_seeds},
            {"viewer_layout", run_layout, [] { return Seeds{format_layout({})}; }}};
}

}  // namespace ringlet
