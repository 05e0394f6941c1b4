// A deforming mesh body, and its contact with every model.
#include "collide/deforming_body.h"
#include "physics/every_model.h"
#include "test_level.h"
#include "unit/sphere_mesh.h"

namespace ringlet {
namespace {

using namespace lab;

constexpr float kFps = 20;

// A ball whose shape at each frame is `change(point, frame)`.
template <class Change>
std::shared_ptr<const MeshSequence> shapes_of(const Mesh& ball, int frames, const Change& change,
                                              float fps = kFps) {
    auto out = std::make_shared<MeshSequence>();
    out->indices = ball.indices;
    out->rest = ball.positions;
    out->fps = fps;
    for (int frame = 0; frame < frames; ++frame) {
        std::vector<Vec3f>& positions = out->frames.emplace_back(ball.positions);
        for (Vec3f& p : positions) p = change(p, frame);
    }
    return out;
}

// A ball whose radius grows by `step` in every frame.
std::shared_ptr<const MeshSequence> growing(const Mesh& ball, float radius, float step,
                                            int frames) {
    return shapes_of(ball, frames, [=](Vec3f p, int frame) {
        return unit_or(p, {0, 1, 0}) * (radius + step * static_cast<float>(frame));
    });
}

std::shared_ptr<const MeshBody> body_of(Mesh mesh, const MeshSequence& shapes) {
    MeshBodySettings settings{.cell = 0.01f};
    settings.room = DeformingBody::bounds_of_all(shapes);
    shapes.positions_at(0, mesh.positions);
    auto made = MeshBody::make(std::move(mesh), settings, pool());
    EXPECT_TRUE(made);
    return *made;
}

World world_of(const Mesh& mesh, std::shared_ptr<const MeshSequence> shapes, float friction) {
    World out;
    Collider& body = out.colliders.emplace_back();
    body.shape = ColliderShape::mesh;
    body.friction = friction;
    body.body = body_of(mesh, *shapes);
    body.shapes = std::move(shapes);
    return out;
}

TEST(deforming_body, reshaped_body_equals_a_new_one) {
    const Mesh ball = sphere_mesh({0, 0, 0}, 0.05f, 24);
    const auto shapes = growing(ball, 0.05f, 0.004f, 8);
    DeformingBody moving(*body_of(ball, *shapes), shapes);
    for (int k = 1; k <= 12; ++k) moving.advance_to(k / 60.0, pool());
    const DistanceGrid now = moving.at(0.5f, 1, pool());
    Mesh later = ball;
    shapes->positions_at(0.2, later.positions);
    MeshBodySettings settings{.cell = 0.01f};
    settings.room = DeformingBody::bounds_of_all(*shapes);
    const auto made = MeshBody::make(later, settings, pool());
    ASSERT_TRUE(made);
    const DistanceGrid fresh = (*made)->grid();
    for (std::uint32_t k = 0; k < 2000; ++k) {
        const Vec3f p = {0.12f * counter_signed(1, k, 0), 0.12f * counter_signed(1, k, 1),
                         0.12f * counter_signed(1, k, 2)};
        const float expected = sample_grid(fresh, p).distance, found = sample_grid(now, p).distance;
        const float truly = norm(p) - 0.066f;
        if (abs(expected) < (*made)->band() - 0.02f)
            EXPECT_NEAR(found, expected, 1e-5f);
        else
            EXPECT_LT(abs(found), abs(truly) + 1e-3f) << "a bound from below";
    }
}

TEST(deforming_body, interpolates_linearly_within_a_step_and_reports_surface_motion) {
    const Mesh ball = sphere_mesh({0, 0, 0}, 0.05f, 24);
    const auto shapes = growing(ball, 0.05f, 0.006f, 8);
    DeformingBody moving(*body_of(ball, *shapes), shapes);
    moving.advance_to(1 / 60.0, pool());  // 2 mm
    const Vec3f p = {0.06f, 0.01f, -0.005f};
    float last_distance = sample_grid(moving.at(0, 0, pool()), p).distance;
    EXPECT_NEAR(last_distance, norm(p) - 0.05f, 1e-3f);
    for (int k = 0; k < 4; ++k) {
        const DistanceGrid now =
            moving.at(static_cast<float>(k) / 4, static_cast<float>(k + 1) / 4, pool());
        const float distance = sample_grid(now, p).distance;
        EXPECT_NEAR(last_distance - distance, 0.0005f, 5e-5f) << k;
        last_distance = distance;
        EXPECT_LT(norm(sample_moves(now, p) - unit_or(p, {0, 1, 0}) * 0.0005f), 1e-4f) << k;
    }
    moving.advance_to(100, pool());
    const DistanceGrid last = moving.at(0, 1, pool());
    const std::size_t count =
        static_cast<std::size_t>(last.size_x) * static_cast<std::size_t>(last.size_y * last.size_z);
    std::vector<float> before(last.samples, last.samples + count);
    std::uint64_t version = last.version;
    for (int k = 0; k < 3; ++k) {
        moving.advance_to(101 + k, pool());
        const DistanceGrid now = moving.at(0, 1, pool());
        EXPECT_EQ(now.moves, nullptr) << "it has come to rest";
        const std::vector<float> samples(now.samples, now.samples + count);
        EXPECT_TRUE(now.version != version || samples == before)
            << "a device uploads samples only if their version has changed";
        before = samples;
        version = now.version;
    }
    EXPECT_EQ(moving.at(0, 1, pool()).version, version) << "at rest nothing is uploaded";
}

TEST(deforming_body, simulation_that_starts_later_has_the_shape_of_that_time) {
    const Mesh ball = sphere_mesh({0, 0, 0}, 0.05f, 24);
    const auto shapes = growing(ball, 0.05f, 0.006f, 8);
    const auto line = straight_line({0.2f, 0, 0}, {0, -1, 0}, 0.1f, 8);
    const int long_after = 600;
    Simulation simulation(strands_of({line}), bare_settings(), world_of(ball, shapes, 0.2f), 1,
                          LaneKind::automatic, long_after);
    simulation.step(pool());
    const DistanceGrid grid = simulation.colliders()[0].grid;
    EXPECT_EQ(grid.moves, nullptr) << "it has been at rest for long";
    EXPECT_NEAR(sample_grid(grid, Vec3f{0.1f, 0, 0}).distance, 0.1f - 0.092f, 1e-3f);
}

// Strands hang around a ball that expands.
TEST_P(EveryModel, expanding_ball_pushes_strands_out) {
    for (const float speed : first_if_sanitized<float>({1.0f, 0.4f})) {
        const Mesh ball = sphere_mesh({0, 0, 0}, 0.05f, 24);
        const float fps = 60;
        const int frames = static_cast<int>(0.1f / speed * fps) + 2;
        const auto shapes = shapes_of(
            ball, frames,
            [&](Vec3f p, int frame) {
                const float grown = min(speed * static_cast<float>(frame) / fps, 0.1f);
                return unit_or(p, {0, 1, 0}) * (0.05f + grown);
            },
            fps);
        SimSettings held = settings();
        held.hold_roots = true;
        held.clamp_root = false;
        held.gravity = {0, -9.81f, 0};
        held.damping = 1;
        std::vector<std::vector<Vec3f>> lines;
        for (int k = 0; k < 16; ++k) {
            const SinCos<float> turn = sin_cos(2 * kPi * static_cast<float>(k) / 16);
            const Vec3f root = {0.06f * turn.cos, 0.16f, 0.06f * turn.sin};
            lines.push_back(straight_line(root, {0, -1, 0}, 0.3f, 24));
        }
        Simulation simulation(strands_of(lines), held, world_of(ball, shapes, 0.2f), 1);
        double deepest = 0;
        for (int k = 0; k < 40; ++k) {
            simulation.step(pool());
            deepest = std::max(deepest, simulation.measure(pool()).max_penetration);
        }
        EXPECT_TRUE(all_finite(simulation.state()));
        EXPECT_LT(deepest, 0.005) << speed;
        EXPECT_LT(simulation.measure(pool()).max_penetration, 1e-4) << "no vertex is left inside";
        for (int s = 0; s < 16; ++s)  // still on the same side
            EXPECT_GT(dot(simulation.state().x.vec3(s, 12), lines[static_cast<std::size_t>(s)][0]),
                      0)
                << s;
    }
}

// A ball that deforms by rotating about y drags a strand on it along, at most at its own speed.
TEST_P(EveryModel, sliding_surface_drags_strands_along) {
    const Mesh ball = sphere_mesh({0, 0, 0}, 0.1f, 24);
    const auto shapes = shapes_of(ball, 40, [](Vec3f p, int frame) {
        const SinCos<float> turn = sin_cos(0.1f * static_cast<float>(frame));
        return Vec3f{turn.cos * p.x + turn.sin * p.z, p.y, turn.cos * p.z - turn.sin * p.x};
    });
    SimSettings free = settings();
    free.gravity = {0, -9.81f, 0};
    free.substeps = 4;
    // Horizontal, across the top and off the axis, so that it moves around the axis.
    const auto line = straight_line({0.02f, 0.1f, -0.02f}, {0, 0, 1}, 0.04f, 9);
    Simulation simulation(strands_of({line}), free, world_of(ball, shapes, 1), 1);
    run(simulation, 0.25);
    Vec3f mean{0, 0, 0};
    for (int i = 0; i < 9; ++i) mean += simulation.state().v.vec3(0, i) * (1.0f / 9);
    // 2 rad/s at 2 cm, towards -z.
    EXPECT_LT(mean.z, -0.4f * 0.04f);
    EXPECT_GT(mean.z, -1.5f * 0.04f);
}

}  // namespace
}  // namespace ringlet
