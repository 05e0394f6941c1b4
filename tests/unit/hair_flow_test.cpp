// The field of directions over the scalp, the fringe, the cut and the hairline.
#include "groom/flow.h"

#include <gtest/gtest.h>

#include <cmath>

#include "groom/grow.h"
#include "groom/roots.h"
#include "head_variants.h"
#include "io/mesh_format.h"
#include "test_paths.h"

namespace ringlet {
namespace {

const Mesh& bust() {
    static const Mesh mesh = *read_mesh(std::string(kSourceFolder) + "/scenes/assets/bust.obj");
    return mesh;
}

GroomSettings short_hair(CombStyle style) {
    GroomSettings settings;
    settings.scalp = "auto";
    settings.strands = 800;
    settings.vertices = 10;
    settings.length = 0.04f;
    settings.comb.style = style;
    settings.comb.droop = 0;
    settings.comb.variation = 0;
    return settings;
}

StrandSet grown_on(const Mesh& mesh, const Skin& skin, const GroomSettings& settings) {
    Result<StrandSet> out = grow(settings, {}, mesh, skin, TaskPool(2));
    EXPECT_TRUE(out) << out.error().text();
    return out ? std::move(*out) : StrandSet{};
}

StrandSet grown(const GroomSettings& settings) {
    static const Skin skin(bust(), TaskPool(2));
    return grown_on(bust(), skin, settings);
}

Vec3f run_of(const StrandSet& hair, int strand) {
    return hair.position.vec3(strand, hair.layout->vertex_count(strand) - 1) -
           hair.position.vec3(strand, 0);
}

// The share of strands that lie on the outer half of a shoulder of the bust.
float share_on_shoulders(const StrandSet& hair) {
    int count = 0;
    for (int s = 0; s < hair.layout->strand_count(); ++s) {
        const Vec3f tip = hair.position.vec3(s, hair.layout->vertex_count(s) - 1);
        count += std::abs(tip.x) > 0.12f && std::abs(tip.z) < 0.06f;
    }
    return static_cast<float>(count) / static_cast<float>(hair.layout->strand_count());
}

// The largest angle between two segments of a strand, radians.
float sharpest_bend(const StrandSet& hair) {
    float least = 1;
    for (int s = 0; s < hair.layout->strand_count(); ++s)
        for (int i = 2; i < hair.layout->vertex_count(s); ++i) {
            const Vec3f a = hair.position.vec3(s, i - 2), b = hair.position.vec3(s, i - 1);
            const Vec3f c = hair.position.vec3(s, i);
            least = min(least, dot(unit_or(b - a, {0, 1, 0}), unit_or(c - b, {0, 1, 0})));
        }
    return std::acos(least);
}

// Long hair with a middle parting, in clumps of 35 mm as those of the preset `straight`.
GroomSettings long_hair_in_clumps() {
    GroomSettings settings = short_hair(CombStyle::fall);
    settings.strands = 20'000;
    settings.vertices = 32;
    settings.length = 0.34f;
    settings.comb.droop = 1;
    settings.comb.rise = 0.45f;
    settings.comb.follow = 0.14f;
    settings.comb.whorl = 0.9f;
    settings.comb.part_strength = 1;
    settings.comb.lift = 0.007f;
    settings.comb.drape = 1;
    settings.large_clump = {.strength = 0.25f, .spacing = 0.035f, .noise = 0.7f};
    settings.clump = {.strength = 0.4f, .spacing = 0.011f, .noise = 0.6f};
    return settings;
}

// A strand and its clump may fall on different sides of the head.
TEST(hair_flow, clumps_do_not_pull_strands_through_the_head) {
    const StrandSet hair = grown(long_hair_in_clumps());
    int torn = 0;
    for (int s = 0; s < hair.layout->strand_count(); ++s) {
        float longest = 0, length = 0;
        const int last = hair.layout->vertex_count(s) - 1;
        for (int i = 1; i <= last; ++i) {
            const float step = norm(hair.position.vec3(s, i) - hair.position.vec3(s, i - 1));
            longest = max(longest, step);
            length += step;
        }
        torn += longest > 3 * length / static_cast<float>(last);
    }
    EXPECT_EQ(torn, 0);
}

TEST(hair_flow, hair_hangs_freely_in_front_of_the_cheek) {
    const GroomSettings settings = long_hair_in_clumps();
    const HairFlow flow(settings, bust());
    const Skull skull = find_skull(bust());
    const Vec3f side = skull.centre + Vec3f{0.4f, 0.3f, 0} * skull.length;
    const Vec3f jaw = skull.centre + Vec3f{0.3f, -0.4f, 0.2f} * skull.length;
    EXPECT_EQ(flow.holds(side, side), 1);
    EXPECT_EQ(flow.holds(jaw, side), 0);
    EXPECT_EQ(flow.holds(jaw, jaw), 1) << "a beard";
    // Hair of the temples does not follow the jaw to the neck.
    const StrandSet hair = grown(settings);
    int in_front_of_neck = 0;
    for (int s = 0; s < hair.layout->strand_count(); ++s)
        for (int i = 0; i < hair.layout->vertex_count(s); ++i) {
            const Vec3f p = hair.position.vec3(s, i);
            in_front_of_neck += p.y < skull.chin() && p.y > skull.chin() - 0.06f &&
                                p.z > skull.centre.z && std::abs(p.x - skull.centre.x) < 0.065f;
        }
    EXPECT_EQ(in_front_of_neck, 0);
}

TEST(hair_flow, draped_hair_lies_in_front_of_the_shoulders_and_behind_them) {
    GroomSettings settings = short_hair(CombStyle::fall);
    settings.length = 0.36f;
    settings.vertices = 32;
    settings.comb.droop = 1;
    const StrandSet sliding = grown(settings);
    settings.comb.drape = 1;
    const StrandSet draped = grown(settings);
    EXPECT_GT(share_on_shoulders(sliding), 0.05f);
    EXPECT_LT(share_on_shoulders(draped), 0.01f);
    EXPECT_LT(sharpest_bend(draped), 0.5f * kPi) << "it is crumpled";
    int in_front = 0;
    for (int s = 0; s < draped.layout->strand_count(); ++s) in_front += run_of(draped, s).z > 0;
    EXPECT_GT(in_front, draped.layout->strand_count() / 5);
    EXPECT_LT(in_front, draped.layout->strand_count() * 4 / 5);
}

// The facets of a mesh turn the roots, and give points next to concave edges the wrong sign.
TEST(hair_flow, hair_is_the_same_on_a_flat_shaded_mesh) {
    GroomSettings settings = short_hair(CombStyle::fall);
    settings.length = 0.36f;
    settings.vertices = 32;
    settings.comb.droop = 1;
    const auto grown_with_own_skin = [&](const Mesh& mesh) {
        return grown_on(mesh, Skin(mesh, TaskPool(2)), settings);
    };
    ASSERT_TRUE(is_flat_shaded(with_flat_shading(bust())));
    const StrandSet smooth = grown_with_own_skin(with_smooth_normals(bust()));
    const StrandSet flat = grown_with_own_skin(with_flat_shading(bust()));
    ASSERT_EQ(smooth.layout->strand_count(), flat.layout->strand_count());
    for (int s = 0; s < smooth.layout->strand_count(); ++s)
        EXPECT_LT(norm(run_of(smooth, s) - run_of(flat, s)), 0.002f) << s;
}

// The bust without its lower part: an open mesh, which ends where the chest is widest.
Mesh open_bust(float rim) {
    Mesh mesh = bust();
    std::vector<std::uint32_t> kept;
    for (int t = 0; t < mesh.triangle_count(); ++t)
        if (min(mesh.corner(t, 0).y, min(mesh.corner(t, 1).y, mesh.corner(t, 2).y)) > rim)
            for (std::size_t k = 0; k < 3; ++k)
                kept.push_back(mesh.indices[static_cast<std::size_t>(t) * 3 + k]);
    const std::size_t count = kept.size() / 3;
    mesh.indices = std::move(kept);
    for (auto* ids : {&mesh.triangle_material, &mesh.triangle_group, &mesh.triangle_part})
        ids->resize(ids->empty() ? 0 : count);
    return mesh;
}

TEST(hair_flow, hair_falls_past_the_rim_of_an_open_bust) {
    constexpr float kRim = 0.16f;
    const Mesh mesh = open_bust(kRim);
    GroomSettings settings = short_hair(CombStyle::fall);
    settings.length = 0.45f;
    settings.vertices = 32;
    settings.comb.droop = 1;
    const StrandSet hair = grown_on(mesh, Skin(mesh, TaskPool(2)), settings);
    int below = 0, slanting = 0;
    for (int s = 0; s < hair.layout->strand_count(); ++s)
        for (int i = 1; i < hair.layout->vertex_count(s); ++i) {
            const Vec3f from = hair.position.vec3(s, i - 1), to = hair.position.vec3(s, i);
            if (from.y > kRim - 0.06f) continue;
            ++below;
            slanting += to.y - from.y > -0.9f * norm(to - from);
        }
    EXPECT_GT(below, 500);
    EXPECT_LT(slanting, below / 50);
}

TEST(hair_flow, short_hair_does_not_change_when_it_is_draped) {
    GroomSettings settings = short_hair(CombStyle::fall);
    const StrandSet before = grown(settings);
    settings.comb.drape = 1;
    const StrandSet after = grown(settings);
    for (int s = 0; s < before.layout->strand_count(); ++s)
        EXPECT_EQ(run_of(before, s).x, run_of(after, s).x);
}

TEST(hair_flow, is_a_unit_tangent) {
    GroomSettings settings = short_hair(CombStyle::fall);
    settings.comb.whorl = 1;
    settings.comb.part_strength = 1;
    settings.fringe.length = 0.05f;
    settings.strokes = {{{0, 0.4f, 0}, {0.1f, 0.4f, 0}}};
    const HairFlow flow(settings, bust());
    const Result<std::vector<Root>> roots = scatter_roots(bust(), {.scalp = "auto"}, 500);
    ASSERT_TRUE(roots);
    for (const Root& root : *roots) {
        const Vec3f along = flow.at(root.position, root.normal);
        EXPECT_NEAR(norm(along), 1, 1e-5f);
        EXPECT_NEAR(dot(along, root.normal), 0, 1e-4f);
    }
}

TEST(hair_flow, combs_hair_the_way_its_style_says) {
    const auto mean_run = [](CombStyle style) {
        const StrandSet hair = grown(short_hair(style));
        Vec3f sum{0, 0, 0};
        for (int s = 0; s < hair.strand_count(); ++s)
            sum += run_of(hair, s) * (1 / static_cast<float>(hair.strand_count()));
        return sum;
    };
    EXPECT_LT(mean_run(CombStyle::back).z, -0.01f);
    EXPECT_GT(mean_run(CombStyle::forward).z, 0.01f);
    EXPECT_GT(mean_run(CombStyle::left).x, 0.01f);
    EXPECT_LT(mean_run(CombStyle::right).x, -0.01f);
    EXPECT_GT(mean_run(CombStyle::up).y, 0.01f);
}

TEST(hair_flow, leaves_the_parting_to_both_sides) {
    GroomSettings settings = short_hair(CombStyle::fall);
    settings.comb.part = 0.02f;
    settings.comb.part_strength = 1;
    settings.comb.part_zigzag = 0.004f;
    const HairFlow flow(settings, bust());
    const StrandSet hair = grown(settings);
    int sides[2] = {};
    for (int s = 0; s < hair.strand_count(); ++s) {
        const Vec3f root = hair.position.vec3(s, 0);
        const int side = flow.side_of_parting(root);
        // Near the front, where the parting has its full strength.
        if (side == 0 || root.z < 0.04f || std::abs(root.x - 0.02f) > 0.03f) continue;
        EXPECT_GT(run_of(hair, s).x * static_cast<float>(side), 0) << s;
        ++sides[side > 0];
    }
    EXPECT_GT(sides[0], 5);
    EXPECT_GT(sides[1], 5);
}

TEST(hair_flow, strokes_comb_the_hair_near_them) {
    GroomSettings settings = short_hair(CombStyle::fall);
    const HairFlow before(settings, bust());
    GroomSettings combed = settings;
    combed.strokes = {{{-0.03f, 0.45f, 0.02f}, {0.03f, 0.45f, 0.02f}, 0.06f, 20}};
    const HairFlow after(combed, bust());
    const Vec3f near{0, 0.45f, 0.02f}, far{0, 0.25f, -0.1f}, up{0, 1, 0}, back{0, 0, -1};
    EXPECT_GT(after.at(near, up).x, 0.95f);
    EXPECT_LT(norm(after.at(far, back) - before.at(far, back)), 1e-6f);
}

// The bust seen from above: U along x and V along z, one unit per metre.
Mesh with_uvs_from_above(Mesh mesh) {
    for (std::size_t k = 0; k < mesh.positions.size(); ++k)
        mesh.uvs[k] = {mesh.positions[k].x + 0.5f, mesh.positions[k].z + 0.5f};
    return mesh;
}

Image plain_image(std::uint8_t red, std::uint8_t green, std::uint8_t alpha = 255) {
    Image out;
    out.width = out.height = 2;
    for (int k = 0; k < 4; ++k) out.rgba.insert(out.rgba.end(), {red, green, 0, alpha});
    return out;
}

TEST(hair_flow, follows_a_painted_map) {
    const GroomSettings settings = short_hair(CombStyle::fall);
    const Mesh mesh = with_uvs_from_above(bust());
    const Vec3f top{0.01f, 0.47f, 0}, up{0, 1, 0};
    EXPECT_GT(HairFlow(settings, mesh, plain_image(255, 128)).at(top, up).x, 0.99f);
    EXPECT_LT(HairFlow(settings, mesh, plain_image(128, 0)).at(top, up).z, -0.99f);
    // On the side of the head, too, the direction lies in the skin.
    const Vec3f side{0.075f, 0.38f, 0}, outwards{1, 0, 0};
    const Vec3f forwards = HairFlow(settings, mesh, plain_image(128, 255)).at(side, outwards);
    EXPECT_GT(forwards.z, 0.1f);
    EXPECT_NEAR(forwards.x, 0, 1e-6f);
}

TEST(hair_flow, follows_its_style_where_a_map_is_grey_or_transparent) {
    const GroomSettings settings = short_hair(CombStyle::back);
    const Mesh mesh = with_uvs_from_above(bust());
    const Vec3f top{0.01f, 0.47f, 0}, up{0, 1, 0};
    const Vec3f without = HairFlow(settings, mesh).at(top, up);
    for (const Image& map : {plain_image(128, 128), plain_image(255, 0, 0)})
        EXPECT_EQ(norm(HairFlow(settings, mesh, map).at(top, up) - without), 0);
    // Half as strong: between the two.
    const Vec3f half = HairFlow(settings, mesh, plain_image(255, 128, 128)).at(top, up);
    EXPECT_GT(half.x, 0.5f);
    EXPECT_LT(half.z, -0.5f);
}

TEST(hair_flow, is_a_field_with_a_map_alone) {
    const GroomSettings settings = short_hair(CombStyle::direction);
    EXPECT_FALSE(HairFlow(settings, bust()).is_field());
    const Mesh mesh = with_uvs_from_above(bust());
    const HairFlow flow(settings, mesh, plain_image(0, 128));
    ASSERT_TRUE(flow.is_field());
    EXPECT_LT(flow.at({0.01f, 0.47f, 0}, {0, 1, 0}).x, -0.99f);
}

TEST(fringe, is_cut_level_over_the_forehead) {
    GroomSettings settings = short_hair(CombStyle::fall);
    settings.strands = 3000;
    settings.length = 0.3f;
    settings.length_variation = 0;
    settings.edge_length = 1;
    settings.comb.droop = 1;
    settings.vertices = 40;
    settings.fringe.length = 0.04f;
    const HairFlow flow(settings, bust());
    const StrandSet hair = grown(settings);
    int count = 0, level = 0;
    for (int s = 0; s < hair.strand_count(); ++s) {
        if (!flow.is_in_fringe(hair.position.vec3(s, 0))) continue;
        ++count;
        if (std::abs(hair.position.vec3(s, 39).y - flow.fringe_height()) < 0.006f) ++level;
        EXPECT_GT(hair.position.vec3(s, 39).z, 0.05f);
    }
    EXPECT_GT(count, 50);
    EXPECT_GT(level, 0.9 * count);
}

TEST(layers, shorten_the_top_and_leave_the_nape) {
    GroomSettings settings = short_hair(CombStyle::fall);
    settings.length_variation = 0;
    settings.edge_length = 1;
    settings.layers = 0.5f;
    const HairFlow flow(settings, bust());
    const StrandSet hair = grown(settings);
    for (int s = 0; s < hair.strand_count(); ++s) {
        float length = 0;
        for (int i = 1; i < 10; ++i)
            length += norm(hair.position.vec3(s, i) - hair.position.vec3(s, i - 1));
        const float height = flow.height_on_skull(hair.position.vec3(s, 0));
        EXPECT_NEAR(length, 0.04f * (1 - 0.5f * height), 0.006f) << s;
    }
}

TEST(hairline, has_short_fine_hair_and_an_irregular_border) {
    GroomSettings settings = short_hair(CombStyle::fall);
    settings.strands = 4000;
    settings.length_variation = settings.diameter_variation = 0;
    StrandSet hair = grown(settings);
    paint(settings, {}, hair, TaskPool(2));
    int fine = 0;
    for (int s = 0; s < hair.strand_count(); ++s) {
        const float growth = hair.root_growth[static_cast<std::size_t>(s)];
        EXPECT_NEAR(hair.radius.at(s, 0), 0.5f * settings.diameter * (0.5f + 0.5f * growth), 1e-9f);
        if (growth < 0.5f) ++fine;
    }
    EXPECT_GT(fine, 40);
    // The border lies on both sides of the line.
    const Hairline line(find_skull(bust()));
    const Result<std::vector<Root>> roots = scatter_roots(bust(), {.scalp = "auto"}, 40000);
    ASSERT_TRUE(roots);
    float nearest = 0, farthest = 0;
    for (const Root& root : *roots) {
        nearest = std::min(nearest, line.depth(root.position));
        farthest = std::max(farthest, line.depth(root.position));
    }
    EXPECT_LT(nearest, -0.001f);
    EXPECT_GT(nearest, -0.0051f);
    EXPECT_GT(farthest, 0.05f);
}

}  // namespace
}  // namespace ringlet
