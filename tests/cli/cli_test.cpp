// The program as people and scripts use it: what it prints, returns and leaves behind.
#include <cctype>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "io/hair/hair_file.h"
#include "ringlet/jobs.h"
#include "scene/parameters.h"
#include "session/assets/scene_source.h"
#include "test_level.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Commands : public Cli {
protected:
    Json report_of(Words words) const {
        words.insert(words.end(), {"--report", "report.json", "--quiet"});
        run_well(words);
        return Json::parse(read_text(file("report.json")), nullptr, false);
    }
};

// A scene with hair on a mesh, small enough to be quick.
const std::string kBeadMesh =
    "v 0 0 0\nv 0.01 0 0\nv 0 0 0.01\nv 0 0.01 0\nusemtl scalp\nf 1 2 3\nf 1 4 2\nf 1 3 4\n"
    "f 2 4 3\n";
const std::string kBead =
    "[groom]\nmesh = 'bead.obj'\nstrands = 30\nvertices = 12\n[[sim.pbd.pair]]\nrest = 1.8\n";

TEST_F(Commands, tells_version_and_help) {
    EXPECT_TRUE(isdigit(run_well({"--version"}).out[0]));
    const std::string help = run_well({"--help"}).out;
    for (const char* command :
         {"render", "simulate", "groom", "info", "scenes", "validate", "view"})
        EXPECT_NE(help.find(command), std::string::npos) << command;
    EXPECT_NE(run_well({"render", "--help"}).out.find("--frames"), std::string::npos);
}

TEST_F(Commands, returns_2_for_wrong_usage) {
    put("tiny.toml", kTinyScene);
    const std::set<std::string> before = listing();
    for (const Words& words :
         {Words{"frobnicate"}, Words{"simulate"}, Words{"render", "tiny.toml"},
          Words{"groom", "tiny.toml"}, Words{"simulate", "tiny.toml", "--frames", "0"},
          Words{"simulate", "tiny.toml", "--frames", "many"},
          Words{"simulate", "tiny.toml", "--threads", "-3"},
          Words{"simulate", "tiny.toml", "--no-such"},
          Words{"simulate", "tiny.toml", "--seed", "-1"},
          Words{"simulate", "tiny.toml", "--backend", "abacus"},
          Words{"render", "tiny.toml", "-o", "x.png", "--size", "64"},
          Words{"render", "tiny.toml", "-o", "x.png", "--size", "64x48x3"},
          Words{"render", "tiny.toml", "-o", "x.png", "--size", "1x1"},
          Words{"render", "tiny.toml", "-o", "x.png", "--fps", "0"}, Words{"info"},
          Words{"--set"}}) {
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.code, 2) << words[0] << " " << words.back() << "\n" << outcome.err;
        EXPECT_FALSE(outcome.err.empty()) << words[0];
    }
    EXPECT_EQ(listing(), before);
}

TEST_F(Commands, refuses_scenes_that_are_not_there) {
    expect_refused({"simulate", "nowhere.toml", "--frames", "1", "-o", "x.hair"},
                   {"nowhere.toml", "no such file"});
    expect_refused({"simulate", "crls", "--frames", "1", "-o", "x.hair"}, {"crls", "\"curls\""});
    expect_refused({"render", "nothing_like_it", "-o", "x.png"}, {"nothing_like_it", "scenes"});
    expect_refused({"scenes", "figure3"}, {"figure3", "did you mean"});
    expect_refused({"simulate", ".", "--frames", "1"}, {"folder"});
}

TEST_F(Commands, refuses_meshes_that_are_missing_or_broken) {
    const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    put("cut.obj", corners + "f 1 2");
    put("half.obj", "v 0 0 0\nv 1 0 0\nv 0 1");
    put("range.obj", corners + "f 1 2 3\nf 1 2 9\n");
    put("negative.obj", corners + "f -1 -2 -4\n");
    put("letters.obj", corners + "f one two three\n");
    put("empty.obj", "");
    const auto with = [&](const std::string& mesh) {
        put("scene.toml", "[groom]\nmesh = '" + mesh + "'\nscalp = ''\nstrands = 3\n");
        return Words{"simulate", "scene.toml", "--frames", "1", "-o", "x.hair", "--quiet"};
    };
    expect_refused(with("missing.obj"), {"missing.obj", "no such file", "scene.toml"});
    expect_refused(with("cut.obj"), {"cut.obj:4", "cut short"});
    expect_refused(with("half.obj"), {"half.obj:3", "cut short"});
    expect_refused(with("range.obj"), {"range.obj:5", "9"});
    expect_refused(with("negative.obj"), {"negative.obj:4"});
    expect_refused(with("letters.obj"), {"letters.obj:4"});
    expect_refused(with("empty.obj"), {});
    expect_refused(with("builtin:nobody.obj"), {"nobody.obj", "bust.obj"});
    expect_refused({"info", "range.obj"}, {"range.obj:5"});
    expect_refused({"info", "missing.obj"}, {"missing.obj", "no such file"});
    expect_refused({"info", "scene.toml"}, {"scene.toml", ".obj"});
}

TEST_F(Commands, refuses_scenes_with_mistakes_and_says_where) {
    const auto with = [&](const std::string& text) {
        put("scene.toml", text);
        return Words{"groom", "scene.toml", "-o", "x.hair"};
    };
    expect_refused(with("[groom]\nstrands = 'many'\n"), {"scene.toml:2:11:", "groom.strands"});
    expect_refused(with("title = 'x'\n[groom\nstrands = 3\n"), {"scene.toml:2:"});
    expect_refused(with("[groom]\nlenght = 3\n"), {"scene.toml:2:1:", "\"groom.length\""});
    expect_refused(with("[groom]\nstrands = -1\n"), {"scene.toml:2:11:", "-1", "0 to"});
    expect_refused(with("[groom]\nstrands = 1e12\n"), {"scene.toml:2:11:", "out of range"});
    expect_refused(with("base = 'scene'\n"), {"scene.toml:1:8:", "base"});
    expect_refused(with("\xff\xfe garbage"), {"scene.toml:1"});
}

TEST_F(Commands, refuses_overrides_with_mistakes) {
    put("tiny.toml", kTinyScene);
    const auto with = [](const std::string& text) {
        return Words{"groom", "tiny.toml", "-o", "x.hair", "--set", text};
    };
    expect_refused(with("groom.strands=-1"), {"groom.strands", "out of range"});
    expect_refused(with("groom.strands=1e12"), {"groom.strands", "out of range"});
    expect_refused(with("groom.lenght=1"), {"\"groom.length\""});
    expect_refused(with("groom.length"), {"key=value"});
    put("bead.obj", kBeadMesh);
    put("bead.toml", kBead);
    expect_refused({"groom", "bead.toml", "-o", "x.hair", "--quiet", "--set", "groom.scalp=beard"},
                   {"beard", "scalp"});
}

TEST_F(Commands, refuses_kinds_of_output_it_cannot_write_before_it_works) {
    put("tiny.toml", kTinyScene);
    expect_refused({"groom", "tiny.toml", "-o", "x.docx"}, {"x.docx", ".hair"});
    expect_refused({"simulate", "tiny.toml", "--frames", "1", "-o", "x.docx"}, {"x.docx", ".hair"});
    expect_refused({"render", "tiny.toml", "--frames", "1", "-o", "x.docx"}, {"x.docx", ".png"});
    expect_refused({"render", "tiny.toml", "--frames", "1", "-o", "plain"}, {"plain", ".png"});
}

TEST_F(Commands, leaves_nothing_where_it_cannot_write) {
    put("tiny.toml", kTinyScene);
    put("file", "not a folder");
    expect_refused({"groom", "tiny.toml", "-o", "file/x.hair", "--quiet"}, {"file/x.hair"});
    expect_refused({"simulate", "tiny.toml", "--frames", "1", "-o", "file/x.hair", "--quiet"},
                   {"file/x.hair", "cannot be written"});
    expect_refused({"simulate", "tiny.toml", "--frames", "1", "--report", "file/r.json", "--quiet"},
                   {"file/r.json", "cannot be written"});
    expect_refused(
        {"simulate", "tiny.toml", "--frames", "1", "-o", "/proc/ringlet/x.hair", "--quiet"},
        {"/proc/ringlet/x.hair"});
    const Words render{"render", "tiny.toml", "--frames", "1", "--size", "64x48", "--quiet", "-o"};
    for (const char* output : {"file/x.png", "file/x.mp4"}) {
        Words words = render;
        words.push_back(output);
        expect_refused(words, {output});
    }
}

TEST_F(Commands, has_no_window_without_a_display) {
    put("tiny.toml", kTinyScene);
    expect_refused({"view", "tiny.toml", "--quiet"}, {"display", "render"});
}

TEST_F(Commands, lists_the_built_in_scenes) {
    const std::string listed = run_well({"scenes"}).out;
    const std::vector<SceneInfo> scenes = builtin_scenes();
    EXPECT_EQ(std::count(listed.begin(), listed.end(), '\n'), std::ssize(scenes));
    EXPECT_GE(scenes.size(), 6u);
    for (const SceneInfo& scene : scenes) {
        EXPECT_NE(listed.find(scene.name), std::string::npos);
        EXPECT_NE(listed.find(scene.title), std::string::npos);
        EXPECT_FALSE(scene.title.empty()) << scene.name;
    }
    for (const char* name : {"curls", "figure3a", "figure3b", "figure3c", "figure3d", "cantilever"})
        EXPECT_NE(listed.find(name), std::string::npos) << name;
}

TEST_F(Commands, every_built_in_scene_can_be_read) {
    for (const SceneInfo& info : builtin_scenes()) {
        const Result<Scene> scene = load_scene(info.name, {});
        EXPECT_TRUE(scene) << scene.error().text();
    }
}

TEST_F(Commands, a_printed_scene_simulates_to_the_hash_of_the_built_in) {
    for (const char* name : {"figure3c", "cantilever"}) {
        put("saved.toml", run_well({"scenes", name}).out);
        const Json built_in = report_of({"simulate", name, "--frames", "3"});
        const Json saved = report_of({"simulate", "saved.toml", "--frames", "3"});
        EXPECT_EQ(built_in["hash"].get<std::string>().size(), 16u);
        EXPECT_EQ(built_in["hash"], saved["hash"]) << name;
    }
    const Json three = report_of({"simulate", "cantilever", "--frames", "3"});
    const Json four = report_of({"simulate", "cantilever", "--frames", "4"});
    EXPECT_NE(three["hash"], four["hash"]) << "the hash does not depend on the state";
}

TEST_F(Commands, lists_every_key) {
    const std::string listed = run_well({"scenes", "--keys"}).out;
    Scene defaults;
    const ParameterTable table = parameters_of(defaults);
    for (const Parameter& parameter : table.parameters)
        EXPECT_NE(listed.find("`" + parameter.key + "`"), std::string::npos) << parameter.key;
    for (const ParameterList& list : table.lists) {
        EXPECT_NE(listed.find("[[" + list.key + "]]"), std::string::npos) << list.key;
        for (const Parameter& parameter : list.append())
            EXPECT_NE(listed.find("`" + parameter.key + "`"), std::string::npos) << parameter.key;
    }
}

TEST_F(Commands, info_places_strands_on_a_mesh_as_stated) {
    put("hair.obj", "v 0 0 100\nv 0 0 130\nl 1 2\n");
    put("mesh.obj", "v 0 -1 1\nv 1 1 1\nv -1 1 1\nv 0 0 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n");
    const Words place = {"info",  "hair.obj",           "--mesh", "mesh.obj", "--json",
                         "--set", "groom.mesh_units=m", "--set"};
    const auto off = [&](const std::string& unit) {
        Words words = place;
        words.push_back("groom.file_units=" + unit);
        return Json::parse(run_well(words).out)["roots_off_mesh"]["count"].get<int>();
    };
    EXPECT_EQ(off("cm"), 0);
    EXPECT_EQ(off("m"), 1);
    expect_refused({"info", "hair.obj", "--mesh", "mesh.obj", "--set", "groom.file_units=parsec"},
                   {"--set", "parsec"});
    expect_refused({"info", "hair.obj", "--set", "groom.file_units=cm"}, {"--mesh"});
}

TEST_F(Commands, an_override_that_could_change_nothing_is_refused) {
    for (const char* name : {"scenes", "validate"})
        expect_refused({name, "--set", "sim.substeps=3"}, {"--set sim.substeps=3", name});
    expect_refused({"convert", "a.hair", "b.hair", "--set", "groom.length=1"},
                   {"--set", "convert"});
    for (const char* own : {"sim.substeps=3", "hair_hair.friction=1", "sim.rod.solves=4"})
        expect_refused({"bench", "--quick", "--set", own}, {own, "bench"});
    expect_refused({"bench", "--quick", "--set", "sim.rod.integrator=euler"}, {"euler"});
}

TEST_F(Commands, groom_and_info_agree) {
    put("bead.obj", kBeadMesh);
    put("bead.toml", kBead);
    run_well({"groom", "bead.toml", "-o", "x.hair", "--set", "groom.strands=37", "--set",
              "groom.vertices=9", "--set", "groom.length_variation=0"});
    const Json info = Json::parse(run_well({"info", "x.hair", "--json"}).out, nullptr, false);
    ASSERT_FALSE(info.is_discarded());
    EXPECT_EQ(info["strands"], 37);
    EXPECT_EQ(info["vertices"], 37 * 9);
    EXPECT_EQ(info["vertices_per_strand"]["most"], 9);
    EXPECT_NEAR(info["length"]["mean"].get<double>(), 0.3, 0.03);
    const std::string text = run_well({"info", "x.hair"}).out;
    EXPECT_NE(text.find("37"), std::string::npos);
    put("ground.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\ng floor\nf 1 3 4 2\n");
    const Json mesh = Json::parse(run_well({"info", "ground.obj", "--json"}).out, nullptr, false);
    EXPECT_EQ(mesh["triangles"], 2);
    EXPECT_NEAR(mesh["area"].get<double>(), 1, 1e-6);
    EXPECT_EQ(mesh["open_edges"], 4);
}

TEST_F(Commands, simulate_reports_all_that_was_promised) {
    const Json report = report_of({"simulate", "figure3b", "--frames", "120"});
    ASSERT_TRUE(report.is_object());
    for (const char* key : {"scene",
                            "model",
                            "backend",
                            "threads",
                            "strands",
                            "vertices",
                            "frames",
                            "substeps",
                            "dt",
                            "hash",
                            "seconds",
                            "ms_per_frame",
                            "vertex_steps_per_second",
                            "max_stretch",
                            "mean_stretch",
                            "max_penetration",
                            "penetrating_vertices",
                            "nonfinite_vertices",
                            "peak_memory_bytes",
                            "warnings",
                            "stretch_p99",
                            "strain_limited_strands",
                            "strain_limited_frames"})
        EXPECT_TRUE(report.contains(key)) << key;
    EXPECT_EQ(report["scene"], "figure3b");
    EXPECT_EQ(report["strands"], 500);
    EXPECT_EQ(report["vertices"], 500 * 61);
    EXPECT_EQ(report["frames"], 120);
    EXPECT_EQ(report["nonfinite_vertices"], 0);
    EXPECT_LT(report["max_stretch"].get<double>(), 0.05);
    EXPECT_LE(report["mean_stretch"].get<double>(), report["max_stretch"].get<double>());
    EXPECT_LE(report["stretch_p99"].get<double>(), report["max_stretch"].get<double>());
    EXPECT_GT(report["seconds"].get<double>(), 0);
    EXPECT_GT(report["peak_memory_bytes"].get<double>(), 1e6);
    const std::string hash = report["hash"];
    EXPECT_EQ(hash.size(), 16u);
    EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos) << hash;
    EXPECT_EQ(listing(), std::set<std::string>{"report.json"});
}

TEST_F(Commands, threads_seeds_and_lanes_do_what_they_say) {
    put("bead.obj", kBeadMesh);
    put("bead.toml", kBead);
    const Words base{"simulate", "bead.toml", "--frames", "5"};
    const auto hash_with = [&](const Words& more) {
        Words words = base;
        words.insert(words.end(), more.begin(), more.end());
        const Json report = report_of(words);
        return report.value("hash", std::string("none"));
    };
    const std::string hash = hash_with({});
    EXPECT_EQ(hash, hash_with({"--threads", "1"}));
    EXPECT_EQ(hash, hash_with({"--threads", "2"}));
    EXPECT_EQ(hash, hash_with({"--lanes", "scalar"}));
    EXPECT_EQ(hash, hash_with({"--lanes", "wide8"}));
    EXPECT_EQ(hash, hash_with({"--seed", "1"}));
    EXPECT_NE(hash, hash_with({"--seed", "2"}));
    EXPECT_EQ(report_of({"simulate", "cantilever", "--frames", "1", "--threads", "1"})["threads"],
              1);
}

TEST_F(Commands, simulate_writes_the_last_frame_or_all_of_them) {
    put("tiny.toml", kTinyScene);
    run_well({"simulate", "tiny.toml", "--frames", "5", "-o", "last.hair", "--quiet"});
    run_well({"simulate", "tiny.toml", "--frames", "5", "-o", "frames/", "--quiet"});
    const std::set<std::string> expected{"tiny.toml",
                                         "last.hair",
                                         "frames",
                                         "frames/frame0000.hair",
                                         "frames/frame0001.hair",
                                         "frames/frame0002.hair",
                                         "frames/frame0003.hair",
                                         "frames/frame0004.hair"};
    EXPECT_EQ(listing(), expected);
    EXPECT_EQ(read_text(file("last.hair")), read_text(file("frames/frame0004.hair")));
    EXPECT_NE(read_text(file("last.hair")), read_text(file("frames/frame0003.hair")));
    const Result<StrandSet> last = read_hair(file("last.hair"));
    ASSERT_TRUE(last);
    EXPECT_EQ(last->strand_count(), 2);
    EXPECT_EQ(last->layout->vertex_count(0), 8);
}

TEST_F(Commands, renders_without_a_display) {
    run_well({"render", "bust", "-o", "x.png", "--size", "64x48", "--frames", "1", "--set",
              "groom.strands=20"});
    EXPECT_EQ(listing(), std::set<std::string>{"x.png"});
    const std::string png = read_text(file("x.png"));
    ASSERT_GT(png.size(), 100u);
    EXPECT_EQ(png.substr(1, 3), "PNG");
    const auto number = [&](std::size_t at) {
        return static_cast<unsigned char>(png[at + 2]) * 256 +
               static_cast<unsigned char>(png[at + 3]);
    };
    EXPECT_EQ(number(16), 64);  // width and height of the header
    EXPECT_EQ(number(20), 48);
}

TEST_F(Commands, renders_pictures_into_a_folder_and_videos) {
    RINGLET_TEST_FROM(full);
    put("tiny.toml", kTinyScene + "[render]\nshadows = false\n");
    const Words size{"--size", "64x48", "--frames", "3", "--quiet"};
    Words pictures{"render", "tiny.toml", "-o", "frames/"},
        video{"render", "tiny.toml", "-o", "x.mp4"};
    pictures.insert(pictures.end(), size.begin(), size.end());
    video.insert(video.end(), size.begin(), size.end());
    run_well(pictures);
    run_well(video);
    const std::set<std::string> expected{"tiny.toml",
                                         "x.mp4",
                                         "frames",
                                         "frames/render0000.png",
                                         "frames/render0001.png",
                                         "frames/render0002.png"};
    EXPECT_EQ(listing(), expected);
    EXPECT_GT(fs::file_size(file("x.mp4")), 500u);
}

TEST_F(Commands, makes_a_video_of_frames_and_may_delete_them) {
    RINGLET_TEST_FROM(full);
    ASSERT_EQ(run({"render", "pendulum", "-o", "frames/", "--frames", "3", "--size", "64x48"}).code,
              0);
    put("frames/notes.txt", "kept");
    Outcome made = run({"video", "frames", "-o", "out.mp4", "--fps", "12"});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_GT(fs::file_size(file("out.mp4")), 500u);
    EXPECT_TRUE(fs::exists(file("frames/render0002.png")));
    // A frame of another size: one line, no video, no frame lost.
    ASSERT_EQ(run({"render", "pendulum", "-o", "frames/render0001.png", "--frames", "1", "--size",
                   "64x64"})
                  .code,
              0);
    made = run({"video", "frames", "-o", "bad.mp4", "--delete-frames"});
    EXPECT_EQ(made.code, 1);
    EXPECT_NE(made.err.find("render0001.png: differs in size"), std::string::npos) << made.err;
    EXPECT_FALSE(fs::exists(file("bad.mp4")));
    EXPECT_TRUE(fs::exists(file("frames/render0000.png")));

    fs::remove(file("frames/render0001.png"));
    made = run({"video", "frames", "-o", "out.mp4", "--delete-frames"});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_FALSE(fs::exists(file("frames/render0000.png")));
    EXPECT_TRUE(fs::exists(file("frames/notes.txt")));
    made = run({"video", "frames", "-o", "out.mp4"});
    EXPECT_EQ(made.code, 1);
    EXPECT_NE(made.err.find("no frames here"), std::string::npos) << made.err;
    EXPECT_EQ(run({"video", "nowhere", "-o", "out.mp4"}).code, 1);
    EXPECT_EQ(run({"video", "frames", "-o", "out.avi"}).code, 1);
}

TEST_F(Commands, progress_is_plain_lines_where_there_is_no_terminal) {
    put("tiny.toml", kTinyScene);
    const Outcome outcome = run_well({"simulate", "tiny.toml", "--frames", "50"});
    EXPECT_NE(outcome.err.find("simulating 50/50\n"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos);
    EXPECT_EQ(outcome.err.find('\r'), std::string::npos);
    const auto lines = std::count(outcome.err.begin(), outcome.err.end(), '\n');
    EXPECT_GE(lines, 5);
    EXPECT_LE(lines, 20) << "one line for every tenth, not for every frame";
    EXPECT_NE(outcome.out.find("hash "), std::string::npos);
    EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos);
}

TEST_F(Commands, quiet_prints_nothing) {
    put("tiny.toml", kTinyScene);
    const Words quiet[] = {
        {"simulate", "tiny.toml", "--frames", "3", "-o", "x.hair", "--quiet"},
        {"groom", "tiny.toml", "-o", "y.hair", "--quiet"},
        {"--quiet", "simulate", "tiny.toml", "--frames", "3"},
        {"render", "tiny.toml", "-o", "x.png", "--size", "64x48", "--frames", "1", "--quiet"},
    };
    for (const Words& words : quiet) {
        const Outcome outcome = run_well(words);
        EXPECT_EQ(outcome.out, "") << words[0];
        EXPECT_EQ(outcome.err, "") << words[0];
    }
}

TEST_F(Commands, quiet_stays_quiet_with_more_threads_than_cores) {
    put("tiny.toml", kTinyScene);
    const Outcome outcome =
        run_well({"simulate", "tiny.toml", "--frames", "1", "--threads", "64", "--quiet"});
    EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(Commands, validates_a_model_and_writes_the_page) {
    RINGLET_TEST_FROM(full);
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "takes minutes with sanitizers; determinism_tests run every model";
#endif
    const Outcome outcome =
        run_well({"validate", "--model", "rod", "--quick", "--json", "-o", "page", "--quiet"});
    EXPECT_EQ(outcome.err, "");
    const Json json = Json::parse(outcome.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded());
    EXPECT_EQ(json["size"], "quick");
    EXPECT_EQ(json["models"], Json({"rod"}));
    EXPECT_TRUE(json["passed"].get<bool>());
    EXPECT_GT(json["pass"].get<int>(), 30);
    for (const Json& row : json["rows"]) {
        EXPECT_EQ(row["model"], "rod");
        EXPECT_NE(row["verdict"], "fail") << row;
    }
    const std::string page = read_text(file("page/validation.md"));
    EXPECT_NE(page.find("ringlet validate --quick"), std::string::npos);
    for (const Json& check : json["checks"])
        EXPECT_NE(page.find("\n## " + check["name"].get<std::string>()), std::string::npos)
            << check;
    for (const Json& plot : json["plots"]) {
        const std::string name = plot["name"].get<std::string>() + ".svg";
        EXPECT_NE(page.find("(" + name + ")"), std::string::npos) << name;
        const std::string drawn = read_text(file("page/" + name));
        EXPECT_TRUE(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n")) << name;
        EXPECT_LT(drawn.size(), 60000) << name;
    }
}

TEST_F(Commands, validates_one_check_with_a_number_of_scenes) {
    const Outcome outcome = run_well({"validate", "--model", "spring", "--check", "random_scenes",
                                      "--scenes", "3", "--json", "--quiet"});
    const Json json = Json::parse(outcome.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded());
    ASSERT_EQ(json["checks"].size(), 1u);
    EXPECT_EQ(json["checks"][0]["name"], "random_scenes");
    EXPECT_EQ(json["rows"].size(), 4u);
    const Json& measured = json["plots"][0]["curves"][1]["points"];
    EXPECT_EQ(measured.size(), 3u + 1) << "one point per scene, and the end";
}

TEST_F(Commands, refuses_to_validate_what_is_not_there) {
    expect_refused({"validate", "--model", "rodd", "--quick"}, {"rodd", "did you mean \"rod\""});
    expect_refused({"validate", "--check", "random_scene"},
                   {"random_scene", "cantilever", "did you mean \"random_scenes\""});
    expect_refused({"validate", "--model", "elephant"}, {"elephant", "pbd", "rod"});
    put("page", "a file");
    expect_refused({"validate", "--quick", "-o", "page"}, {"page", "folder"});
}

}  // namespace
}  // namespace ringlet
