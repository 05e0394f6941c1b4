// Contact with mesh bodies for every model, and penalty contact.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "collide/mesh_body.h"
#include "sim/models/registry.h"
#include "test_level.h"
#include "test_paths.h"
#include "unit/box_mesh.h"
#include "unit/sphere_mesh.h"
#include "validate/lab.h"

namespace ringlet {
namespace {

using namespace lab;

SimSettings loose_settings(int model) {
    SimSettings out;
    out.model = model;
    out.hold_roots = false;
    out.damping = 0;
    out.substeps = model == model_named("rod") ? 2 : 8;
    return out;
}

Collider mesh_collider(Mesh mesh, MeshBodySettings settings = {}) {
    Result<std::shared_ptr<const MeshBody>> made =
        MeshBody::make(std::move(mesh), settings, pool());
    EXPECT_TRUE(made) << (made ? "" : made.error().text());
    Collider out;
    out.shape = ColliderShape::mesh;
    out.friction = 0.5f;
    if (made) out.body = *made;
    return out;
}

// Positions and triangles only, which is all a body needs.
Mesh bust() {
    std::ifstream in(std::string(kSourceFolder) + "/scenes/assets/bust.obj");
    Mesh mesh;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "v") {
            Vec3f p{};
            words >> p.x >> p.y >> p.z;
            mesh.positions.push_back(p);
        } else if (kind == "f") {
            std::vector<std::uint32_t> corners;
            for (std::string corner; words >> corner;)
                corners.push_back(static_cast<std::uint32_t>(std::stoul(corner)) - 1);
            for (std::size_t k = 2; k < corners.size(); ++k) {
                mesh.indices.insert(mesh.indices.end(), {corners[0], corners[k - 1], corners[k]});
                mesh.triangle_material.push_back(-1);
                mesh.triangle_group.push_back(-1);
            }
        }
    }
    mesh.uvs.resize(mesh.positions.size());
    compute_smooth_normals(mesh);
    return mesh;
}

const Collider& bust_collider() {
    static const Collider collider = mesh_collider(bust());
    return collider;
}

// Sixty strands over the head and shoulders, thrown down.
std::vector<std::vector<Vec3f>> thrown_strands() {
    std::vector<std::vector<Vec3f>> lines;
    for (std::uint32_t s = 0; s < 60; ++s) {
        const SinCos<float> turn = sin_cos(3.1f * counter_signed(1, s, 0));
        const Vec3f along{turn.sin, 0, turn.cos};
        const Vec3f middle{0.15f * counter_signed(1, s, 1), 0.62f,
                           -0.03f + 0.04f * counter_signed(1, s, 2)};
        lines.push_back(straight_line(middle - along * 0.15f, along, 0.3f, 33));
    }
    return lines;
}

struct Outcome {
    double deepest = 0, stretch = 0;
    double depth_at_end = 0;
    int touching = 0;  // the largest number of vertices within 5 mm of a body
    bool finite = false;
};

Outcome run_watched(Simulation& simulation, double seconds) {
    Outcome out;
    const int steps =
        static_cast<int>(std::lround(seconds / static_cast<double>(simulation.settings().dt)));
    for (int k = 0; k < steps; ++k) {
        simulation.step(pool());
        const Measurement now = simulation.measure(pool());
        out.deepest = std::max(out.deepest, now.max_penetration);
        out.depth_at_end = now.max_penetration;
        out.stretch = std::max(out.stretch, now.max_stretch);
        int touching = 0;
        for (const Vec3f& x : unpack(simulation.state().x))
            for (const PlacedCollider& body : simulation.colliders())
                touching += nearest_surface(body, x).distance < 0.005f;
        out.touching = std::max(out.touching, touching);
    }
    out.finite = all_finite(simulation.state());
    return out;
}

// A strand falls 42 mm in a substep of the rod, onto contacts that are soft at first. 19 of 23,760
// vertex positions are more than 3 mm deep, the deepest 8.9 mm; with sim.rod.integrator =
// backward_euler 13 and 5.3 mm. With 4 substeps the deepest are 1.3 mm and 3.0 mm, with 8 substeps
// 4.4 mm (a single position) and 1.1 mm. No vertex is inside the bust at the end.
TEST(mesh_contact, no_strand_tunnels_the_bust_at_5_metres_a_second) {
    const struct {
        const char* model;
        double deepest, stretch;
    } table[] = {{"rod", 0.01, 0.03}, {"pbd", 0.006, 0.01}};
    for (const auto& want : table) {
        SCOPED_TRACE(want.model);
        World world;
        world.colliders.push_back(bust_collider());
        Simulation simulation(strands_of(thrown_strands()), loose_settings(model_named(want.model)),
                              world, 1);
        kick(simulation.state(), 0, {0, -5, 0});
        const Outcome got = run_watched(simulation, 0.2);
        EXPECT_TRUE(got.finite);
        EXPECT_GT(got.touching, 100);
        EXPECT_LT(got.deepest, want.deepest);
        EXPECT_LE(got.depth_at_end, 0);
        EXPECT_LT(got.stretch, want.stretch);
        RecordProperty(std::string(want.model) + "_mm", std::to_string(1e3 * got.deepest));
        RecordProperty(std::string(want.model) + "_stretch", std::to_string(got.stretch));
    }
}

TEST(mesh_contact, no_model_enters_a_ball_of_triangles) {
    RINGLET_TEST_FROM(full);
    for (int model = 0; model < std::ssize(all_models()); ++model) {
        SCOPED_TRACE(all_models()[static_cast<std::size_t>(model)].name);
        World world;
        world.colliders.push_back(
            mesh_collider(sphere_mesh({0, 0, 0}, 0.1f, 48), {.cell = 0.005f}));
        Simulation simulation(
            strands_of({straight_line({-0.2f, 0.15f, 0.01f}, {1, 0, 0}, 0.4f, 60)}),
            loose_settings(model), world, 1);
        const Outcome got = run_watched(simulation, 1);
        EXPECT_TRUE(got.finite);
        EXPECT_GT(got.touching, 5);
        EXPECT_LT(got.deepest, 3e-3);
    }
}

TEST(mesh_contact, strand_draped_over_a_ball_of_triangles_rests) {
    SimSettings settings = loose_settings(model_named("rod"));
    settings.damping = 1;
    World world;
    world.colliders.push_back(mesh_collider(sphere_mesh({0, 0, 0}, 0.08f, 64), {.cell = 0.004f}));
    Simulation simulation(strands_of({straight_line({-0.15f, 0.09f, 0.001f}, {1, 0, 0}, 0.3f, 33)}),
                          settings, world, 1);
    run(simulation,
        kSanitized ? 1 : 24);  // the ends swing for a while, because only air damps them
    const std::vector<Vec3f> before = unpack(simulation.state().x);
    double moved = 0;
    for (int k = 0; k < 120; ++k) {
        simulation.step(pool());
        for (int i = 0; i < 33; ++i)
            moved = std::max(moved, static_cast<double>(norm(simulation.state().x.vec3(0, i) -
                                                             before[static_cast<std::size_t>(i)])));
    }
    EXPECT_LT(moved, kSanitized ? 0.3 : 5e-6);
    EXPECT_GT(simulation.state().x.vec3(0, 16).y, 0.08f);
    RecordProperty("moved_um", std::to_string(1e6 * moved));
}

TEST(mesh_contact, strand_falling_on_a_sheet_stays_on_its_side) {
    for (const char* model : {"rod", "pbd"}) {
        SCOPED_TRACE(model);
        World world;
        world.colliders.push_back(mesh_collider(sheet_mesh(0.3f), {.thickness = 0.02f}));
        world.colliders.back().friction = 1;
        Simulation simulation(
            strands_of({straight_line({-0.1f, 0.15f, 0.01f}, {1, 0, 0}, 0.2f, 20)}),
            loose_settings(model_named(model)), world, 1);
        const Outcome got = run_watched(simulation, 1);
        EXPECT_LT(got.deepest, 5e-3);
        for (int i = 0; i < 20; ++i)
            EXPECT_NEAR(simulation.state().x.vec3(0, i).y, 0.011f, 1.5e-3f) << i;
    }
}

TEST(mesh_contact, strand_moves_with_a_mesh_that_moves_and_rotates) {
    for (const char* model : {"rod", "pbd"}) {
        SCOPED_TRACE(model);
        World world;
        world.colliders.push_back(mesh_collider(box_mesh({0.2f, 0.05f, 0.2f}), {.cell = 0.008f}));
        world.colliders.back().friction = 2;
        world.head.pivot = {0, 0, 0};
        world.head.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {2, {0.3f, 0.1f, 0}, {0, 30, 0}}};
        Simulation simulation(
            strands_of({straight_line({0.1f, 0.051f, -0.05f}, {0, 0, 1}, 0.1f, 17)}),
            loose_settings(model_named(model)), world, 1);
        const Vec3f start = simulation.state().x.vec3(0, 8);
        run(simulation, 2);
        const Vec3f wanted = apply(simulation.head_pose(), start);
        EXPECT_LT(norm(simulation.state().x.vec3(0, 8) - wanted), 0.01f);
        EXPECT_GT(norm(wanted - start), 0.2f);
    }
}

TEST(mesh_contact, all_lane_kinds_give_the_same_bits) {
    RINGLET_TEST_FROM(full);
    std::vector<std::vector<Vec3f>> lines;
    for (std::uint32_t s = 0; s < 13; ++s)
        lines.push_back(helix({0.02f * static_cast<float>(s) - 0.13f, 0.16f, 0}, 0.006f, 0.03f,
                              0.2f, 9 + 3 * static_cast<int>(s)));
    World world;
    world.colliders = {mesh_collider(sphere_mesh({0, 0, 0}, 0.1f, 16), {.cell = 0.01f}),
                       {.shape = ColliderShape::ellipsoid,
                        .centre = {0.05f, -0.1f, 0},
                        .radii = {0.1f, 0.05f, 0.08f},
                        .rotate_degrees = {10, 20, 30}}};
    world.head.motion = MotionKind::shake;
    for (int model = 0; model < std::ssize(all_models()); ++model) {
        std::vector<std::vector<Vec3f>> ends;
        for (const LaneKind lanes : {LaneKind::scalar, LaneKind::wide8, LaneKind::automatic}) {
            SimSettings settings = loose_settings(model);
            settings.hold_roots = true;
            Simulation simulation(strands_of(lines), settings, world, 1, lanes);
            run(simulation, kSanitized ? 0.1 : 0.4);
            ends.push_back(unpack(simulation.state().x));
        }
        EXPECT_GT(norm(ends[0][20] - lines[1][11]), 1e-4f);
        for (std::size_t k = 0; k < ends[0].size(); ++k)
            for (std::size_t lane = 1; lane < ends.size(); ++lane)
                ASSERT_TRUE(ends[lane][k].x == ends[0][k].x && ends[lane][k].y == ends[0][k].y &&
                            ends[lane][k].z == ends[0][k].z)
                    << k << " model " << model;
    }
}

// A strand that curls tightly above a ball next to its root: its own constraints pull it in.
TEST(pbd_contact, constraints_do_not_pull_a_strand_into_a_body) {
    SimSettings settings;
    settings.iterations = 5;
    settings.pbd.pairs = {{PairReach::along, 2, 0.9f, 0.8f}, {PairReach::ends, 0, 4, 0.8f}};
    World world;
    world.colliders.push_back({.radius = 0.1f});
    std::vector<std::vector<Vec3f>> lines;
    for (int k = 0; k < 16; ++k) {
        const SinCos<float> turn = sin_cos(0.39f * static_cast<float>(k));
        const Vec3f out{0.7f * turn.cos, 0.714f, 0.7f * turn.sin};
        lines.push_back(straight_line(out * 0.1f, unit_or(out + Vec3f{0.5f, 0, 0}, out), 0.4f, 31));
    }
    Simulation simulation(strands_of(lines), settings, world, 1);
    const Outcome got = run_watched(simulation, 0.5);
    EXPECT_GT(got.touching, 30);
    EXPECT_LT(got.deepest, 2e-3);
    RecordProperty("deepest_mm", std::to_string(1e3 * got.deepest));
}

TEST(penalty, depth_at_rest_follows_from_the_stiffness_for_every_model) {
    for (int model = 0; model < std::ssize(all_models()); ++model) {
        SCOPED_TRACE(all_models()[static_cast<std::size_t>(model)].name);
        const auto depth = [&](float stiffness) {
            SimSettings settings = loose_settings(model);
            settings.substeps = 8;
            settings.damping = 20;
            settings.contact = ContactKind::penalty;
            settings.penalty_stiffness = stiffness;
            World world;
            world.colliders.push_back({.shape = ColliderShape::plane});
            Simulation simulation(strands_of({straight_line({0, 0.01f, 0}, {0, 0, 1}, 0.1f, 10)}),
                                  settings, world, 1);
            run(simulation, 3);
            return static_cast<double>(settings.collision_radius -
                                       simulation.state().x.vec3(0, 5).y);
        };
        // It rests where k depth = g, up to drag.
        EXPECT_NEAR(depth(2e4f) * 2e4 / 9.81, 1, 0.06);
        EXPECT_NEAR(depth(2e3f) * 2e3 / 9.81, 1, 0.06);
    }
}

TEST(penalty, replaces_projection_and_has_no_friction) {
    const auto slid = [](ContactKind contact) {
        SimSettings settings = loose_settings(model_named("pbd"));
        settings.contact = contact;
        World world;
        world.colliders.push_back(
            {.shape = ColliderShape::plane, .normal = {0.1f, 1, 0}, .friction = 1});
        Simulation simulation(strands_of({straight_line({0, 0.001f, 0}, {0, 0, 1}, 0.1f, 10)}),
                              settings, world, 1);
        run(simulation, 1);
        return simulation.state().x.vec3(0, 5).x;
    };
    EXPECT_LT(std::abs(slid(ContactKind::project)), 1e-3f);
    EXPECT_NEAR(slid(ContactKind::penalty), 0.5f * 9.81f * 0.1f / 1.01f, 0.05f);
}

TEST(penalty, never_pushes_farther_than_the_depth) {
    SimSettings settings = loose_settings(model_named("pbd"));
    settings.contact = ContactKind::penalty;
    settings.penalty_stiffness = 1e7f;
    settings.gravity = {0, 0, 0};
    World world;
    world.colliders.push_back({.shape = ColliderShape::plane});
    Simulation simulation(strands_of({{{0, -0.01f, 0}}}), settings, world, 1);
    simulation.step(pool());
    EXPECT_LE(simulation.state().v.vec3(0, 0).y, 0.011f * 480 * 1.001f);
    EXPECT_TRUE(all_finite(simulation.state()));
}

}  // namespace
}  // namespace ringlet
