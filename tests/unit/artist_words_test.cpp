// Colours by name, pigment and sRGB, and lengths by landmark.
#include <gtest/gtest.h>

#include "groom/grow.h"
#include "groom/hair_colours.h"
#include "io/mesh_format.h"
#include "scene/parameters.h"
#include "scene/read_scene.h"
#include "scene/write_scene.h"
#include "session/assets/growth_source.h"
#include "test_paths.h"

namespace ringlet {
namespace {

Result<Scene> read(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return read_scene(text, "a.toml", "", overrides,
                      [](const std::string&) { return Error{"no base"}; });
}

Scene read_well(const std::string& text, const std::vector<std::string>& overrides = {}) {
    const Result<Scene> scene = read(text, overrides);
    EXPECT_TRUE(scene) << scene.error().text();
    return scene ? *scene : Scene{};
}

void expect_equal(Vec3f a, Vec3f b) {
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.y, b.y);
    EXPECT_EQ(a.z, b.z);
}

Vec3f colour_named(const std::string& name) {
    for (const HairColour& colour : hair_colours())
        if (colour.name == name) return colour.linear_rgb;
    ADD_FAILURE() << name;
    return {};
}

TEST(colours, are_given_by_name_hex_or_numbers) {
    const Scene scene = read_well(
        "[groom.colour]\nroot = 'auburn'\ntip = '#ff8000'\n[light]\ncolour = '#ffffff'\n"
        "[render]\nbackground = [0.1, 0.2, 0.3]\n");
    expect_equal(scene.groom.colour.root, colour_named("auburn"));
    EXPECT_NEAR(scene.groom.colour.tip.x, 1, 1e-6);
    EXPECT_NEAR(scene.groom.colour.tip.y, 0.2158605, 1e-6);  // sRGB 128
    EXPECT_EQ(scene.groom.colour.tip.z, 0);
    expect_equal(scene.light.colour, {1, 1, 1});
    expect_equal(scene.render.background, {0.1f, 0.2f, 0.3f});
    expect_equal(read_well("", {"groom.colour.root=#ff8000"}).groom.colour.root,
                 scene.groom.colour.tip);
}

TEST(colours, suggest_the_nearest_name) {
    const Result<Scene> scene = read("[groom.colour]\nroot = 'aubrun'\n");
    ASSERT_FALSE(scene);
    EXPECT_NE(scene.error().text().find("did you mean \"auburn\"?"), std::string::npos);
    EXPECT_NE(scene.error().text().find("#rrggbb"), std::string::npos);
    for (const char* bad : {"'#12345'", "'#12345g'", "'#1234567'", "''"})
        EXPECT_FALSE(read(std::string("[groom.colour]\nroot = ") + bad)) << bad;
}

TEST(colours, of_the_whole_hair_set_root_and_tip) {
    const Scene table = read_well("[groom.colour]\nname = 'honey'\n");
    const Scene brief = read_well("[groom]\ncolour = 'honey'\n");
    const Scene set = read_well("", {"groom.colour=honey"});
    expect_equal(table.groom.colour.root, brief.groom.colour.root);
    expect_equal(table.groom.colour.tip, set.groom.colour.tip);
    EXPECT_LT(table.groom.colour.root.x, table.groom.colour.tip.x);
    // A root given beside the name wins.
    const Scene own = read_well("[groom.colour]\nroot = [1, 0, 0]\nname = 'honey'\n");
    expect_equal(own.groom.colour.root, {1, 0, 0});
    expect_equal(own.groom.colour.tip, table.groom.colour.tip);
}

TEST(colours, darken_with_eumelanin_and_redden_with_pheomelanin) {
    const Scene dark = read_well("[groom.colour]\neumelanin = 2\n");
    const Scene blonde = read_well("[groom.colour]\neumelanin = 0.03\npheomelanin = 0.03\n");
    EXPECT_LT(dark.groom.colour.root.x, 0.02f);
    EXPECT_GT(blonde.groom.colour.root.x, 0.3f);
    const Vec3f brown = colour_of_pigments(0.3f, 0), red = colour_of_pigments(0, 0.67f);
    EXPECT_NEAR(brown.x, red.x, 0.01);
    EXPECT_LT(red.z / red.x, brown.z / brown.x);
    const Vec3f white = colour_of_pigments(0, 0);
    EXPECT_GT(white.x, 0.8f);
    EXPECT_GT(white.z, 0.75f);
}

TEST(colours, are_written_so_that_they_read_back) {
    for (const char* text :
         {"[groom.colour]\nroot = 'auburn'\n", "[groom]\ncolour = 'platinum'\n",
          "[groom.colour]\neumelanin = 0.2\npheomelanin = 0.1\n", "[groom]\nlength = 'chest'\n",
          "[groom.colour]\neumelanin = 0.2\ntip = '#123456'\n", "[groom]\nlength = 0.25\n",
          "[groom]\nscalp = 'auto'\nscalp_colour = 'green'\n[[groom.rule]]\nshape = 'box'\n"}) {
        const Scene scene = read_well(text);
        const std::string written = write_scene(scene, "");
        const Scene back = read_well(written);
        EXPECT_TRUE(changed_keys(scene, back).empty()) << written;
        EXPECT_EQ(write_scene(back, ""), written);
    }
    EXPECT_EQ(write_scene(read_well("[groom]\ncolour = 'platinum'\n"), ""),
              "[groom.colour]\nname = \"platinum\"\n");
}

TEST(lengths, are_metres_or_words) {
    EXPECT_EQ(read_well("[groom]\nlength = 'shoulder'\n").groom.length_mark, LengthMark::shoulder);
    const Scene metres = read_well("[groom]\nlength = 'chin'\n", {"groom.length=0.2"});
    EXPECT_EQ(metres.groom.length_mark, LengthMark::none);
    EXPECT_EQ(metres.groom.length, 0.2f);
    const Result<Scene> scene = read("[groom]\nlength = 'sholder'\n");
    ASSERT_FALSE(scene);
    EXPECT_NE(scene.error().text().find("did you mean \"shoulder\"?"), std::string::npos);
}

Scene bust_scene(const std::string& length) {
    Scene scene;
    scene.groom.mesh = "bust.obj";
    scene.groom.strands = 400;
    scene.groom.length_variation = 0;
    scene.groom.comb.lift = 0;
    scene.groom.comb.droop = 1.5f;  // hangs down
    for (const Parameter& p : parameters_of(scene).parameters)
        if (p.key == "groom.length")
            for (std::size_t k = 0; k < p.words->words.size(); ++k)
                if (p.words->words[k] == length) set_word(p, static_cast<int>(k));
    return scene;
}

Mesh bust() {
    const Result<Mesh> mesh =
        read_mesh(std::filesystem::path(kSourceFolder) / "scenes/assets/bust.obj");
    EXPECT_TRUE(mesh);
    return mesh ? *mesh : Mesh{};
}

TEST(lengths, end_at_the_height_of_their_word) {
    const Mesh mesh = bust();
    float last = 1;
    for (const char* word : {"chin", "shoulder", "chest", "waist"}) {
        Messages messages;
        const Result<GroomSettings> groom = fit_growth(bust_scene(word), mesh, {}, messages);
        ASSERT_TRUE(groom);
        ASSERT_TRUE(groom->cut_height);
        EXPECT_LT(*groom->cut_height, last);
        last = *groom->cut_height;
        ASSERT_EQ(messages.assumptions.size(), 1u);
        EXPECT_NE(messages.assumptions[0].find(word), std::string::npos);
        if (std::string(word) == "waist") continue;  // hair lies on the shoulders
        const Result<StrandSet> grown = grow(*groom, {}, mesh, TaskPool(2));
        ASSERT_TRUE(grown);
        int near = 0;
        for (int s = 0; s < 400; ++s)
            near += std::abs(grown->position.vec3(s, 31).y - last) < 0.02f;
        EXPECT_GT(near, 320) << word;
    }
}

TEST(growth_on_a_mesh, assumes_the_cap_of_a_head_and_says_so) {
    Mesh mesh = bust();
    Messages messages;
    Scene scene = bust_scene("");
    Result<GroomSettings> groom = fit_growth(scene, mesh, {}, messages);
    ASSERT_TRUE(groom);
    EXPECT_EQ(groom->scalp, "scalp");
    EXPECT_TRUE(messages.assumptions.empty());
    for (Material& material : mesh.materials) material.name = "skin";
    mesh.groups.assign(mesh.groups.size(), "head");
    groom = fit_growth(scene, mesh, {}, messages);
    ASSERT_TRUE(groom);
    EXPECT_EQ(groom->scalp, "auto");
    ASSERT_EQ(messages.assumptions.size(), 1u);
    EXPECT_NE(messages.assumptions[0].find("groom.scalp"), std::string::npos);
    // A name that the user chose is not replaced.
    scene.groom.scalp = "beard";
    EXPECT_EQ(fit_growth(scene, mesh, {}, messages)->scalp, "beard");
}

TEST(growth_on_a_mesh, warns_of_an_image_without_uvs_and_refuses_missing_colours) {
    Mesh mesh = bust();
    Scene scene = bust_scene("");
    scene.groom.density = "density.png";
    Messages messages;
    ASSERT_TRUE(fit_growth(scene, mesh, {}, messages));
    EXPECT_TRUE(messages.warnings.empty());
    mesh.uvs.assign(mesh.uvs.size(), {0, 0});
    ASSERT_TRUE(fit_growth(scene, mesh, {}, messages));
    ASSERT_EQ(messages.warnings.size(), 1u);
    EXPECT_NE(messages.warnings[0].text.find("image without UVs"), std::string::npos);
    EXPECT_EQ(messages.warnings[0].place, "groom.density");
    scene.groom.density.clear();
    scene.groom.comb.image = "flow.png";
    messages = {};
    ASSERT_TRUE(fit_growth(scene, mesh, {}, messages));
    ASSERT_EQ(messages.warnings.size(), 1u);
    EXPECT_NE(messages.warnings[0].text.find("it has no effect"), std::string::npos);
    EXPECT_EQ(messages.warnings[0].place, "groom.comb.image");
    scene.groom.scalp_colour = ColourChannel::red;
    const Result<GroomSettings> none = fit_growth(scene, mesh, {}, messages);
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("no vertex colours"), std::string::npos);
}

}  // namespace
}  // namespace ringlet
