// The growth weight from rules, vertex colours, images and painting.
#include <gtest/gtest.h>

#include "groom/grow.h"
#include "groom/roots.h"
#include "sphere_mesh.h"

namespace ringlet {
namespace {

// Two triangles of 1 m: every border inside them is finer than the mesh.
Mesh coarse_square() {
    Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    mesh.normals.assign(4, {0, 0, 1});
    mesh.uvs = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    mesh.indices = {0, 1, 2, 0, 2, 3};
    mesh.triangle_material = {-1, -1};
    mesh.triangle_group = {-1, -1};
    return mesh;
}

std::vector<Root> roots_of(const Mesh& mesh, const RootRules& rules, int count = 2000) {
    const Result<std::vector<Root>> roots = scatter_roots(mesh, rules, count);
    EXPECT_TRUE(roots) << roots.error().message;
    return roots ? *roots : std::vector<Root>{};
}

template <class Is>
double share(const std::vector<Root>& roots, const Is& is) {
    int count = 0;
    for (const Root& root : roots) count += is(root.position);
    return count / static_cast<double>(roots.size());
}

TEST(growth_rules, cut_a_coarse_triangle_where_the_border_is) {
    const GrowthRule rules[] = {{.shape = RuleShape::above, .height = 0.5f, .edge = 0}};
    const std::vector<Root> roots = roots_of(coarse_square(), {.rules = rules});
    float lowest = 1;
    for (const Root& root : roots) lowest = std::min(lowest, root.position.y);
    EXPECT_GE(lowest, 0.5f);
    EXPECT_LT(lowest, 0.51f);
}

TEST(growth_rules, fall_off_over_the_soft_edge) {
    const GrowthRule rules[] = {{.shape = RuleShape::below, .height = 0.5f, .edge = 0.2f}};
    const std::vector<Root> roots = roots_of(coarse_square(), {.rules = rules}, 4000);
    // Full below 0.4, nothing above 0.6, and the soft border weighs as much as half of it.
    EXPECT_EQ(share(roots, [](Vec3f p) { return p.y > 0.6f; }), 0);
    EXPECT_NEAR(share(roots, [](Vec3f p) { return p.y < 0.4f; }), 0.8, 0.02);
    for (const Root& root : roots) {
        if (root.position.y < 0.4f) {
            EXPECT_EQ(root.soft, 1);
        }
        if (root.position.y > 0.5f) {
            EXPECT_LE(root.soft, 0.5f);
        }
    }
}

TEST(growth_rules, combine_in_order) {
    const GrowthRule rules[] = {
        {.shape = RuleShape::sphere, .centre = {0.5f, 0.5f, 0}, .radius = 0.4f, .edge = 0},
        {.action = RuleAction::exclude,
         .shape = RuleShape::box,
         .centre = {0.5f, 0.5f, 0},
         .size = {0.2f, 2, 2},
         .edge = 0},
    };
    const std::vector<Root> roots = roots_of(coarse_square(), {.rules = rules});
    for (const Root& root : roots) {
        EXPECT_LE(norm(root.position - Vec3f{0.5f, 0.5f, 0}), 0.4f);
        EXPECT_GE(std::abs(root.position.x - 0.5f), 0.1f);
    }
    // A rule that excludes first starts from everywhere.
    const std::vector<Root> outside =
        roots_of(coarse_square(), {.rules = std::span(rules).subspan(1)});
    EXPECT_NEAR(share(outside, [](Vec3f p) { return p.x < 0.4f; }), 0.5, 0.03);
}

TEST(vertex_colours, weight_the_growth_between_vertices) {
    Mesh mesh = coarse_square();
    mesh.colours = {{0, 1, 0}, {1, 1, 0}, {1, 1, 0}, {0, 1, 0}};  // red rises with x
    const auto left = [](Vec3f p) { return p.x < 0.5f; };
    EXPECT_NEAR(share(roots_of(mesh, {.colour = ColourChannel::red}), left), 0.25, 0.02);
    EXPECT_NEAR(share(roots_of(mesh, {.colour = ColourChannel::green}), left), 0.5, 0.02);
    EXPECT_NEAR(share(roots_of(mesh, {.colour = ColourChannel::grey}), left), 5 / 12.0, 0.02);
    EXPECT_FALSE(scatter_roots(mesh, {.colour = ColourChannel::blue}, 10));
}

TEST(length_images, grow_nothing_where_they_are_black) {
    Image black_left{2, 1, std::vector<std::uint8_t>(8, 255)};
    for (int c = 0; c < 3; ++c) black_left.pixel(0, 0)[c] = 0;
    const std::vector<Root> roots = roots_of(coarse_square(), {.length = &black_left});
    EXPECT_EQ(share(roots, [](Vec3f p) { return std::abs(p.x - 0.25f) < 0.001f; }), 0);
    const Image black{1, 1, {0, 0, 0, 255}};
    EXPECT_FALSE(scatter_roots(coarse_square(), {.length = &black}, 10));
}

GrowthPaint painted(const std::vector<BrushDab>& dabs, float spacing = 0.02f) {
    GrowthPaint paint(spacing);
    for (const BrushDab& dab : dabs) paint.dab(dab);
    return paint;
}

TEST(growth_paint, adds_removes_and_erases_hair) {
    const Vec3f spot{0.5f, 0.5f, 0}, other{0.2f, 0.2f, 0};
    const GrowthPaint grown = painted({{spot, 0.2f}});
    EXPECT_NEAR(grown.over(0, spot), 1, 0.02);
    EXPECT_EQ(grown.over(0, other), 0);
    EXPECT_EQ(grown.over(0.3f, other), 0.3f);
    const GrowthPaint shaved = painted({{spot, 0.2f, 1, BrushMode::shave}});
    EXPECT_NEAR(shaved.over(1, spot), 0, 0.02);
    EXPECT_EQ(shaved.over(1, other), 1);
    const GrowthPaint erased =
        painted({{spot, 0.2f, 1, BrushMode::shave}, {spot, 0.3f, 1, BrushMode::erase}});
    EXPECT_GT(erased.over(1, spot), 0.98f);
    // A dab of half strength goes half of the way.
    EXPECT_NEAR(painted({{spot, 0.2f, 0.5f}}).over(0, spot), 0.5, 0.02);
}

TEST(growth_paint, falls_off_over_the_softness_of_the_brush) {
    const Vec3f spot{0.5f, 0.5f, 0};
    for (const float softness : {0.0f, 0.3f, 1.0f}) {
        const GrowthPaint paint = painted({{spot, 0.2f, 1, BrushMode::grow, softness}}, 0.005f);
        const auto at = [&](float share) {
            return paint.over(0, spot + Vec3f{0.2f * share, 0, 0});
        };
        EXPECT_GT(at(0.01f), 0.98f);
        EXPECT_NEAR(at(0.95f - softness), 1, 0.02f) << softness;
        EXPECT_NEAR(at(1 - softness / 2), softness > 0 ? 0.5f : at(1), 0.03f) << softness;
        EXPECT_EQ(at(1.1f), 0) << softness;
    }
    // A sharp brush has its full effect almost up to its radius, a soft one does not.
    EXPECT_EQ(painted({{spot, 0.2f, 1, BrushMode::grow, 0}}, 0.005f).over(0, {0.67f, 0.5f, 0}), 1);
    EXPECT_LT(painted({{spot, 0.2f}}, 0.005f).over(0, {0.67f, 0.5f, 0}), 0.1f);
}

TEST(growth_paint, limits_roots_on_a_mesh_without_uvs) {
    Mesh mesh = sphere_mesh({0, 0, 0}, 1, 8);
    mesh.uvs.assign(mesh.uvs.size(), {0, 0});
    const GrowthPaint paint = painted({{{0, 1, 0}, 0.5f}}, 0.05f);
    const GrowthRule nowhere[] = {{.shape = RuleShape::above, .height = 10}};
    for (const Root& root : roots_of(mesh, {.rules = nowhere, .painted = &paint}, 500))
        EXPECT_LT(norm(root.position - Vec3f{0, 1, 0}), 0.5f + 2 * paint.spacing());
}

TEST(growth_paint, mirrors_a_dab) {
    GrowthPaint paint(0.02f);
    paint.dab_mirrored({{0.7f, 0.5f, 0}, 0.1f}, 0.5f);
    EXPECT_NEAR(paint.over(0, {0.3f, 0.5f, 0}), paint.over(0, {0.7f, 0.5f, 0}), 0.01);
    EXPECT_GT(paint.over(0, {0.3f, 0.5f, 0}), 0.9f);
    GrowthPaint once(0.02f), on_plane(0.02f);
    once.dab({{0.5f, 0.5f, 0}, 0.1f, 0.5f});
    on_plane.dab_mirrored({{0.5f, 0.5f, 0}, 0.1f, 0.5f}, 0.5f);
    EXPECT_EQ(once, on_plane);
}

TEST(growth_paint, reads_back_exactly_what_it_wrote) {
    const GrowthPaint paint = painted(
        {{{0.1f, -0.2f, 0.3f}, 0.1f, 0.7f}, {{0.15f, -0.2f, 0.3f}, 0.1f, 0.4f, BrushMode::shave}});
    ASSERT_GT(paint.node_count(), 100u);
    const Result<GrowthPaint> back = GrowthPaint::parse(paint.text(), "a.growth");
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(*back, paint);
    EXPECT_EQ(back->text(), paint.text());
}

TEST(growth_paint, wrong_texts_are_refused) {
    for (const char* bad :
         {"", "ringlet growth 1", "ringlet growth 1\n0\n", "ringlet growth 1\nnan\n",
          "ringlet growth 1\n0.01\n1 2 3\n", "ringlet growth 1\n0.01\n1 2 3 200 100\n",
          "ringlet growth 1\n0.01\n1 2 3 0 256\n", "ringlet growth 1\n0.01\n1 2 3 x 4\n",
          "ringlet growth 1\n0.01\n9999999 0 0 1 1\n", "v 0 0 0\n"})
        EXPECT_FALSE(GrowthPaint::parse(bad, "a.growth")) << bad;
}

}  // namespace
}  // namespace ringlet
