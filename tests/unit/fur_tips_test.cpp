// The motion of tips: the assignment's update up to rounding, the stable integrator at any step and
// stiffness, and the same bits on all lane kinds.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "fur/coat.h"
#include "math/noise.h"
#include "unit/sphere_mesh.h"

namespace ringlet {
namespace {

using Doubles = std::array<double, 3>;

Doubles to_doubles(Vec3f a) { return {double{a.x}, double{a.y}, double{a.z}}; }

double length_of(Doubles a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

Pelt ball_pelt() {
    Result<Pelt> pelt = make_pelt(sphere_mesh({0, 0, 0}, 1, 12), "");
    EXPECT_TRUE(pelt);
    return *pelt;
}

// A mesh pose that hops and turns slowly enough for the assignment's method.
Rigidf dance(double time) {
    const float t = static_cast<float>(time);
    return {quat_from_axis_angle(Vec3f{0, 1, 0}, 0.4f * sin_cos(0.7f * t).sin),
            {0.1f * sin_cos(t).sin, 0.05f * sin_cos(1.3f * t).sin, 0}};
}

FurSettings assignment() {
    FurSettings settings;
    settings.style = FurStyle::original;
    settings.unit = 1;
    return settings;
}

// The assignment's four steps for one vertex, implemented from its text in double.
struct Reference {
    Doubles t, v{0, 0, 0};

    void step(Doubles p, Doubles n, const FurSettings& s) {
        const double big_t = double{s.dt}, h = double{s.length};
        Doubles f, moved;
        for (std::size_t k = 0; k < 3; ++k) {
            const double rest = p[k] + h * n[k];
            f[k] = (k == 1 ? -double{s.gravity} : 0) + double{s.stiffness} * (rest - t[k]);
            t[k] += big_t * v[k];
            moved[k] = t[k] - p[k];
        }
        const double stretch = length_of(moved);
        for (std::size_t k = 0; k < 3; ++k) {
            t[k] = p[k] + h * moved[k] / stretch;
            v[k] = (v[k] + big_t * f[k]) * double{s.damping};
        }
    }
};

TEST(fur_tips, original_equals_the_assignment_up_to_rounding_over_a_thousand_steps) {
    const Pelt pelt = ball_pelt();
    const FurSettings settings = assignment();
    FurCoat coat(pelt, settings, dance(0));
    const TaskPool pool(1);
    std::vector<Reference> reference;
    for (int i = 0; i < coat.vertex_count(); ++i) reference.push_back({to_doubles(coat.tip(i))});
    double most = 0;
    for (int frame = 0; frame < 100; ++frame) {
        std::vector<FurCoat::StepInput> steps;
        for (int k = 1; k <= 10; ++k) steps.push_back({dance((frame * 10 + k) * 0.02)});
        coat.advance(steps, {}, pool);
        for (int i = 0; i < coat.vertex_count(); ++i) {
            const auto at = static_cast<std::size_t>(i);
            for (const FurCoat::StepInput& step : steps)
                reference[at].step(to_doubles(apply(step.body, pelt.positions[at])),
                                   to_doubles(rotate(step.body.rotation, pelt.normals[at])),
                                   settings);
            const Doubles now = to_doubles(coat.tip(i)), v = to_doubles(coat.velocity(i));
            for (std::size_t k = 0; k < 3; ++k) {
                most = std::max(most, std::abs(now[k] - reference[at].t[k]));
                most = std::max(most, std::abs(v[k] - reference[at].v[k]));
            }
        }
    }
    // Floats near 1 are 6e-8 apart; the update damps rounding errors.
    EXPECT_LT(most, 5e-6);
    RecordProperty("largest_difference", std::to_string(most));
}

TEST(fur_tips, a_tip_lags_behind_a_moving_mesh_and_returns) {
    for (const FurStyle style : {FurStyle::original, FurStyle::shells}) {
        const Pelt pelt = ball_pelt();
        FurSettings settings = assignment();
        settings.style = style;
        settings.gravity = 0;
        FurCoat coat(pelt, settings, {});
        const TaskPool pool(1);
        int top = 0;
        for (int i = 0; i < coat.vertex_count(); ++i)
            if (coat.tip(i).y > coat.tip(top).y) top = i;
        const Rigidf aside{{0, 0, 0, 1}, {0.1f, 0, 0}};
        const std::vector<FurCoat::StepInput> one(1, {aside}), many(10, {aside});
        coat.advance(one, {}, pool);
        EXPECT_LT(coat.tip(top).x, 0.03f);
        for (int k = 0; k < 200; ++k) coat.advance(many, {}, pool);
        EXPECT_NEAR(coat.tip(top).x, 0.1f, 1e-3f);
    }
}

TEST(fur_tips, original_is_unstable_at_a_large_step_and_is_repaired) {
    const Pelt pelt = ball_pelt();
    FurSettings settings = assignment();
    settings.dt = 1;
    settings.stiffness = 400;
    settings.damping = 1;
    FurCoat coat(pelt, settings, {});
    const TaskPool pool(1);
    int repaired = 0;
    float fastest = 0;
    for (int frame = 0; frame < 100; ++frame) {
        coat.advance(std::vector<FurCoat::StepInput>(10, {dance(frame)}), {}, pool);
        repaired += coat.repaired_count();
        for (int i = 0; i < coat.vertex_count(); ++i) {
            EXPECT_TRUE(std::isfinite(coat.tip(i).x + coat.velocity(i).x));
            fastest = max(fastest, norm(coat.velocity(i)));
        }
    }
    EXPECT_TRUE(repaired > 0 || fastest > 100) << fastest;
}

// Distance of tips from their equilibrium, in lengths, after five seconds of fur time.
double unrest(float dt, float stiffness) {
    const Pelt pelt = ball_pelt();
    FurSettings settings = assignment();
    settings.style = FurStyle::shells;
    settings.dt = dt;
    settings.stiffness = stiffness;
    const TaskPool pool(1);
    const Rigidf tilted{quat_from_axis_angle(Vec3f{0.6f, 0, 0.8f}, 0.9f), {0, 0, 0}};
    FurCoat coat(pelt, settings, tilted);
    const auto steps = static_cast<std::size_t>(std::lround(5 / dt));
    coat.advance(std::vector<FurCoat::StepInput>(steps, FurCoat::StepInput{}), {}, pool);
    double most = 0;
    for (int i = 0; i < coat.vertex_count(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Vec3f n = pelt.normals[at];
        const Vec3f e =
            unit_or(n * stiffness + Vec3f{0, -settings.gravity / settings.length, 0}, n);
        const Vec3f rest = pelt.positions[at] + e * settings.length;
        most = std::max(most, double{norm(coat.tip(i) - rest)} / double{settings.length});
        most = std::max(
            most, double{norm(coat.velocity(i))} / double{settings.length * std::sqrt(stiffness)});
    }
    return most;
}

TEST(fur_tips, shells_are_at_rest_within_five_seconds_at_any_step_and_stiffness) {
    for (const float stiffness : {4.0f, 40.0f, 400.0f, 4000.0f, 40000.0f})
        for (const float dt : {0.001f, 0.005f, 0.02f, 0.1f, 0.25f, 1.0f})
            EXPECT_LT(unrest(dt, stiffness), 0.025) << dt << " s, " << stiffness;
}

TEST(fur_tips, shells_move_alike_at_any_step) {
    // In a constant field the flow of a step is exact.
    const Pelt pelt = ball_pelt();
    FurSettings settings = assignment();
    settings.style = FurStyle::shells;
    const TaskPool pool(1);
    const Rigidf tilted{quat_from_axis_angle(Vec3f{0, 0, 1}, 0.08f), {0, 0, 0}};
    settings.dt = 0.8f;
    FurCoat coarse(pelt, settings, tilted);
    coarse.advance(std::vector<FurCoat::StepInput>(1), {}, pool);
    settings.dt = 0.01f;
    FurCoat fine(pelt, settings, tilted);
    fine.advance(std::vector<FurCoat::StepInput>(80), {}, pool);
    double moved = 0;
    for (int i = 0; i < coarse.vertex_count(); ++i) {
        EXPECT_LT(norm(coarse.tip(i) - fine.tip(i)), 2e-4f);
        moved = std::max(
            moved,
            double{norm(fine.tip(i) -
                        apply(tilted, pelt.positions[static_cast<std::size_t>(i)] * 1.21f))});
    }
    EXPECT_GT(moved, 0.02);
}

TEST(fur_tips, shells_stay_finite_under_extreme_motion) {
    const Pelt pelt = ball_pelt();
    for (const float stiffness : {0.0f, 1e6f})
        for (const float dt : {1e-5f, 10.0f}) {
            FurSettings settings = assignment();
            settings.style = FurStyle::shells;
            settings.stiffness = stiffness;
            settings.dt = dt;
            FurCoat coat(pelt, settings, {});
            const TaskPool pool(1);
            for (std::uint32_t frame = 0; frame < 30; ++frame) {
                const Vec3f axis =
                    unit_or(Vec3f{counter_signed(1, frame, 0), counter_signed(1, frame, 1),
                                  counter_signed(1, frame, 2)},
                            Vec3f{1, 0, 0});
                const Rigidf thrown{quat_from_axis_angle(axis, 3.0f), axis * 5.0f};
                coat.advance(std::vector<FurCoat::StepInput>(3, {thrown}), {}, pool);
                EXPECT_EQ(coat.repaired_count(), 0);
                EXPECT_LT(coat.max_stretch(), 1e-3);
                for (int i = 0; i < coat.vertex_count(); ++i) {
                    const auto at = static_cast<std::size_t>(i);
                    const Vec3f out = coat.tip(i) - apply(thrown, pelt.positions[at]);
                    EXPECT_GT(dot(out, rotate(thrown.rotation, pelt.normals[at])),
                              0.2f * settings.length * 0.99f);
                }
            }
        }
}

TEST(fur_tips, shells_stay_out_of_colliders_and_lean_with_the_wind) {
    const Pelt pelt = ball_pelt();
    FurSettings settings = assignment();
    settings.style = FurStyle::shells;
    settings.gravity = 0;
    settings.wind = 1;
    FurCoat coat(pelt, settings, {});
    const TaskPool pool(1);
    Collider wall;
    wall.shape = ColliderShape::plane;
    wall.centre = {1.05f, 0, 0};
    wall.normal = {-1, 0, 0};
    const std::vector<PlacedCollider> placed{place(wall, {}, {})};
    const std::vector<FurCoat::StepInput> steps(10, {{}, {0, 0, 0.5f}});
    for (int k = 0; k < 100; ++k) coat.advance(steps, placed, pool);
    double leaning = 0;
    for (int i = 0; i < coat.vertex_count(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Vec3f p = pelt.positions[at], u = (coat.tip(i) - p) * (1 / settings.length);
        const float reach = settings.length * arc_chord(dot(u, pelt.normals[at]));
        EXPECT_LT(p.x + u.x * reach, 1.05f + 0.01f);
        leaning += double{coat.tip(i).z - (p.z + pelt.normals[at].z * settings.length)};
    }
    EXPECT_GT(leaning / coat.vertex_count(), 0.02);
}

// Two triangles that face up, at a distance `apart` along z.
Pelt two_patches(float apart) {
    Mesh mesh;
    for (const float z : {0.0f, apart})
        for (const Vec3f p : {Vec3f{0, 0, z}, Vec3f{0, 0, z + 1e-3f}, Vec3f{1e-3f, 0, z}}) {
            mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
            mesh.positions.push_back(p);
        }
    return *make_pelt(mesh, "");
}

FurSettings in_the_wind() {
    FurSettings settings = assignment();
    settings.style = FurStyle::shells;
    settings.length = 0.02f;
    settings.gravity = 0;
    settings.wind = 0.05f;
    return settings;
}

TEST(fur_tips, turbulence_moves_tips_differently_and_a_steady_wind_moves_them_alike) {
    constexpr float kSize = 0.3f;
    const AirWave wave{{0, 0, 1 / kSize}, 0.1f, {1, 0, 0}};
    const Pelt pelt = two_patches(kSize / 2);
    const std::vector<FurCoat::StepInput> steps(4, {{}, {0.2f, 0, 0}});
    const TaskPool pool(1);
    const auto lean = [](const FurCoat& coat, int vertex) {
        return coat.tip(vertex).x / coat.length();
    };
    FurCoat steady(pelt, in_the_wind(), {}), gusty(pelt, in_the_wind(), {});
    for (int k = 0; k < 100; ++k) {
        steady.advance(steps, {}, pool);
        gusty.advance(steps, {}, {.waves = {&wave, 1}}, pool);
    }
    // The first vertex of each triangle is its closest to z = 0.
    EXPECT_GT(lean(steady, 0), 0.05f);
    EXPECT_NEAR(lean(steady, 0), lean(steady, 3), 1e-6f);
    EXPECT_GT(lean(gusty, 0), lean(steady, 0) + 0.1f);
    EXPECT_LT(lean(gusty, 3), lean(steady, 3) - 0.1f);
}

TEST(fur_tips, air_without_waves_and_shelter_changes_no_bit) {
    const Pelt pelt = ball_pelt();
    const TaskPool pool(1);
    FurCoat with(pelt, in_the_wind(), {}), without(pelt, in_the_wind(), {});
    for (int k = 0; k < 20; ++k) {
        const std::vector<FurCoat::StepInput> steps(4, {dance(0.1 * k), {0.3f, 0, 0.1f}});
        with.advance(steps, {}, FurCoat::Air{}, pool);
        without.advance(steps, {}, pool);
    }
    Hash a, b;
    with.add_to(a);
    without.add_to(b);
    EXPECT_EQ(a.hex(), b.hex());
}

TEST(fur_tips, a_tip_that_lies_down_is_sheltered) {
    const Pelt pelt = two_patches(1);
    const TaskPool pool(1);
    FurSettings settings = in_the_wind();
    settings.max_bend = 85;
    const auto angle_under = [&](float speed, float shelter) {
        FurCoat coat(pelt, settings, {});
        const std::vector<FurCoat::StepInput> steps(4, {{}, {speed, 0, 0}});
        for (int k = 0; k < 200; ++k) coat.advance(steps, {}, {.shelter = shelter}, pool);
        return std::atan2(coat.tip(0).x, coat.tip(0).y);
    };
    // An upright tip feels the full wind; a bent one is sheltered and bends less.
    EXPECT_NEAR(angle_under(0.1f, 1), angle_under(0.1f, 0), 0.02f * angle_under(0.1f, 0));
    EXPECT_GT(angle_under(8, 0), 1.3f);
    EXPECT_LT(angle_under(8, 1), 1.2f);
}

TEST(fur_tips, same_bits_on_any_lanes_and_threads) {
    const Pelt pelt = ball_pelt();
    for (const FurStyle style : {FurStyle::original, FurStyle::shells}) {
        std::string first;
        for (const LaneKind lanes :
             {LaneKind::scalar, LaneKind::wide8, LaneKind::avx2, LaneKind::avx512})
            for (const int threads : {1, 3}) {
                FurSettings settings = assignment();
                settings.style = style;
                FurCoat coat(pelt, settings, {}, lanes);
                const TaskPool pool(threads);
                const AirWave wave{{0.4f, 0, 1}, 0.1f, {0, 1, 0}};
                for (int frame = 0; frame < 20; ++frame)
                    coat.advance(std::vector<FurCoat::StepInput>(7, {dance(0.1 * frame)}), {},
                                 {.waves = {&wave, 1}, .shelter = 0.5f}, pool);
                Hash hash;
                coat.add_to(hash);
                if (first.empty()) first = hash.hex();
                EXPECT_EQ(hash.hex(), first);
            }
    }
}

}  // namespace
}  // namespace ringlet
