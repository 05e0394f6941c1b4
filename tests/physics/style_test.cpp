// sim.keep_style: a groom that combs over a head and falls keeps its style on a still head with
// every model, yet moves in wind and with the head; and a groom that starts partly inside a body is
// moved out of it without being thrown.
#include "sim/body_clearance.h"

#include "collide/mesh_body.h"
#include "physics/every_model.h"
#include "test_level.h"
#include "unit/sphere_mesh.h"

namespace ringlet::lab {
namespace {

constexpr float kHeadRadius = 0.1f;

// A straight style: strands leave the upper half of the head along its normal, bend over it and
// fall. Without `lift` they bend at once and pass through the head.
StrandSet straight_style(float length, int vertices, float lift = 0.004f) {
    const float bend = lift > 0 ? 0.03f : 0.006f;  // m
    std::vector<std::vector<Vec3f>> lines;
    for (int k = 0; k < 60; ++k) {
        const float y = 0.95f - 0.9f * static_cast<float>(k) / 60, across = sqrt(1 - y * y);
        const SinCos<float> turn = sin_cos(2.39996f * static_cast<float>(k));  // golden angle
        const Vec3f normal{across * turn.cos, y, across * turn.sin};
        Vec3f x = normal * kHeadRadius, d = unit_or(normal + Vec3f{0, 0, 0.4f}, normal);
        std::vector<Vec3f> line{x};
        const int fine = 16;  // steps per segment, so that the style does not depend on vertices
        const float l = length / static_cast<float>(fine * (vertices - 1));
        for (int i = 1; i <= fine * (vertices - 1); ++i) {
            d = unit_or(d + Vec3f{0, -l / bend, 0}, d);
            x += d * l;
            const float from_root = l * static_cast<float>(i);
            const float least = kHeadRadius + min(lift, 0.5f * from_root);
            if (lift > 0 && norm(x) < least) {
                x = x * (least / norm(x));
                d = unit_or(d - x * (dot(d, x) / dot(x, x)), d);
            }
            if (i % fine == 0) line.push_back(x);
        }
        lines.push_back(std::move(line));
    }
    return strands_of(lines);
}

World ball_world() {
    World world;
    world.colliders.emplace_back();
    world.colliders[0].radius = kHeadRadius;
    return world;
}

double mean_distance(const Channel<3>& a, const Channel<3>& b) {
    double sum = 0, count = 0;
    for (int s = 0; s < a.layout().strand_count(); ++s)
        for (int i = 0; i < a.layout().vertex_count(s); ++i, ++count)
            sum += static_cast<double>(norm(a.vec3(s, i) - b.vec3(s, i)));
    return sum / count;
}

float largest_speed(const SimState& state) {
    float out = 0;
    for (const Vec3f v : unpack(state.v)) out = max(out, norm(v));
    return out;
}

class Style : public EveryModel {
protected:
    static SimSettings settings() {
        SimSettings out;
        out.model = GetParam();
        out.substeps = name() == "rod" ? 2 : 8;
        out.keep_style = KeepStyle::always;
        return out;
    }
    // The mean distance (m) between the groom and the state after `seconds`.
    static double drift(const StrandSet& groom, const SimSettings& with, const World& world,
                        double seconds = kSanitized ? 0.4 : 2) {
        Simulation simulation(groom, with, world, 1);
        run(simulation, seconds);
        return mean_distance(groom.position, simulation.state().x);
    }
};

TEST_P(Style, stays_on_a_still_head) {
    for (const float length : first_if_sanitized<float>({0.3f, 0.1f, 0.6f}))
        for (const int vertices : first_if_sanitized<int>({16, 8, 32})) {
            const double drifted =
                drift(straight_style(length, vertices), settings(), ball_world());
            EXPECT_LT(drifted, 0.002) << length << " m, " << vertices << " vertices";
            RecordProperty("mm_" + std::to_string(vertices) + "_" + std::to_string(length),
                           std::to_string(1e3 * drifted));
        }
}

TEST_P(Style, stays_with_hair_hair_coupling) {
    SimSettings with = settings();
    with.hair_hair.friction = 5;
    with.hair_hair.volume = 2;
    with.hair_hair.cell = 0.02f;
    EXPECT_LT(drift(straight_style(0.3f, 16), with, ball_world()), 0.002);
    with.hair_hair.repulsion_per_step = 5e-5f;
    with.hair_hair.friction_per_step = 0.1f;
    EXPECT_LT(drift(straight_style(0.3f, 16), with, ball_world()), 0.002);
}

TEST_P(Style, stays_on_a_mesh_collider) {
    World world = ball_world();
    world.colliders[0].shape = ColliderShape::mesh;
    world.colliders[0].body =
        *MeshBody::make(sphere_mesh({0, 0, 0}, kHeadRadius, 32), MeshBodySettings{}, pool());
    EXPECT_LT(drift(straight_style(0.3f, 16), settings(), world), 0.002);
}

TEST_P(Style, moves_in_wind) {
    World world = ball_world();
    world.wind.velocity = {4, 0, 0};
    EXPECT_GT(drift(straight_style(0.3f, 16), settings(), world, 1), 0.0025);
}

TEST_P(Style, moves_when_the_head_turns_and_comes_back) {
    const StrandSet groom = straight_style(0.3f, 16);
    Simulation simulation(groom, settings(), ball_world(), 1);
    const SinCos<float> half = sin_cos(0.25f * kPi);
    const Quatf quarter{0, half.sin, 0, half.cos};
    for (int k = 1; k <= 20; ++k) {
        const SinCos<float> now = sin_cos(0.25f * kPi * static_cast<float>(k) / 20);
        simulation.set_head_offset({{0, now.sin, 0, now.cos}, {0, 0, 0}});
        simulation.step(pool());
    }
    const auto mean_lag = [&] {
        double sum = 0;
        const Channel<3>& x = simulation.state().x;
        for (int s = 0; s < groom.strand_count(); ++s)
            sum += static_cast<double>(
                norm(x.vec3(s, 15) - rotate(quarter, groom.position.vec3(s, 15))));
        return sum / groom.strand_count();
    };
    const double at_once = mean_lag();
    EXPECT_GT(at_once, 0.005) << "the tips follow later";
    run(simulation, 6);
    EXPECT_LT(mean_lag(), 0.3 * at_once) << "the style comes back";
}

TEST_P(Style, sags_when_the_head_tilts) {
    const StrandSet groom = straight_style(0.3f, 16);
    Simulation simulation(groom, settings(), ball_world(), 1);
    for (int k = 1; k <= 60; ++k) {
        const SinCos<float> half = sin_cos(0.25f * kPi * static_cast<float>(k) / 60);
        simulation.set_head_offset({{half.sin, 0, 0, half.cos}, {0, 0, 0}});
        simulation.step(pool());
    }
    run(simulation, 3);
    double sum = 0;
    const Quatf turn = simulation.head_pose().rotation;
    for (int s = 0; s < groom.strand_count(); ++s)
        sum += static_cast<double>(rotate(turn, groom.position.vec3(s, 15)).y -
                                   simulation.state().x.vec3(s, 15).y);
    EXPECT_GT(sum / groom.strand_count(), 0.01) << "the tips hang lower than the groom";
}

TEST_P(Style, a_groom_that_starts_inside_a_body_is_not_thrown) {
    StrandSet groom = straight_style(0.3f, 16, 0);
    const World world = ball_world();
    const std::vector<PlacedCollider> bodies{place(world.colliders[0], {}, {})};
    const Channel<3> before = groom.position;
    const int moved = move_out_of_bodies(groom, {}, bodies, {0.002f, 0.001f}, pool());
    EXPECT_GT(moved, 10);
    EXPECT_LT(moved, 60) << "strands outside stay as they are";
    for (int s = 0; s < groom.strand_count(); ++s)
        for (int i = 0; i < 16; ++i) {
            const Vec3f x = groom.position.vec3(s, i);
            EXPECT_GT(norm(x), kHeadRadius - 0.0021f) << s << " " << i;
            if (i == 0) continue;
            const float groomed = norm(before.vec3(s, i) - before.vec3(s, i - 1));
            EXPECT_NEAR(norm(x - groom.position.vec3(s, i - 1)) / groomed, 1, 1e-4);
        }
    Simulation simulation(groom, settings(), world, 1);
    float fastest = 0;
    int limited = 0;
    for (int k = 0; k < 60; ++k) {
        simulation.step(pool());
        fastest = max(fastest, largest_speed(simulation.state()));
        limited += simulation.collect_strain_limited();
    }
    EXPECT_LT(fastest, 0.2f);
    EXPECT_EQ(limited, 0);
    EXPECT_LT(mean_distance(groom.position, simulation.state().x), 0.002);
}

INSTANTIATE_TEST_SUITE_P(every_model, Style,
                         ::testing::Range(0, static_cast<int>(std::ssize(all_models()))),
                         model_name);

}  // namespace
}  // namespace ringlet::lab
