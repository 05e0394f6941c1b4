// Roots are even by area; grown hair stays outside the skin and has the requested length and curl.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "geom/bvh.h"
#include "groom/clumps.h"
#include "groom/grow.h"
#include "groom/roots.h"
#include "math/noise.h"
#include "math/quat.h"
#include "sphere_mesh.h"

namespace ringlet {
namespace {

const Vec3f kCentre{0.02f, 0.3f, -0.01f};
constexpr float kRadius = 0.05f;

Mesh ball() { return sphere_mesh(kCentre, kRadius, 16); }
// A small mesh for hair that does not touch the skin: faster.
Mesh bead() { return sphere_mesh(kCentre, 0.01f, 8); }

// Twelve triangles in a row on the ground, each twice as wide as the one before: areas 1 to 2048.
Mesh uneven_strip() {
    Mesh mesh;
    float x = 0, width = 0.001f;
    for (int t = 0; t < 12; ++t, x += width, width *= 2) {
        const auto base = static_cast<std::uint32_t>(mesh.positions.size());
        for (const Vec3f& p : {Vec3f{x, 0, 0}, Vec3f{x, 0, 1}, Vec3f{x + width, 0, 0}}) {
            mesh.positions.push_back(p);
            mesh.normals.push_back({0, 1, 0});
            mesh.uvs.push_back({p.x, p.z});
        }
        mesh.indices.insert(mesh.indices.end(), {base, base + 1, base + 2});
        mesh.triangle_material.push_back(t % 2);
        mesh.triangle_group.push_back(t < 6 ? 0 : -1);
    }
    mesh.materials = {{"even", {1, 1, 1}}, {"odd", {1, 1, 1}}};
    mesh.groups = {"small"};
    return mesh;
}

std::vector<Root> roots_on(const Mesh& mesh, const std::string& scalp, int count,
                           std::uint32_t seed = 1) {
    Result<std::vector<Root>> roots = scatter_roots(mesh, {.scalp = scalp, .seed = seed}, count);
    EXPECT_TRUE(roots) << roots.error().text();
    return roots ? std::move(*roots) : std::vector<Root>{};
}

TEST(scatter_roots, a_smaller_count_gives_a_prefix) {
    const Mesh mesh = ball();
    const std::vector<Root> few = roots_on(mesh, "", 500), many = roots_on(mesh, "", 1000);
    ASSERT_EQ(few.size(), 500u);
    ASSERT_EQ(many.size(), 1000u);
    for (std::size_t i = 0; i < few.size(); ++i) {
        EXPECT_EQ(few[i].position.x, many[i].position.x);
        EXPECT_EQ(few[i].position.y, many[i].position.y);
        EXPECT_EQ(few[i].position.z, many[i].position.z);
        EXPECT_EQ(few[i].triangle, many[i].triangle);
    }
}

TEST(scatter_roots, is_proportional_to_the_area_of_triangles) {
    const Mesh mesh = uneven_strip();
    for (const std::uint32_t seed : {1u, 2u, 99u}) {
        constexpr int kRoots = 20000;
        std::vector<double> counts(12, 0.0);
        for (const Root& root : roots_on(mesh, "", kRoots, seed))
            ++counts[static_cast<std::size_t>(root.triangle)];
        double chi_square = 0;
        for (std::size_t t = 0; t < 12; ++t) {
            const double expected = kRoots * std::ldexp(1.0, static_cast<int>(t)) / 4095;
            chi_square += (counts[t] - expected) * (counts[t] - expected) / expected;
        }
        // 11 degrees of freedom: random points stay below 31 with probability 99.9 %; Halton far
        // below.
        EXPECT_LT(chi_square, 11) << "seed " << seed;
    }
}

TEST(scatter_roots, fills_the_inside_of_a_triangle_evenly) {
    // One triangle divided into 16 equal parts: each has a sixteenth of the roots.
    Mesh mesh = uneven_strip();
    mesh.indices.resize(3);
    mesh.triangle_material.resize(1);
    mesh.triangle_group.resize(1);
    constexpr int kRoots = 8000;
    std::map<int, int> counts;
    for (const Root& root : roots_on(mesh, "", kRoots)) {
        const double v = static_cast<double>(root.position.z);
        const double u = static_cast<double>(root.position.x) / 0.001;
        EXPECT_TRUE(u >= -1e-6 && v >= -1e-6 && u + v <= 1 + 1e-6);
        const int row = std::clamp(static_cast<int>(u * 4), 0, 3);
        const int column = std::clamp(static_cast<int>(v * 4), 0, 3 - row);
        const bool upper = u * 4 - row + v * 4 - column > 1;
        ++counts[row * 8 + column * 2 + upper];
        EXPECT_FLOAT_EQ(root.uv.x, root.position.x);
        EXPECT_FLOAT_EQ(root.uv.y, root.position.z);
    }
    EXPECT_EQ(counts.size(), 16u);
    for (const auto& [cell, count] : counts) EXPECT_NEAR(count, kRoots / 16, kRoots / 16 * 0.08);
}

TEST(scatter_roots, spread_over_a_ball_without_a_preferred_side) {
    Vec3f sum{0, 0, 0};
    for (const Root& root : roots_on(ball(), "", 4000)) {
        EXPECT_NEAR(norm(root.position - kCentre), kRadius, 0.0012f);
        EXPECT_NEAR(norm(root.normal), 1, 1e-5f);
        EXPECT_GT(dot(root.normal, root.position - kCentre), 0.98f * kRadius);
        sum += root.normal;
    }
    EXPECT_LT(norm(sum) / 4000, 0.01f);
}

TEST(scatter_roots, keep_to_the_material_or_the_group_named) {
    const Mesh mesh = uneven_strip();
    for (const Root& root : roots_on(mesh, "odd", 500)) EXPECT_EQ(root.triangle % 2, 1);
    for (const Root& root : roots_on(mesh, "small", 500)) EXPECT_LT(root.triangle, 6);
    bool elsewhere = false;
    for (const Root& root : roots_on(mesh, "", 500))
        elsewhere = elsewhere || (root.triangle % 2 == 0 && root.triangle >= 6);
    EXPECT_TRUE(elsewhere);
}

TEST(scatter_roots, an_unknown_scalp_is_an_error_that_lists_materials_and_groups) {
    const Result<std::vector<Root>> roots = scatter_roots(uneven_strip(), {.scalp = "scalp"}, 10);
    ASSERT_FALSE(roots);
    for (const char* word : {"\"scalp\"", "even", "odd", "small"})
        EXPECT_NE(roots.error().message.find(word), std::string::npos) << roots.error().message;
    EXPECT_EQ(roots.error().message.find('\n'), std::string::npos);
    EXPECT_FALSE(scatter_roots(Mesh{}, {.scalp = ""}, 10));
    EXPECT_FALSE(scatter_roots(Mesh{}, {.scalp = "scalp"}, 10));
}

TEST(scatter_roots, another_seed_gives_other_roots_and_none_gives_none) {
    const Mesh mesh = ball();
    const std::vector<Root> one = roots_on(mesh, "skin", 10, 1),
                            two = roots_on(mesh, "skin", 10, 2);
    EXPECT_NE(one[0].position.x, two[0].position.x);
    EXPECT_TRUE(roots_on(mesh, "ball", 0).empty());
}

TEST(scatter_roots, keep_to_skin_that_faces_up) {
    const Result<std::vector<Root>> roots =
        scatter_roots(ball(), {.scalp = "", .facing_up = 0.5f}, 500);
    ASSERT_TRUE(roots);
    ASSERT_EQ(roots->size(), 500u);
    for (const Root& root : *roots) EXPECT_GE(root.normal.y, 0.5f);
    EXPECT_FALSE(scatter_roots(ball(), {.scalp = "", .facing_up = 1.5f}, 5));
}

// An image with one grey in its left half and another in its right half.
Image two_greys(std::uint8_t left, std::uint8_t right) {
    Image image{64, 4, std::vector<std::uint8_t>(64 * 4 * 4, 255)};
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 64; ++x) std::fill_n(image.pixel(x, y), 3, x < 32 ? left : right);
    return image;
}

TEST(scatter_roots, are_as_dense_as_the_image_is_bright) {
    const Image half_as_bright = two_greys(127, 255), black = two_greys(0, 0);
    RootRules rules{.scalp = ""};
    rules.density = &half_as_bright;
    const Result<std::vector<Root>> roots = scatter_roots(ball(), rules, 6000);
    ASSERT_TRUE(roots);
    int left = 0;
    for (const Root& root : *roots) left += root.uv.x < 0.5f;
    EXPECT_NEAR(left, 2000, 150);
    const Result<std::vector<Root>> few = scatter_roots(ball(), rules, 3000);
    ASSERT_TRUE(few);
    EXPECT_EQ((*few)[2999].position.x, (*roots)[2999].position.x)
        << "the first of many are the few";
    rules.density = &black;
    EXPECT_FALSE(scatter_roots(ball(), rules, 10));
}

GroomSettings straight(int strands, int vertices) {
    GroomSettings settings;
    settings.scalp = "";
    settings.strands = strands;
    settings.vertices = vertices;
    settings.comb.droop = 0;
    settings.comb.lift = 0;
    settings.comb.variation = 0;
    return settings;
}

// Hair with all settings that can push it into the head.
GroomSettings wild() {
    GroomSettings settings = straight(300, 40);
    settings.comb.direction = {0.3f, -0.4f, -0.8f};
    settings.comb.part = 0.01f;
    settings.comb.part_strength = 1;
    settings.comb.droop = 1;
    settings.curl.radius = 0.015f;
    settings.curl.variation = 0.4f;
    settings.curl.start = 0.1f;
    settings.clump.strength = 0.8f;
    settings.clump.spacing = 0.045f;
    settings.frizz.amplitude = 0.004f;
    settings.flyaway.share = 0.1f;
    return settings;
}

StrandSet grown(const GroomSettings& settings, const Mesh& body, int threads = 2) {
    Result<StrandSet> out = grow(settings, {}, body, TaskPool(threads));
    EXPECT_TRUE(out) << out.error().text();
    if (!out) return {};
    paint(settings, {}, *out, TaskPool(threads));
    return std::move(*out);
}

double polyline_length(const StrandSet& hair, int strand) {
    double sum = 0;
    for (int i = 1; i < hair.layout->vertex_count(strand); ++i)
        sum += static_cast<double>(
            norm(hair.position.vec3(strand, i) - hair.position.vec3(strand, i - 1)));
    return sum;
}

// A large amplitude would make short strands several times as long as they should be.
TEST(grow, flyaways_and_frizz_are_in_proportion_to_the_length) {
    GroomSettings settings = straight(300, 24);
    settings.length = 0.05f;
    settings.length_variation = 0;
    settings.flyaway = {.share = 1, .amplitude = 0.05f};
    const StrandSet loose = grown(settings, ball());
    settings.flyaway = {};
    settings.length = 0.004f;
    settings.frizz = {.amplitude = 0.004f, .length = 0.02f};
    const StrandSet frizzy = grown(settings, ball());
    for (int s = 0; s < loose.strand_count(); ++s) {
        EXPECT_LT(polyline_length(loose, s), 1.8 * 0.05) << s;
        EXPECT_LT(polyline_length(frizzy, s), 1.2 * 0.004) << s;
    }
}

TEST(grow, clumps_leave_the_skin_in_different_directions) {
    GroomSettings settings = straight(400, 12);
    settings.comb.variation = 0;
    settings.clump = {.strength = 0.5f, .spacing = 0.05f};
    const StrandSet before = grown(settings, ball());
    settings.comb.clump_variation = 1;
    const StrandSet after = grown(settings, ball());
    // Neighbours turn alike: the first segments of most strands stay parallel to the nearest one's.
    int turned = 0, alike = 0;
    for (int s = 0; s < after.strand_count(); ++s) {
        const auto first = [](const StrandSet& hair, int strand) {
            return unit_or(hair.position.vec3(strand, 1) - hair.position.vec3(strand, 0),
                           Vec3f{0, 1, 0});
        };
        int nearest = -1;
        float least = 1e9f;
        for (int k = 0; k < after.strand_count(); ++k) {
            const float d = norm(after.position.vec3(k, 0) - after.position.vec3(s, 0));
            if (k == s || d >= least) continue;
            least = d;
            nearest = k;
        }
        turned += dot(first(before, s), first(after, s)) < 0.97f ? 1 : 0;
        alike += dot(first(after, s), first(after, nearest)) > 0.9f ? 1 : 0;
    }
    EXPECT_GT(turned, 250);
    EXPECT_GT(alike, 250);
}

TEST(grow, leaves_no_vertex_below_the_skin) {
    const Mesh body = ball();
    const Bvh skin(body);
    GroomSettings settings = wild();
    for (const float droop : {0.0f, 1.0f, 5.0f}) {
        settings.comb.droop = droop;
        const StrandSet hair = grown(settings, body);
        ASSERT_EQ(hair.strand_count(), 300);
        for (int s = 0; s < hair.strand_count(); ++s)
            for (int i = 0; i < hair.layout->vertex_count(s); ++i) {
                const Vec3f p = hair.position.vec3(s, i);
                ASSERT_TRUE(std::isfinite(p.x + p.y + p.z));
                const ClosestPoint at = skin.closest(p, 10);
                EXPECT_GE(at.distance, i == 0 ? -1e-6f : 0.0005f)
                    << "strand " << s << " vertex " << i;
            }
    }
}

TEST(grow, keeps_long_segments_out_of_a_large_mesh) {
    // A mesh larger than the reach of the distance field; a few long segments that droop at once.
    const Mesh body = sphere_mesh({0, 0, 0}, 1, 8);
    const Bvh skin(body);
    GroomSettings settings = straight(50, 4);
    settings.length = 1.5f;
    settings.comb.droop = 10;
    const StrandSet hair = grown(settings, body);
    for (int s = 0; s < hair.strand_count(); ++s)
        for (int i = 1; i < 4; ++i)
            EXPECT_GE(skin.closest(hair.position.vec3(s, i), 10).distance, -1e-5f)
                << "strand " << s << " vertex " << i;
}

TEST(grow, first_segments_do_not_point_into_the_skin) {
    const Mesh body = ball();
    const GroomSettings settings = wild();
    const std::vector<Root> roots = roots_on(body, "", settings.strands, settings.seed);
    const StrandSet hair = grown(settings, body);
    for (int s = 0; s < hair.strand_count(); ++s) {
        const Root& root = roots[static_cast<std::size_t>(s)];
        const Vec3f first = hair.position.vec3(s, 1) - hair.position.vec3(s, 0);
        EXPECT_LT(norm(hair.position.vec3(s, 0) - root.position), 1e-7f);
        EXPECT_GT(norm(first), 1e-5f);
        EXPECT_GE(dot(unit_or(first, root.normal), root.normal), 0) << "strand " << s;
    }
}

TEST(grow, lengths_stay_within_their_variation_and_use_it) {
    GroomSettings settings = straight(400, 16);
    settings.length = 0.3f;
    settings.length_variation = 0.2f;
    const StrandSet hair = grown(settings, bead());
    double least = 1, most = 0;
    for (int s = 0; s < hair.strand_count(); ++s) {
        const double length = polyline_length(hair, s);
        least = std::min(least, length);
        most = std::max(most, length);
    }
    EXPECT_GE(least, 0.24 - 1e-5);
    EXPECT_LE(most, 0.36 + 1e-5);
    EXPECT_LT(least, 0.245);
    EXPECT_GT(most, 0.355);
    settings.length_variation = 0;
    const StrandSet even = grown(settings, bead());
    for (int s = 0; s < even.strand_count(); ++s) EXPECT_NEAR(polyline_length(even, s), 0.3, 1e-5);
}

TEST(grow, combing_over_the_skin_keeps_the_length) {
    GroomSettings settings = straight(300, 60);
    settings.length = 0.3f;
    settings.length_variation = 0;
    settings.comb.droop = 1;
    settings.comb.lift = 0.004f;
    const StrandSet hair = grown(settings, ball());
    for (int s = 0; s < hair.strand_count(); ++s)
        EXPECT_NEAR(polyline_length(hair, s), 0.3, 0.3 * 0.02) << "strand " << s;
}

// Radius and turns per metre of a helix about the normal at its root, beyond the distance `from`.
struct Helix {
    double radius = 0, spread = 0, turns_per_metre = 0;  // turns: positive to the left hand
};

Helix fit_helix(const StrandSet& hair, int strand, const Root& root, int from) {
    const Framef frame = frame_along(root.normal);
    Helix out;
    double low = 1e9, high = 0, turned = 0, first = 0, last = 0, before = 0;
    const int count = hair.layout->vertex_count(strand);
    for (int i = from; i < count; ++i) {
        const Vec3f local = to_local(frame, hair.position.vec3(strand, i) - root.position);
        const double r = std::hypot(static_cast<double>(local.x), static_cast<double>(local.y));
        const double angle = std::atan2(static_cast<double>(local.y), static_cast<double>(local.x));
        out.radius += r / (count - from);
        low = std::min(low, r);
        high = std::max(high, r);
        last = static_cast<double>(local.z);
        if (i == from)
            first = last;
        else
            turned += std::remainder(angle - before, 2 * 3.14159265358979);
        before = angle;
    }
    out.spread = high - low;
    out.turns_per_metre = turned / (2 * 3.14159265358979) / (last - first);
    return out;
}

TEST(grow, curls_have_the_radius_and_the_pitch_of_the_settings) {
    GroomSettings settings = straight(60, 121);
    settings.length_variation = 0;
    settings.curl.radius = 0.01f;
    settings.curl.pitch = 0.03f;
    settings.curl.variation = 0;
    settings.curl.start = 0.15f;
    settings.curl.left_handed = 0;
    const Mesh body = bead();
    const std::vector<Root> roots = roots_on(body, "", settings.strands, settings.seed);
    const StrandSet hair = grown(settings, body);
    double hand = 0;
    for (int s = 0; s < hair.strand_count(); ++s) {
        const Helix helix = fit_helix(hair, s, roots[static_cast<std::size_t>(s)], 60);
        EXPECT_NEAR(helix.radius, 0.01, 1e-5);
        EXPECT_LT(helix.spread, 5e-5);
        EXPECT_NEAR(std::abs(helix.turns_per_metre), 1 / 0.03, 0.05);
        hand += helix.turns_per_metre > 0 ? 1 : -1;
    }
    EXPECT_EQ(std::abs(hand), 60) << "left_handed 0: all clumps turn the same way";
}

TEST(grow, curls_vary_within_their_variation_and_have_both_hands) {
    GroomSettings settings = straight(200, 121);
    settings.curl.radius = 0.01f;
    settings.curl.pitch = 0.03f;
    settings.curl.variation = 0.3f;
    settings.curl.start = 0.1f;
    settings.curl.left_handed = 0.5f;
    const Mesh body = bead();
    const std::vector<Root> roots = roots_on(body, "", settings.strands, settings.seed);
    const StrandSet hair = grown(settings, body);
    double least = 1, most = 0;
    int left = 0;
    for (int s = 0; s < hair.strand_count(); ++s) {
        const Helix helix = fit_helix(hair, s, roots[static_cast<std::size_t>(s)], 60);
        least = std::min(least, helix.radius);
        most = std::max(most, helix.radius);
        left += helix.turns_per_metre > 0;
    }
    // A clump varies by 30 %, a strand of it by up to a third of that in addition.
    EXPECT_GT(least, 0.01 * 0.7 * 0.9);
    EXPECT_LT(most, 0.01 * 1.3 * 1.1);
    EXPECT_LT(least, 0.008);
    EXPECT_GT(most, 0.012);
    EXPECT_NEAR(left, 100, 30);
}

TEST(grow, clumps_pull_tips_together_and_leave_roots_in_place) {
    GroomSettings settings = straight(400, 16);
    const auto tip_spread = [&](float strength) {
        settings.clump.strength = strength;
        settings.clump.spacing = 0.008f;
        const StrandSet hair = grown(settings, bead());
        // Mean distance from a tip to the nearest other tip.
        double sum = 0;
        for (int s = 0; s < hair.strand_count(); ++s) {
            double nearest = 1e9;
            for (int o = 0; o < hair.strand_count(); ++o)
                if (o != s)
                    nearest =
                        std::min(nearest, static_cast<double>(norm(hair.position.vec3(s, 15) -
                                                                   hair.position.vec3(o, 15))));
            sum += nearest;
        }
        return sum / hair.strand_count();
    };
    EXPECT_LT(tip_spread(0.9f), 0.5 * tip_spread(0));
    settings.clump.strength = 1;
    settings.clump.spacing = 0.008f;
    const std::vector<Root> roots = roots_on(bead(), "", 400, settings.seed);
    const StrandSet hair = grown(settings, bead());
    for (int s = 0; s < 400; ++s)
        EXPECT_LT(norm(hair.position.vec3(s, 0) - roots[static_cast<std::size_t>(s)].position),
                  1e-7f);
}

TEST(grow, clumps_do_not_depend_on_the_number_of_strands) {
    GroomSettings settings = straight(60, 16);
    settings.clump.strength = 0.9f;
    settings.clump.spacing = 0.002f;  // about 300 clumps on the bead: more than strands
    settings.curl.radius = 0.004f;
    const StrandSet few = grown(settings, bead());
    settings.strands = 600;
    const StrandSet many = grown(settings, bead());
    for (int s = 0; s < 60; ++s)
        for (int i = 0; i < 16; ++i)
            ASSERT_EQ(norm(few.position.vec3(s, i) - many.position.vec3(s, i)), 0) << s;
}

TEST(clumps, noise_makes_them_unequal) {
    std::vector<Vec3f> roots;
    for (int k = 0; k < 4000; ++k) {
        const auto id = static_cast<std::uint32_t>(k);
        roots.push_back({counter_uniform(1, id, 0), counter_uniform(1, id, 1), 0});
    }
    const std::vector<int> regions(roots.size(), 0);
    const auto spread = [&](float noise) {
        const Clumps clumps(roots, regions, 40, noise, 7);
        std::vector<double> sizes(40);
        for (int k = 0; k < 4000; ++k)
            ++sizes[static_cast<std::size_t>(
                clumps.leader_of(roots[static_cast<std::size_t>(k)], 0, k))];
        double squares = 0;
        for (const double size : sizes) squares += (size - 100) * (size - 100);
        return squares;
    };
    EXPECT_GT(spread(1), 1.2 * spread(0));
}

TEST(grow, strands_of_fine_clumps_meet_and_strays_do_not) {
    GroomSettings settings = straight(400, 16);
    settings.fine_clump.spacing = 0.004f;
    settings.length_variation = 0;
    const auto tips_together = [&](float strength, float strays) {
        settings.fine_clump.strength = strength;
        settings.fine_clump.strays = strays;
        const StrandSet hair = grown(settings, bead());
        int count = 0;
        for (int s = 0; s < 400; ++s)
            for (int o = 0; o < s; ++o)
                if (norm(hair.position.vec3(s, 15) - hair.position.vec3(o, 15)) < 1e-3f) {
                    ++count;
                    break;
                }
        return count;
    };
    EXPECT_LT(tips_together(0, 0), 40);
    EXPECT_GT(tips_together(1, 0), 300);
    EXPECT_LT(tips_together(1, 1), 40);
}

TEST(growing_area, is_the_area_of_the_skin_times_the_growth_weight) {
    const double whole = growing_area(ball(), {});
    EXPECT_NEAR(whole, 4 * 3.14159 * 0.05 * 0.05, 0.02 * whole);
    RootRules upper;
    upper.facing_up = 0;
    EXPECT_NEAR(growing_area(ball(), upper), 0.5 * whole, 0.02 * whole);
}

TEST(grow, paints_from_root_to_tip_and_tapers) {
    GroomSettings settings = straight(20, 5);
    settings.colour.root = {0.1f, 0.2f, 0.3f};
    settings.colour.tip = {0.5f, 0.6f, 0.7f};
    settings.colour.variation = 0;
    settings.diameter = 1e-4f;
    settings.diameter_variation = 0;
    settings.taper = 0.5f;
    const StrandSet hair = grown(settings, bead());
    EXPECT_FLOAT_EQ(hair.colour.vec3(3, 0).y, 0.2f);
    EXPECT_FLOAT_EQ(hair.colour.vec3(3, 4).z, 0.7f);
    EXPECT_FLOAT_EQ(hair.colour.vec3(3, 2).x, 0.3f);
    EXPECT_FLOAT_EQ(hair.radius.at(3, 0), 0.5e-4f);
    EXPECT_FLOAT_EQ(hair.radius.at(3, 4), 0.25e-4f);
}

TEST(grow, accepts_strands_of_one_vertex_and_no_strands) {
    const Mesh body = bead();
    GroomSettings settings = wild();
    settings.vertices = 1;
    const StrandSet stubble = grown(settings, body);
    EXPECT_EQ(stubble.strand_count(), 300);
    EXPECT_EQ(stubble.layout->vertex_total(), 300);
    EXPECT_NEAR(norm(stubble.position.vec3(7, 0) - kCentre), 0.01f, 0.0005f);
    settings.vertices = 2;
    EXPECT_EQ(grown(settings, body).layout->vertex_total(), 600);
    settings.strands = 0;
    EXPECT_EQ(grown(settings, body).strand_count(), 0);
    EXPECT_EQ(grown(settings, Mesh{}).strand_count(), 0);
}

TEST(grow, reports_a_scalp_that_does_not_exist) {
    GroomSettings settings = straight(10, 8);
    settings.scalp = "sclap";
    const Result<StrandSet> hair = grow(settings, {}, ball(), TaskPool(1));
    ASSERT_FALSE(hair);
    EXPECT_NE(hair.error().message.find("skin"), std::string::npos) << hair.error().message;
    settings.scalp = "";
    EXPECT_FALSE(grow(settings, {}, Mesh{}, TaskPool(1)));
}

std::string hash_of_groom(const StrandSet& hair) {
    return hash_of(hair.position, hair.colour).hex();
}

TEST(grow, gives_the_same_bits_for_any_number_of_threads_and_on_repetition) {
    const Mesh body = ball();
    GroomSettings settings = wild();
    const std::string once = hash_of_groom(grown(settings, body, 1));
    EXPECT_EQ(once, hash_of_groom(grown(settings, body, 1)));
    EXPECT_EQ(once, hash_of_groom(grown(settings, body, 3)));
    settings.seed = 2;
    EXPECT_NE(once, hash_of_groom(grown(settings, body, 1)));
}

TEST(grow, more_strands_do_not_change_the_first_ones) {
    GroomSettings settings = wild();
    settings.clump.strength = 0;  // the number of clumps depends on the number of strands
    const StrandSet few = grown(settings, ball());
    settings.strands = 450;
    const StrandSet many = grown(settings, ball());
    for (int s = 0; s < few.strand_count(); ++s)
        EXPECT_EQ(few.position.vec3(s, 39).x, many.position.vec3(s, 39).x) << s;
}

TEST(grow, plants_strands_exactly_at_their_roots) {
    GroomSettings settings = straight(0, 8);
    settings.planted = {{{1, 2, 3}, {0, 0, 5}, 0.5f, 9, 0, 0.03f}, {{4, 5, 6}, {0, 0, 0}, 1, 1}};
    const StrandSet hair = grown(settings, Mesh{});
    ASSERT_EQ(hair.strand_count(), 2);
    for (int i = 0; i < 9; ++i) {
        const Vec3f p = hair.position.vec3(0, i);
        EXPECT_EQ(p.x, 1);
        EXPECT_EQ(p.y, 2);
        EXPECT_EQ(p.z, 3 + 0.0625f * static_cast<float>(i));
    }
    EXPECT_EQ(hair.layout->vertex_count(1), 1);
    EXPECT_EQ(hair.position.vec3(1, 0).y, 5);
}

TEST(grow, plants_along_slanted_directions_too) {
    GroomSettings settings = straight(0, 8);
    const Vec3f direction{1, -2, 2};
    settings.planted = {{{0.1f, 0.2f, 0.3f}, direction, 0.3f, 31, 0, 0.03f}};
    const StrandSet hair = grown(settings, Mesh{});
    for (int i = 0; i < 31; ++i) {
        const Vec3f expected =
            Vec3f{0.1f, 0.2f, 0.3f} + direction * (0.01f / 3 * static_cast<float>(i));
        EXPECT_LT(norm(hair.position.vec3(0, i) - expected), 1e-7f);
    }
    EXPECT_EQ(hair.position.vec3(0, 0).x, 0.1f);
}

TEST(grow, planted_curls_wind_about_an_axis_that_does_not_pass_their_root) {
    GroomSettings settings = straight(0, 8);
    settings.planted = {{{0, 0, 0}, {0, 0, 1}, 0.3f, 121, 0.01f, 0.03f}};
    const StrandSet hair = grown(settings, Mesh{});
    EXPECT_EQ(norm(hair.position.vec3(0, 0)), 0);
    // The mean over whole turns lies on the axis.
    double x = 0, y = 0;
    for (int i = 0; i < 120; ++i) {
        x += static_cast<double>(hair.position.vec3(0, i).x) / 120;
        y += static_cast<double>(hair.position.vec3(0, i).y) / 120;
    }
    for (int i = 0; i < 121; ++i) {
        const Vec3f p = hair.position.vec3(0, i);
        EXPECT_NEAR(std::hypot(static_cast<double>(p.x) - x, static_cast<double>(p.y) - y), 0.01,
                    1e-5);
        EXPECT_NEAR(p.z, 0.0025f * static_cast<float>(i), 1e-6f);
    }
}

TEST(grow, grown_and_planted_strands_share_a_groom) {
    GroomSettings settings = straight(10, 8);
    settings.planted = {{{9, 9, 9}, {0, 1, 0}, 0.1f, 3}};
    const StrandSet hair = grown(settings, bead());
    ASSERT_EQ(hair.strand_count(), 11);
    EXPECT_EQ(hair.position.vec3(10, 0).x, 9);
    EXPECT_EQ(hair.layout->vertex_total(), 83);
}

}  // namespace
}  // namespace ringlet
