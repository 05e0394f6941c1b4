// `ringlet new`, and meshes where a scene is expected.
#include <cstdio>
#include <sstream>

#include "cli/program.h"
#include "io/image/image_file.h"
#include "session/assets/resources.h"
#include "test_level.h"

namespace ringlet {
namespace {

class NewScene : public Cli {
protected:
    NewScene() {
        put("head.obj", std::string(*find_resource("bust.obj")));
        put("bust.mtl", std::string(*find_resource("bust.mtl")));
    }

    // Few strands and a small picture.
    static Words quick(Words words) {
        for (const char* set : {"groom.strands=120", "groom.guides=0", "record.settle=0",
                                "record.width=96", "record.height=72", "render.shadows=false"})
            words.insert(words.end(), {"--set", set});
        return words;
    }
};

TEST_F(NewScene, writes_a_commented_scene_and_a_picture) {
    const Outcome outcome = run_well(
        quick({"new", "head.obj", "--style", "black waves", "--set", "render.hair_width=20"}));
    EXPECT_EQ(outcome.out, "wrote head.toml and head.png\n");
    EXPECT_EQ(listing(), (std::set<std::string>{"bust.mtl", "head.obj", "head.png", "head.toml"}));
    const std::string text = read_text(file("head.toml"));
    for (const char* expected :
         {"base = \"waves\"", "mesh = \"head.obj\"", "scalp = \"auto\"",
          "# Guessed: ", "eye = \"auto\"", "mesh_scale = 1\n", "mesh_up = \"+y\"", "strands = 120"})
        EXPECT_NE(text.find(expected), std::string::npos) << text << "lacks " << expected;
    const Result<Image> picture = read_image(file("head.png"));
    ASSERT_TRUE(picture) << picture.error().text();
    EXPECT_EQ(picture->width, 96);
    // Head and hair stand out from the backdrop.
    int darkest = 255, brightest = 0;
    for (int y = 0; y < picture->height; ++y)
        for (int x = 0; x < picture->width; ++x) {
            darkest = std::min<int>(darkest, picture->pixel(x, y)[1]);
            brightest = std::max<int>(brightest, picture->pixel(x, y)[1]);
        }
    EXPECT_GT(brightest - darkest, 80);
    const Outcome again = run_well({"simulate", "head.toml", "--frames", "2"});
    EXPECT_NE(again.out.find("120 strands"), std::string::npos) << again.out;
}

TEST_F(NewScene, lets_an_animated_file_alone_move_the_head) {
    RINGLET_TEST_FROM(full);
    run_well(quick({"simulate", "bob", "--set", "head.neck=rigid", "--frames", "3", "-o",
                    "shot.usda", "--quiet"}));
    run_well(quick({"new", "shot.usda", "--style", "waves"}));
    EXPECT_NE(read_text(file("shot.toml")).find("motion = \"none\""), std::string::npos);
    // Unless the user asks for a motion.
    run_well(quick({"new", "shot.usda", "--style", "turning waves", "-o", "turning.toml"}));
    EXPECT_NE(read_text(file("turning.toml")).find("motion = \"turn\""), std::string::npos);
    // Keys of the base scene move the head as well.
    run_well(quick({"new", "shot.usda", "--style", "curls", "-o", "keys.toml"}));
    EXPECT_NE(read_text(file("keys.toml")).find("key = []"), std::string::npos);
    EXPECT_EQ(read_text(file("turning.toml")).find("key = []"), std::string::npos);
}

TEST_F(NewScene, names_the_mesh_relative_to_the_scene) {
    run_well(quick({"new", "head.obj", "-o", "scenes/mine.toml", "--quiet"}));
    EXPECT_NE(read_text(file("scenes/mine.toml")).find("mesh = \"../head.obj\""),
              std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(file("scenes/mine.png")));
    run_well({"simulate", "scenes/mine.toml", "--frames", "1", "--quiet"});
}

TEST_F(NewScene, does_not_replace_files_unless_forced) {
    put("head.toml", "mine");
    expect_refused(quick({"new", "head.obj"}), {"head.toml", "--force"});
    EXPECT_EQ(read_text(file("head.toml")), "mine");
    run_well(quick({"new", "head.obj", "--force"}));
    EXPECT_NE(read_text(file("head.toml")), "mine");
}

TEST_F(NewScene, words_describe_the_style) {
    const Outcome outcome =
        run_well(quick({"new", "head.obj", "--style", "Shoulder-length auburn curls, in wind"}));
    const std::string text = read_text(file("head.toml"));
    for (const char* expected : {"base = \"curls\"", "shoulder", "auburn", "turbulence"})
        EXPECT_NE(text.find(expected), std::string::npos) << text << "lacks " << expected;
    expect_refused({"new", "head.obj", "--style", "wavez", "--force"}, {"wavez", "waves"});
}

TEST_F(NewScene, rough_lengths_give_way_to_named_ones) {
    RINGLET_TEST_FROM(full);
    for (const auto& [style, expected] : {std::pair{"short black bob", "\nlength = \"chin\""},
                                          {"long straight hair", "\nlength = \"chest\""},
                                          {"waist-long waves", "\nlength = \"waist\""},
                                          {"long waves to the chin", "\nlength = \"chin\""}}) {
        SCOPED_TRACE(style);
        run_well(quick({"new", "head.obj", "--style", style, "--force"}));
        const std::string text = read_text(file("head.toml"));
        EXPECT_NE(text.find(expected), std::string::npos) << text;
        EXPECT_EQ(text.find("\nlength = "), text.rfind("\nlength = ")) << text;
    }
}

TEST_F(NewScene, guesses_are_printed_before_an_error) {
    std::istringstream lines{std::string(*find_resource("bust.obj"))};
    std::string centimetres;
    for (std::string line; std::getline(lines, line);) {
        float x = 0, y = 0, z = 0;
        if (std::sscanf(line.c_str(), "v %f %f %f", &x, &y, &z) == 3)
            line = "v " + std::to_string(100 * x) + " " + std::to_string(100 * y) + " " +
                   std::to_string(100 * z);
        centimetres += line + "\n";
    }
    put("cm.obj", centimetres);
    const Outcome outcome = run({"simulate", "cm.obj", "--set", "groom.scalp=nowhere"});
    EXPECT_EQ(outcome.code, 1);
    const std::size_t guess = outcome.err.find("groom.mesh_units");
    EXPECT_LT(guess, outcome.err.find("nowhere")) << outcome.err;
}

TEST_F(NewScene, wrong_input_leaves_nothing_behind) {
    put("notes.txt", "hello");
    expect_refused({"new", "notes.txt"}, {"notes.txt", "is not a mesh"});
    expect_refused({"new", "gone.obj"}, {"gone.obj"});
    expect_refused({"new", "head.obj", "-o", "scene.json"}, {"scene.json", ".toml"});
    expect_refused(quick({"new", "head.obj", "--set", "collider.0.friction=1"}),
                   {"collider.0.friction"});
    put("empty.obj", "");
    expect_refused({"new", "empty.obj"}, {"empty.obj"});
}

TEST_F(NewScene, a_mesh_is_accepted_where_a_scene_is_expected) {
    const Outcome outcome = run_well(quick({"simulate", "head.obj", "--frames", "1"}));
    EXPECT_NE(outcome.out.find("120 strands"), std::string::npos) << outcome.out;
    run_well(quick({"groom", "head.obj", "-o", "hair.hair"}));
    // The groom on the built-in bust.
    const Outcome groom =
        run_well({"simulate", "hair.hair", "--frames", "1", "--set", "record.settle=0"});
    EXPECT_NE(groom.out.find("120 strands"), std::string::npos) << groom.out;
}

}  // namespace
}  // namespace ringlet
