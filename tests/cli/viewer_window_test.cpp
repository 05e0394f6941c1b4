// Scripted tests of the viewer in a real window on a virtual display (Xvfb).
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cmath>
#include <fstream>

#include "io/image/image_file.h"
#include "ringlet/ringlet.h"
#include "scene/parameters.h"
#include "session/renderers.h"
#include "test_level.h"
#include "test_paths.h"
#include "unit/temp_folder.h"
#include "viewer/panel_list.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

struct Outcome {
    int code = -1;
    std::string text;
};

class ViewerWindow : public testing::Test {
protected:
    Outcome view(const std::string& scene, const std::string& script,
                 const std::string& more = "--set groom.strands=60 --set record.settle=0") {
        std::ofstream(folder_ / "script.txt") << "size 900 420\n" + script;
        const std::string command =
            "cd " + folder_.operator/("").string() +
            " && XDG_CONFIG_HOME=$PWD/config timeout 300 xvfb-run -a -s '-screen 0 1400x1000x24' " +
            kProgramPath + " view " + scene + " " + more +
            " --set render.shadows=false --script script.txt >out.txt 2>&1";
        // 5: the display number was taken by another test at the same moment.
        int status = 0;
        for (int attempt = 0; attempt < 4; ++attempt) {
            status = std::system(command.c_str());
            if (!WIFEXITED(status) || WEXITSTATUS(status) != 5) break;
        }
        std::ifstream in(folder_ / "out.txt");
        const std::string text((std::istreambuf_iterator<char>(in)), {});
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
    }

    // The k-th output of "print WHAT".
    static std::string printed(const Outcome& outcome, const std::string& what, int k = 0) {
        std::size_t at = 0;
        for (;; --k) {
            at = ("\n" + outcome.text).find("\n" + what + " ", at);
            if (at == std::string::npos) return "";
            if (k == 0) break;
            ++at;
        }
        const std::string rest = outcome.text.substr(at + what.size() + 1);
        return rest.substr(0, rest.find('\n'));
    }

    Image picture(const std::string& name) const {
        Result<Image> image = read_image(folder_ / name);
        EXPECT_TRUE(image) << image.error().text();
        return image ? std::move(*image) : Image{1, 1, {0, 0, 0, 255}};
    }

    static int differing_pixels(const Image& a, const Image& b) {
        if (a.width != b.width || a.height != b.height) return -1;
        int count = 0;
        for (int y = 0; y < a.height; ++y)
            for (int x = 0; x < a.width; ++x)
                count += !std::equal(a.pixel(x, y), a.pixel(x, y) + 3, b.pixel(x, y));
        return count;
    }

    TempFolder folder_;
};

TEST_F(ViewerWindow, every_panel_opens) {
    RINGLET_TEST_FROM(full);
    Scene scene;
    std::string script;
    std::vector<std::string> panels = panels_of(parameters_of(scene));
    for (const char* more : {"Statistics", "Debug view", "Strand"}) panels.emplace_back(more);
    for (const std::string& panel : panels)
        script += "panel " + panel + "\nscreenshot " + panel + ".png\n";
    const Outcome outcome = view("leader", script + "print panels\nframes 2\n");
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    for (const std::string& panel : panels) {
        EXPECT_NE(printed(outcome, "panels").find(panel), std::string::npos) << panel;
        EXPECT_EQ(picture(panel + ".png").width, 900);
    }
    EXPECT_GT(differing_pixels(picture("Groom.png"), picture("Wind.png")), 1000);
    const Outcome none = view("leader", "frames 1\npanel Nonsense\n");
    EXPECT_EQ(none.code, 1);
    EXPECT_NE(none.text.find("script.txt:3: panel: no panel"), std::string::npos) << none.text;
}

TEST_F(ViewerWindow, a_slider_changes_the_hair_and_undo_brings_it_back) {
    const Outcome outcome = view("leader",
                                 "frames 1\nkey Space\nprint groom.length\nprint hash\n"
                                 "screenshot before.png\nslide groom.length 0.9\n"
                                 "print groom.length\nprint hash\nscreenshot after.png\n"
                                 "key Ctrl+Z\nkey R\nprint groom.length\n");
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    const double before = std::stod(printed(outcome, "groom.length")),
                 after = std::stod(printed(outcome, "groom.length", 1));
    EXPECT_GT(after, before * 2);
    EXPECT_NE(printed(outcome, "hash"), printed(outcome, "hash", 1));
    EXPECT_GT(differing_pixels(picture("before.png"), picture("after.png")), 2000);
    EXPECT_EQ(std::stod(printed(outcome, "groom.length", 2)), before);
}

TEST_F(ViewerWindow, c_writes_frames_with_the_scenes_time) {
    RINGLET_TEST_FROM(full);
    const Outcome outcome = view("figure3d",
                                 "frames 2\nprint time\nkey C\nframes 4\nkey C\nprint time\n"
                                 "set record.format=mp4\nkey C\nframes 3\nkey C\nframes 2\n",
                                 "--set record.width=64 --set record.height=48");
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    for (int k = 0; k < 4; ++k) {
        const Image frame = picture("renders/render000" + std::to_string(k) + ".png");
        EXPECT_EQ(frame.width, 64);
        EXPECT_EQ(frame.height, 48);
    }
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_ / "renders")) ++files;
    EXPECT_EQ(files, 5u);
    EXPECT_TRUE(fs::exists(folder_ / "renders/recording0000.mp4"));
    EXPECT_GT(
        differing_pixels(picture("renders/render0000.png"), picture("renders/render0003.png")), 5);
    const double began = std::stod(printed(outcome, "time")),
                 ended = std::stod(printed(outcome, "time", 1));
    EXPECT_NEAR(began, 2 / 24.0, 1e-6);
    // The first frame shows the start, the last one three frames later.
    EXPECT_NEAR(ended, began + 3 / 24.0, 1e-6);
}

TEST_F(ViewerWindow, t_traces_the_picture_while_it_stands_still) {
    RINGLET_TEST_FROM(full);
    if (!create_renderer("trace")) GTEST_SKIP() << "built without Embree";
    const Outcome outcome = view("leader",
                                 "frames 2\nkey Space\nscreenshot drawn.png\nprint tracing\nkey T\n"
                                 "print tracing\nframes 12\nprint tracing\nframes 300\n"
                                 "screenshot traced.png\nprint tracing\nkey A\nprint tracing\n"
                                 "key D\nscreenshot again.png\nkey T\nprint tracing\n",
                                 "--set groom.strands=60 --set record.settle=0 "
                                 "--set render.samples=3 --set light.size=40");
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    const auto state = [&](int k) { return printed(outcome, "tracing", k); };
    EXPECT_EQ(state(0), "off");
    EXPECT_EQ(state(1), "waiting");
    EXPECT_NE(state(2).find(" of 3 samples"), std::string::npos) << state(2);
    EXPECT_EQ(state(3), "complete, 3 of 3 samples");
    EXPECT_EQ(state(4), "waiting") << "the camera moves";
    EXPECT_EQ(state(5), "off");
    EXPECT_GT(differing_pixels(picture("drawn.png"), picture("traced.png")), 10'000);
    EXPECT_GT(differing_pixels(picture("again.png"), picture("traced.png")), 10'000);
}

TEST_F(ViewerWindow, a_saved_scene_gives_the_same_hash) {
    RINGLET_TEST_FROM(full);
    const Outcome outcome = view("leader",
                                 "frames 3\nset groom.length=0.2\nset wind.velocity=[1,0,2]\n"
                                 "slide sim.damping 0.5\nframes 2\nsave mine/saved.toml\nkey R\n"
                                 "frames 6\nprint hash\n");
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    const std::string line = printed(outcome, "hash");
    const int steps = std::stoi(line.substr(line.find("after ") + 6));
    Result<Session> again = Session::open((folder_ / "mine/saved.toml").string());
    ASSERT_TRUE(again) << again.error().text();
    for (int step = 0; step < steps; ++step) again->step();
    EXPECT_EQ(line.substr(0, 16), again->hash());
    EXPECT_EQ(again->strand_count(), 60);
}

TEST_F(ViewerWindow, the_mouse_picks_a_strand_moves_the_head_and_orbits) {
    RINGLET_TEST_FROM(full);
    const Outcome outcome = view(
        "leader",
        "frames 1\nprint camera.eye\ndrag 0.05 0.1 0.2 0.15\nprint camera.eye\nkey R\nkey Space\n"
        "print hash\nframes 2\nprint hash\nkey Space\ndrag 0.5 0.75 0.6 0.75\nprint hash\n");
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_NE(printed(outcome, "camera.eye"), printed(outcome, "camera.eye", 1));
    EXPECT_EQ(printed(outcome, "hash"), printed(outcome, "hash", 1));  // paused
    EXPECT_NE(printed(outcome, "hash", 1), printed(outcome, "hash", 2));
}

TEST_F(ViewerWindow, files_are_opened_as_if_dropped) {
    RINGLET_TEST_FROM(full);
    std::ofstream(folder_ / "patch.obj")
        << "v -0.1 0.3 -0.1\nv 0.1 0.3 -0.1\nv 0.1 0.3 0.1\nv -0.1 0.3 0.1\nf 4 3 2 1\n";
    const Outcome outcome = view("straight",
                                 "open patch.obj\nprint groom.mesh\nprint strands\nframes 2\n"
                                 "open figure3a\nprint strands\nscreenshot a.png\n");
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_NE(printed(outcome, "groom.mesh").find("patch.obj"), std::string::npos);
    EXPECT_EQ(printed(outcome, "strands"), "60");
    const Outcome broken = view("leader", "open script.txt\n");
    EXPECT_EQ(broken.code, 1);
}

TEST_F(ViewerWindow, painted_growth_is_undone_redone_and_saved) {
    RINGLET_TEST_FROM(full);
    const Outcome outcome =
        view("straight",
             "frames 1\nkey R\nprint hash\nkey P\nscreenshot brush.png\npress Shave\n"
             "drag 0.45 0.3 0.55 0.35\nkey P\nkey R\nprint hash\nsave painted.toml\n"
             "key Ctrl+Z\nkey R\nprint hash\nkey Ctrl+Shift+Z\nkey R\nprint hash\n"
             "screenshot after.png\n",
             "--set groom.strands=60 --set record.settle=0");
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    const std::string before = printed(outcome, "hash"), after = printed(outcome, "hash", 1);
    EXPECT_NE(before, after);
    EXPECT_EQ(printed(outcome, "hash", 2), before);  // undone
    EXPECT_EQ(printed(outcome, "hash", 3), after);   // redone
    EXPECT_TRUE(fs::exists(folder_ / "painted.growth"));
    const Result<Session> saved = Session::open((folder_ / "painted.toml").string());
    ASSERT_TRUE(saved) << saved.error().text();
    EXPECT_EQ(saved->hash(), after.substr(0, 16));
    // Points on the head show where hair grows.
    EXPECT_GT(differing_pixels(picture("brush.png"), picture("after.png")), 500);
}

TEST_F(ViewerWindow, messages_are_shown_until_they_are_dismissed) {
    const std::string away =
        "--set groom.strands=60 --set record.settle=0 "
        "--set camera.eye=[0,0.3,3] --set camera.target=[0,0.3,9]";
    const Outcome outcome =
        view("straight",
             "frames 1\nprint messages\nscreenshot shown.png\npress Dismiss\nprint messages\n"
             "screenshot dismissed.png\nset groom.vertices=2\nprint messages\n",
             away);
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_NE(printed(outcome, "messages").find("in view"), std::string::npos) << outcome.text;
    EXPECT_EQ(printed(outcome, "messages", 1), "none");
    EXPECT_NE(printed(outcome, "messages", 2).find("no strand can move"), std::string::npos);
    EXPECT_GT(differing_pixels(picture("shown.png"), picture("dismissed.png")), 500);
    // The terminal shows the warning of the opened scene once.
    const std::string line = "ringlet: warning: camera: neither hair nor a head is in view";
    const std::size_t first = outcome.text.find(line);
    EXPECT_NE(first, std::string::npos) << outcome.text;
    EXPECT_EQ(outcome.text.find(line, first + 1), std::string::npos) << outcome.text;
}

TEST_F(ViewerWindow, a_dropped_head_is_framed_and_keeps_the_hairstyle) {
    RINGLET_TEST_FROM(full);
    // A ball of 0.2 m, far from the origin.
    std::ofstream ball(folder_ / "ball.obj");
    for (int i = 0; i <= 8; ++i)
        for (int k = 0; k < 16; ++k) {
            const double up = 3.14159265 * i / 8, turn = 3.14159265 * k / 8;
            ball << "v " << 4 + 0.1 * std::sin(up) * std::sin(turn) << ' ' << 1 + 0.1 * std::cos(up)
                 << ' ' << 0.1 * std::sin(up) * std::cos(turn) << '\n';
        }
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 16; ++k)
            ball << "f " << i * 16 + k + 1 << ' ' << (i + 1) * 16 + k + 1 << ' '
                 << (i + 1) * 16 + (k + 1) % 16 + 1 << ' ' << i * 16 + (k + 1) % 16 + 1 << '\n';
    ball.close();
    const Outcome outcome = view("straight",
                                 "frames 1\nopen ball.obj\nprint groom.mesh\nprint messages\n"
                                 "print groom.scalp\nprint camera.target\nscreenshot ball.png\n");
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_NE(printed(outcome, "groom.mesh").find("ball.obj"), std::string::npos);
    EXPECT_EQ(printed(outcome, "messages").find("in view"), std::string::npos) << outcome.text;
    EXPECT_EQ(printed(outcome, "camera.target"), "\"auto\"");
}

TEST_F(ViewerWindow, absurd_sizes_are_refused) {
    for (const char* size : first_if_quick<const char*>(
             {"1e30 1e30", "nan 400", "inf inf", "-5 3", "0 0", "100000 100000"})) {
        const Outcome outcome = view("leader", std::string("frames 1\nsize ") + size + "\n");
        EXPECT_EQ(outcome.code, 1) << size << outcome.text;
        EXPECT_NE(outcome.text.find("script.txt:3: size: "), std::string::npos) << outcome.text;
    }
}

TEST_F(ViewerWindow, small_windows_and_hidden_panels_still_show_the_hair) {
    const Outcome outcome = view("leader",
                                 "size 420 320\nframes 1\nscreenshot small.png\nkey Tab\n"
                                 "screenshot bare.png\nkey F1\nscreenshot keys.png\n");
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_EQ(picture("small.png").width, 420);
    EXPECT_GT(differing_pixels(picture("small.png"), picture("bare.png")), 1000);
    EXPECT_GT(differing_pixels(picture("bare.png"), picture("keys.png")), 1000);
}

}  // namespace
}  // namespace ringlet
