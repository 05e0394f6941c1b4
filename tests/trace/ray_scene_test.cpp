// Rays against curves and meshes of known shape.
#include "render_rt/ray_scene.h"

#include "trace_fixture.h"

namespace ringlet {
namespace {

// A straight strand through the origin along a unit direction.
StrandSet straight_strand(Vec3f along, float length, float radius, int vertices = 5) {
    TestStrand strand{{}, radius, {0.5f, 0.4f, 0.3f}};
    for (int i = 0; i < vertices; ++i) {
        const float t = static_cast<float>(i) / static_cast<float>(vertices - 1) - 0.5f;
        strand.vertices.push_back(along * (t * length));
    }
    return strand_set({strand});
}

Result<RayScene> scene_of(const StrandSet& strands, CurveShape shape = CurveShape::flat) {
    Picture picture;
    picture.strands = view_of(strands);
    picture.settings.curves = shape;
    return RayScene::build(picture);
}

// Compares hits with cylinders, whose surface only round strands have.
void expect_hits_of_cylinders(CurveShape shape) {
    constexpr float kRadius = 4e-5f, kLength = 0.02f;
    int hits = 0;
    for (std::uint32_t n = 0; n < 60; ++n) {
        const auto number = [n](std::uint32_t k) { return counter_signed(11, n, k); };
        const Vec3f along = unit_or(Vec3f{number(0), number(1), number(2)}, Vec3f{0, 1, 0});
        const StrandSet strands = straight_strand(along, kLength, kRadius);
        const Result<RayScene> scene = scene_of(strands, shape);
        ASSERT_TRUE(scene);
        for (std::uint32_t k = 0; k < 20; ++k) {
            const auto own = [n, k](std::uint32_t c) { return counter_signed(12 + n, k, c); };
            const Vec3f direction = unit_or(Vec3f{own(0), own(1), own(2)}, Vec3f{1, 0, 0});
            const Vec3f sideways = cross(along, direction);
            if (norm(sideways) < 0.2f) continue;
            const float offset = own(3) * 1.5f;  // in radii
            if (std::abs(std::abs(offset) - 1) < 0.02f) continue;
            const Vec3f side = unit_or(sideways, Vec3f{1, 0, 0});
            const Vec3f target = along * (own(4) * 0.4f * kLength) + side * (offset * kRadius);
            const RayHit hit = scene->hit({target - direction * 0.5f, direction});
            ASSERT_EQ(hit.kind == RayHit::Kind::strand, std::abs(offset) < 1) << offset;
            if (hit.kind == RayHit::Kind::nothing) continue;
            ++hits;
            const float inside = std::sqrt(1 - offset * offset) * kRadius / norm(sideways);
            if (shape == CurveShape::round)
                EXPECT_NEAR(hit.distance, 0.5f - inside, 0.05f * kRadius);
            else
                EXPECT_NEAR(hit.distance, 0.5f, 3 * kRadius);
            EXPECT_EQ(hit.is_round, shape == CurveShape::round);
            EXPECT_NEAR(hit.radius, kRadius, 1e-3f * kRadius);
            EXPECT_NEAR(dot(hit.tangent, along), 1, 1e-4f);
            // FibreScatter counts azimuths from the eye around the tangent, and h against them.
            const Vec3f across = unit_or(along * dot(along, direction) - direction, side);
            EXPECT_NEAR(hit.h, -dot(side, cross(along, across)) * offset, 0.03f);
            const Vec3f surface = side * offset + across * std::sqrt(1 - offset * offset);
            const Vec3f normal = shape == CurveShape::round ? surface : across;
            EXPECT_GT(dot(hit.normal, normal), 0.999f) << offset;
        }
    }
    EXPECT_GT(hits, 300);
}

TEST(ray_scene, hits_flat_strands_where_cylinders_are) {
    expect_hits_of_cylinders(CurveShape::flat);
}

TEST(ray_scene, hits_round_strands_where_cylinders_are) {
    expect_hits_of_cylinders(CurveShape::round);
}

TEST(ray_scene, lets_rays_leave_round_strands_from_inside) {
    const StrandSet strands = straight_strand({0, 1, 0}, 0.1f, 1e-3f);
    const Result<RayScene> scene = scene_of(strands, CurveShape::round);
    ASSERT_TRUE(scene);
    for (const Vec3f direction : {Vec3f{1, 0, 0}, Vec3f{0, 0, -1}, Vec3f{0.6f, 0.8f, 0}}) {
        EXPECT_FALSE(scene->is_blocked({{0, 0, 0}, direction}));
        EXPECT_EQ(scene->hit({{0, 0, 0}, direction}).kind, RayHit::Kind::nothing);
        EXPECT_TRUE(scene->is_blocked({direction * -0.02f, direction}));
    }
}

TEST(ray_scene, makes_strands_round_where_they_are_wide_on_screen) {
    const StrandSet strands = strand_set({{{{0, -0.01f, 0}, {0, 0.01f, 0}}, 1e-4f},
                                          {{{0.01f, -0.01f, 0}, {0.01f, 0.01f, 0}}, 4e-4f}});
    Picture picture;
    picture.strands = view_of(strands);
    picture.camera = measuring_camera(100, 100 / 0.02f);
    // A pixel is as wide as the radius of the first strand if there are 200 in the height.
    const auto is_round = [&](float x, int image_height) {
        const Result<RayScene> scene = RayScene::build(picture, image_height);
        EXPECT_TRUE(scene);
        const RayHit hit = scene->hit({{x, 0.002f, 1}, {0, 0, -1}});
        EXPECT_EQ(hit.kind, RayHit::Kind::strand);
        return hit.is_round;
    };
    EXPECT_FALSE(is_round(0, 190));
    EXPECT_TRUE(is_round(0, 210));
    EXPECT_FALSE(is_round(0.01f, 45));
    EXPECT_TRUE(is_round(0.01f, 55));
    picture.settings.curves = CurveShape::round;
    EXPECT_TRUE(is_round(0, 10));
    picture.settings.curves = CurveShape::flat;
    EXPECT_FALSE(is_round(0, 10000));
}

// Cauchy: the mean shadow of a thin cylinder over all directions is pi/4 of length times width.
TEST(ray_scene, sees_the_projected_area_of_random_hairs) {
    constexpr int kSide = 24, kHairs = kSide * kSide, kRays = 150'000;
    constexpr float kLength = 1.0f, kWidth = 0.1f, kCell = 1.1f;
    std::vector<TestStrand> strands;
    for (int i = 0; i < kHairs; ++i) {
        // Even directions on the sphere (a Fibonacci lattice).
        const float y = (static_cast<float>(i) + 0.5f) / kHairs * 2 - 1;
        const float turn = static_cast<float>(i) * 2.3999632f, wide = std::sqrt(1 - y * y);
        const Vec3f along{std::cos(turn) * wide, y, std::sin(turn) * wide};
        const Vec3f middle{(static_cast<float>(i % kSide) + 0.5f) * kCell,
                           (static_cast<float>(i / kSide) + 0.5f) * kCell, 0};
        TestStrand strand{{}, kWidth / 2, {1, 1, 1}};
        for (int k = 0; k < 4; ++k)
            strand.vertices.push_back(middle +
                                      along * (kLength * (static_cast<float>(k) / 3 - 0.5f)));
        strands.push_back(strand);
    }
    const StrandSet set = strand_set(strands);
    const Result<RayScene> scene = scene_of(set);
    ASSERT_TRUE(scene);
    int hits = 0;
    for (std::uint32_t n = 0; n < kRays; ++n) {
        const float x = counter_uniform(21, n, 0) * kSide * kCell;
        const float y = counter_uniform(21, n, 1) * kSide * kCell;
        hits += scene->is_blocked({{x, y, 5}, {0, 0, -1}}) ? 1 : 0;
    }
    const double area = static_cast<double>(hits) / kRays * static_cast<double>(kCell * kCell);
    EXPECT_NEAR(area / (3.14159265 / 4 * static_cast<double>(kLength * kWidth)), 1, 0.02);
}

TEST(ray_scene, keeps_width_taper_and_colour_along_a_strand) {
    StrandSet strands = straight_strand({0, 1, 0}, 0.1f, 1e-3f, 3);
    strands.radius.at(0, 2) = 0;
    strands.colour.set_vec3(0, 2, {1, 0, 0});
    Picture picture;
    picture.strands = view_of(strands);
    picture.settings.width = 2;
    const Result<RayScene> scene = RayScene::build(picture);
    ASSERT_TRUE(scene);
    const auto at = [&](float y) { return scene->hit({{0, y, 1}, {0, 0, -1}}); };
    EXPECT_NEAR(at(-0.025f).radius, 2e-3f, 1e-5f);
    EXPECT_NEAR(at(0.025f).radius, 1e-3f, 1e-5f);
    EXPECT_NEAR(at(0.025f).colour.x, 0.75f, 1e-3f);
    EXPECT_NEAR(at(0.025f).colour.y, 0.2f, 1e-3f);
    EXPECT_EQ(at(0.06f).kind, RayHit::Kind::nothing) << "nothing beyond the tip";
    EXPECT_TRUE(scene->is_blocked({{1.9e-3f, -0.025f, 1}, {0, 0, -1}}));
    EXPECT_FALSE(scene->is_blocked({{1.9e-3f, 0.04f, 1}, {0, 0, -1}}));
}

TEST(ray_scene, survives_strands_that_are_not_finite) {
    StrandSet strands = strand_set({{{{0, 0, 0}, {0, 0.1f, 0}, {0, 0.2f, 0}}, 1e-3f},
                                    {{{1, 0, 0}, {1, 0.1f, 0}, {1, 0.2f, 0}}, 1e-3f},
                                    {{{2, 0, 0}}, 1e-3f}});
    const float bad = std::numeric_limits<float>::quiet_NaN();
    strands.position.set_vec3(0, 2, {bad, bad, bad});
    strands.position.set_vec3(1, 0, {bad, 0, 0});
    const Result<RayScene> scene = scene_of(strands);
    ASSERT_TRUE(scene);
    EXPECT_EQ(scene->segment_count(), 1u);
    EXPECT_TRUE(scene->is_blocked({{0, 0.05f, 1}, {0, 0, -1}}));
    EXPECT_FALSE(scene->is_blocked({{1, 0.15f, 1}, {0, 0, -1}}));
}

// A square of 2 m in the plane z = 0 that faces +z.
Mesh square(Vec3f colour) {
    Mesh mesh;
    mesh.materials.push_back({"square", colour});
    mesh.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    mesh.normals.assign(4, {0, 0, 1});
    mesh.uvs = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    mesh.indices = {0, 1, 2, 0, 2, 3};
    mesh.triangle_material = {0, 0};
    mesh.triangle_group = {-1, -1};
    return mesh;
}

TEST(ray_scene, reads_textures_holes_and_vertex_colours) {
    Mesh mesh = square({0.5f, 0.5f, 0.5f});
    Image image{2, 2, {}};
    // Upper row: red, a hole; lower row: white, black.
    image.rgba = {255, 0, 0, 255, 9, 9, 9, 0, 255, 255, 255, 255, 0, 0, 0, 255};
    mesh.materials[0].texture = std::make_shared<const Image>(image);
    mesh.materials[0].vertex_colours = 1;
    mesh.colours.assign(4, {0.25f, 0.25f, 0.25f});
    Picture picture;
    picture.meshes = {{&mesh, {}}};
    const Result<RayScene> scene = RayScene::build(picture);
    ASSERT_TRUE(scene);
    const auto at = [&](float x, float y) { return scene->hit({{x, y, 1}, {0, 0, -1}}); };
    EXPECT_NEAR(at(-0.5f, 0.5f).colour.x, 0.75f, 1e-3f);
    EXPECT_NEAR(at(-0.5f, 0.5f).colour.y, 0, 1e-3f);
    EXPECT_NEAR(at(-0.5f, -0.5f).colour.y, 0.75f, 1e-3f);
    EXPECT_EQ(at(0.5f, 0.5f).kind, RayHit::Kind::nothing);
    EXPECT_FALSE(scene->is_blocked({{0.5f, 0.5f, 1}, {0, 0, -1}}));
    EXPECT_TRUE(scene->is_blocked({{0.5f, -0.5f, 1}, {0, 0, -1}}));
}

TEST(ray_scene, turns_normals_to_the_eye) {
    const Mesh mesh = square({1, 1, 1});
    const Quatf turn = quat_from_axis_angle(Vec3f{0, 1, 0}, kPi / 2);
    Picture picture;
    picture.meshes = {{&mesh, {turn, {0.5f, 0, 0}}}};
    const Result<RayScene> scene = RayScene::build(picture);
    ASSERT_TRUE(scene);
    const RayHit front = scene->hit({{2, 0, 0}, {-1, 0, 0}}),
                 back = scene->hit({{-2, 0, 0}, {1, 0, 0}});
    EXPECT_NEAR(front.distance, 1.5f, 1e-4f);
    EXPECT_NEAR(front.normal.x, 1, 1e-4f);
    EXPECT_NEAR(back.normal.x, -1, 1e-4f);
    EXPECT_NEAR(back.face_normal.x, -1, 1e-4f);
}

}  // namespace
}  // namespace ringlet
