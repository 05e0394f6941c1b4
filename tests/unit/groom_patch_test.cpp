// [[groom.patch]]: further hair on the same mesh, which follows the skin and is not simulated.
#include <gtest/gtest.h>

#include <fstream>

#include "groom/growth.h"
#include "ringlet/ringlet.h"
#include "session/live/session_impl.h"
#include "temp_folder.h"

namespace ringlet {
namespace {

// A nodding bust with 40 strands, 10 of them simulated, and what `more` adds.
Result<Session> open_with(const TempFolder& folder, const std::string& more) {
    const std::string path = (folder / "scene.toml").string();
    std::ofstream(path) << "base = \"bust\"\n[groom]\nstrands = 40\nguides = 10\nlength = 0.1\n"
                           "[head]\nmotion = \"nod\"\namplitude = 0.4\n"
                        << more;
    return Session::open(path, {});
}

constexpr const char* kBrows = "[[groom.patch]]\nscene = \"brows\"\nset = [\"groom.strands=30\"]\n";

TEST(GroomPatch, follows_the_head_rigidly) {
    const TempFolder folder;
    Result<Session> opened = open_with(folder, kBrows);
    ASSERT_TRUE(opened) << opened.error().text();
    Session::Impl& impl = opened->impl();
    impl.advance_to(0.3);
    const Actor& actor = impl.actors.front();
    EXPECT_EQ(opened->strand_count(), 70);
    EXPECT_EQ(opened->report().strands, 10);
    EXPECT_EQ(actor.groom.first_patch_strand(), 40);
    const Strands shown = impl.strands(When::displayed);
    const Channel<3>& rest = actor.groom.rest(impl.pool);
    EXPECT_GT(norm(actor.displayed.head.translation), 0.01f) << "the head does not move";
    for (int s = 40; s < 70; ++s)
        for (int i = 0; i < rest.layout().vertex_count(s); ++i) {
            EXPECT_LT(
                norm(shown.on_host().vec3(s, i) - apply(actor.displayed.head, rest.vec3(s, i))),
                1e-6f);
            // Between the nose and the hairline, on the front of the face.
            EXPECT_GT(rest.vec3(s, i).y, 0.39f);
            EXPECT_LT(rest.vec3(s, i).y, 0.43f);
            EXPECT_GT(rest.vec3(s, i).z, 0.06f);
        }
}

TEST(GroomPatch, leaves_the_simulated_strands_as_they_are) {
    const TempFolder folder;
    std::string hash[2];
    for (const bool is_patched : {false, true}) {
        Result<Session> opened = open_with(folder, is_patched ? kBrows : "");
        ASSERT_TRUE(opened);
        for (int k = 0; k < 5; ++k) opened->step();
        hash[is_patched ? 1 : 0] = opened->hash();
    }
    EXPECT_EQ(hash[0], hash[1]);
}

TEST(GroomPatch, works_where_every_strand_is_simulated) {
    Result<Session> opened =
        Session::open("bob", {.overrides = {"groom.strands=20", "groom.guides=0"}});
    ASSERT_TRUE(opened);
    opened->impl().advance_to(0.1);
    const Actor& actor = opened->impl().actors.front();
    EXPECT_EQ(actor.groom.simulated_count(), 20);
    EXPECT_EQ(actor.groom.first_patch_strand(), 20);
    EXPECT_GT(actor.groom.strand_count(), 500);
}

TEST(GroomPatch, has_the_colour_of_the_roots_on_request) {
    const TempFolder folder;
    const auto colour_with = [&](const std::string& more) {
        Result<Session> opened = open_with(
            folder, kBrows + more + "[groom.colour]\nroot = [0.5, 0.25, 0.125]\nvariation = 0\n");
        EXPECT_TRUE(opened) << opened.error().text();
        const Groom& groom = opened->impl().actors.front().groom;
        return groom.colour(opened->impl().pool).vec3(50, 2);
    };
    const Vec3f same = colour_with("hair_colour = true\n"), own = colour_with("");
    EXPECT_NEAR(same.x / same.y, 2, 1e-4f);
    EXPECT_NEAR(same.y / same.z, 2, 1e-4f);
    EXPECT_GT(same.x, 5 * own.x);
}

// hair_width stands for hairs that are not drawn; a patch is drawn in full.
TEST(GroomPatch, is_not_widened_with_the_hair) {
    const TempFolder folder;
    Result<Session> opened = open_with(folder, std::string(kBrows) + "[render]\nhair_width = 4\n");
    ASSERT_TRUE(opened);
    opened->impl().advance_to(0);
    const StrandView view = opened->impl().view(opened->impl().strands(When::displayed));
    const Channel<1>& grown = opened->impl().actors.front().groom.radius(opened->impl().pool);
    EXPECT_FLOAT_EQ(view.radius->at(5, 1), grown.at(5, 1));
    EXPECT_FLOAT_EQ(4 * view.radius->at(50, 1), grown.at(50, 1));
}

TEST(GroomPatch, of_another_mesh_is_left_out) {
    const TempFolder folder;
    Result<Session> opened =
        open_with(folder, "[[groom.patch]]\nscene = \"creature\"\n" + std::string(kBrows));
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->strand_count(), 70);
    EXPECT_TRUE(
        std::ranges::any_of(opened->impl().messages.assumptions, [](const std::string& text) {
            return text.find("creature") != std::string::npos &&
                   text.find("left out") != std::string::npos;
        }));
}

TEST(GroomPatch, errors_name_the_line) {
    const TempFolder folder;
    const std::pair<const char*, const char*> faults[] = {
        {"[[groom.patch]]\nhair_colour = true\n", "name the scene"},
        {"[[groom.patch]]\nscene = \"brouws\"\n", "brows"},
        {"[[groom.patch]]\nscene = \"brows\"\nset = [\"groom.strnads=3\"]\n", "groom.strands"}};
    for (const auto& [text, remedy] : faults) {
        const Result<Session> opened = open_with(folder, text);
        ASSERT_FALSE(opened) << text;
        EXPECT_NE(opened.error().text().find("scene.toml:9"), std::string::npos)
            << opened.error().text();
        EXPECT_NE(opened.error().text().find(remedy), std::string::npos) << opened.error().text();
    }
}

TEST(GroomPatch, capsule_rule_covers_both_sides) {
    GrowthRule rule;
    rule.shape = RuleShape::capsule;
    rule.centre = {0.02f, 0, 0};
    rule.end = {0.05f, 0, 0};
    rule.radius = 0.005f;
    rule.edge = 0;
    rule.mirror = true;
    Mesh triangle;
    triangle.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    triangle.indices = {0, 1, 2};
    const auto weight = [&](float x, float y) {
        RootRules rules;
        rules.rules = {&rule, 1};
        return GrowthWeight(triangle, rules).at({{x, y, 0}, {0, 0, 1}, {0, 0}, 0, 0, 0}).weight;
    };
    for (const float side : {-1.0f, 1.0f}) {
        EXPECT_EQ(weight(side * 0.03f, 0.004f), 1);
        EXPECT_EQ(weight(side * 0.03f, 0.006f), 0);
        EXPECT_EQ(weight(side * 0.054f, 0), 1);
        EXPECT_EQ(weight(side * 0.056f, 0), 0);
        EXPECT_EQ(weight(side * 0.01f, 0), 0);
    }
    rule.mirror = false;
    EXPECT_EQ(weight(0.03f, 0), 1);
    EXPECT_EQ(weight(-0.03f, 0), 0);
}

}  // namespace
}  // namespace ringlet
