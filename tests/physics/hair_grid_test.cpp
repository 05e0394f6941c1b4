// Hair-hair coupling: the grid, its effect on velocities, and its memory bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "physics/coupled_hair.h"
#include "sim/models/registry.h"
#include "test_level.h"
#include "validate/lab.h"

namespace ringlet {
namespace {

using namespace lab;

constexpr float kCell = 0.01f;

// Strands of `vertices` vertices along y with random roots in a box of the given sides (m).
StrandSet bundle(int strands, int vertices, Vec3f sides, Vec3f corner = {0, 0, 0}) {
    std::vector<std::vector<Vec3f>> lines;
    for (int s = 0; s < strands; ++s) {
        const auto id = static_cast<std::uint32_t>(s);
        const Vec3f root = corner + Vec3f{counter_uniform(3, id, 0) * sides.x, 0,
                                          counter_uniform(3, id, 1) * sides.z};
        lines.push_back(straight_line(root, {0, 1, 0}, sides.y, vertices));
    }
    return strands_of(lines);
}

SimState state_of(const StrandSet& strands) {
    return {strands.position, Channel<3>(strands.layout)};
}

CoupleUniforms no_effect() {
    CoupleUniforms out{};
    out.kept = 1;
    return out;
}

Vec3d total_momentum(const SimState& state) {
    Vec3d sum;
    for (int s = 0; s < state.x.layout().strand_count(); ++s) sum = sum + linear_momentum(state, s);
    return sum;
}

double mean_speed(const SimState& state) {
    double sum = 0;
    for (const Vec3f& v : unpack(state.v)) sum += norm(wide(v));
    return sum / static_cast<double>(state.v.layout().vertex_total());
}

// A grid to which all vertices have scattered, each filling `volume` cells.
struct Filled {
    HairGrid grid;
    Channel<1> volume, density;
    Filled(const SimState& state, float each = 0.1f, const TaskPool& on = pool())
        : grid(state.x, kCell, on), volume(state.x.layout_ref(), each), density(volume) {
        grid.scatter(state.x, state.v, volume, each, density, on);
    }
};

TEST(hair_grid, weights_sum_to_one_anywhere_in_a_cell) {
    for (std::uint32_t id = 0; id < 2000; ++id) {
        float weights[8];
        corner_weights(
            Vec3f{counter_uniform(1, id, 0), counter_uniform(1, id, 1), counter_uniform(1, id, 2)},
            weights);
        float sum = 0;
        for (const float w : weights) {
            EXPECT_GE(w, 0);
            sum += w;
        }
        EXPECT_NEAR(sum, 1, 2e-7);
    }
}

TEST(hair_grid, vertex_is_spread_over_the_corners_of_its_own_cell) {
    // Negative coordinates and tile boundaries: floor, not truncation.
    const SimState state = state_of(strands_of({{{-0.0025f, 0.0375f, -0.0401f}}}));
    const Filled filled(state);
    EXPECT_NEAR(filled.grid.node_at(-1, 3, -5).mass, 0.25 * 0.25 * 0.01, 1e-5);
    EXPECT_NEAR(filled.grid.node_at(0, 3, -5).mass, 0.75 * 0.25 * 0.01, 1e-5);
    EXPECT_NEAR(filled.grid.node_at(0, 4, -4).mass, 0.75 * 0.75 * 0.99, 1e-5);
    EXPECT_NEAR(filled.grid.node_at(0, 4, -4).density, 0.1 * 0.75 * 0.75 * 0.99, 1e-5);
    EXPECT_EQ(filled.grid.node_at(1, 4, -4).mass, 0);
    float sum = 0;
    for (int n = 0; n < 8; ++n)
        sum += filled.grid.node_at(-1 + (n & 1), 3 + (n >> 1 & 1), -5 + (n >> 2)).mass;
    EXPECT_NEAR(sum, 1, 1e-6);
}

TEST(hair_grid, units_are_as_small_as_the_largest_amount_allows) {
    for (const float largest : {1e-9f, 0.3f, 1.0f, 1.99f, 2.0f, 255.9f}) {
        const float units = largest * units_per_amount(largest);
        EXPECT_LE(units, kMaxUnits) << largest;
        EXPECT_GE(units, kMaxUnits / 2) << largest;
        EXPECT_EQ(from_bits(bits_of(units_per_amount(largest)) >> 23 << 23),
                  units_per_amount(largest));
    }
    // Without motion any power of two is valid.
    EXPECT_GT(units_per_amount(0), 1);
}

TEST(hair_grid, node_sums_hold_more_vertices_than_a_local_tile) {
    // All in one cell at the largest speed, and so close to a node that it gets nearly everything.
    // One thread scatters a quarter of them at a time.
    constexpr int kStrands = 12 * kMaxScattered;
    const std::vector<std::vector<Vec3f>> lines(kStrands, {{0.0200001f, 0.0200001f, 0.0200001f}});
    SimState state = state_of(strands_of(lines));
    for (int s = 0; s < kStrands; ++s) state.v.set_vec3(s, 0, {250, -250, 250});
    const Filled filled(state, 8, TaskPool(1));
    const HairGrid::Node node = filled.grid.node_at(2, 2, 2);
    EXPECT_NEAR(node.mass, kStrands, 0.2);
    EXPECT_NEAR(node.momentum.x, 250 * node.mass, 0.2);
    EXPECT_NEAR(node.momentum.y, -250 * node.mass, 0.2);
    EXPECT_NEAR(node.density, 8 * node.mass, 0.01);
}

TEST(hair_grid, result_does_not_depend_on_tile_boundaries) {
    // Cells and positions that floats represent exactly, so that hair moved by whole cells must
    // give the same bits, inside a tile or across its faces.
    constexpr float kExactCell = 1.0f / 128, kExactPlace = 1.0f / 65536;
    constexpr int kStrands = 400;
    CoupleUniforms uniforms = no_effect();
    uniforms.kept = 0.9f;
    uniforms.friction = 0.1f;
    uniforms.repulsion = 1;
    uniforms.plain_repulsion = 0.01f;
    uniforms.pressure = uniforms.most_push = 1;
    const auto mixed_at = [&](Vec3f shift) {
        std::vector<std::vector<Vec3f>> lines;
        for (std::uint32_t id = 0; id < kStrands; ++id) {
            const auto place = [&](std::uint32_t axis) {
                return static_cast<float>(truncate(counter_signed(7, id, axis) * 2000)) *
                       kExactPlace;
            };
            lines.push_back({Vec3f{place(0), place(1), place(2)} + shift});
        }
        SimState state = state_of(strands_of(lines));
        for (int s = 0; s < kStrands; ++s)
            state.v.set_vec3(s, 0, {counter_signed(8, static_cast<std::uint32_t>(s), 0), 0, 1});
        HairGrid grid(state.x, kExactCell, pool());
        const Channel<1> volume(state.x.layout_ref(), 0.5f);
        Channel<1> density(state.x.layout_ref());
        grid.scatter(state.x, state.v, volume, 0.5f, density, pool());
        grid.couple(uniforms, state.x, state.v, density, pool());
        return unpack(state.v);
    };
    const std::vector<Vec3f> here = mixed_at({0, 0, 0});
    for (int axis = 0; axis < 3; ++axis)
        for (int cells = 1; cells < kTileSide; ++cells) {
            const float by = static_cast<float>(cells) * kExactCell;
            const std::vector<Vec3f> there =
                mixed_at({axis == 0 ? by : 0, axis == 1 ? by : 0, axis == 2 ? by : 0});
            for (std::size_t s = 0; s < here.size(); ++s)
                EXPECT_EQ(norm(here[s] - there[s]), 0) << axis << ' ' << cells << ' ' << s;
        }
}

TEST(hair_grid, hair_that_moves_uniformly_has_no_friction) {
    SimState state = state_of(bundle(60, 12, {0.07f, 0.1f, 0.05f}));
    kick(state, 0, {1.5f, -2, 0.25f});
    CoupleUniforms uniforms = no_effect();
    uniforms.kept = 0;
    Filled filled(state);
    filled.grid.couple(uniforms, state.x, state.v, filled.density, pool());
    for (const Vec3f& v : unpack(state.v)) EXPECT_LT(norm(v - Vec3f{1.5f, -2, 0.25f}), 2e-6f);
}

TEST(hair_grid, friction_keeps_momentum) {
    SimState state = state_of(bundle(200, 16, {0.06f, 0.12f, 0.05f}));
    kick(state, 1, {0.3f, 0, 0});
    const Vec3d before = total_momentum(state);
    const double speed_before = mean_speed(state);
    CoupleUniforms uniforms = no_effect();
    // Uneven density: the rate differs between nodes, but momentum is conserved.
    uniforms.friction = 0.2f;
    uniforms.kept = 0.9f;
    Filled filled(state);
    for (int n = 0; n < 10; ++n) {
        filled.grid.scatter(state.x, state.v, filled.volume, 0.1f, filled.density, pool());
        filled.grid.couple(uniforms, state.x, state.v, filled.density, pool());
    }
    EXPECT_LT(mean_speed(state), 0.6 * speed_before);
    const double all = speed_before * static_cast<double>(state.v.layout().vertex_total());
    EXPECT_LT(norm(total_momentum(state) - before), 1e-6 * all);
}

TEST(hair_grid, order_of_strands_does_not_change_the_sums) {
    StrandSet strands = bundle(90, 14, {0.05f, 0.11f, 0.06f});
    SimState state = state_of(strands);
    kick(state, 2);
    std::vector<std::vector<Vec3f>> lines;
    for (int s = 0; s < 90; ++s) {
        std::vector<Vec3f>& line = lines.emplace_back();
        for (int i = 0; i < 14; ++i) line.push_back(state.x.vec3((s * 37 + 5) % 90, i));
    }
    SimState shuffled = state_of(strands_of(lines));
    for (int s = 0; s < 90; ++s)
        for (int i = 0; i < 14; ++i) shuffled.v.set_vec3(s, i, state.v.vec3((s * 37 + 5) % 90, i));
    const Filled a(state), b(shuffled);
    double sum = 0;
    for (int x = -1; x < 8; ++x)
        for (int y = -1; y < 14; ++y)
            for (int z = -1; z < 9; ++z) {
                const HairGrid::Node here = a.grid.node_at(x, y, z),
                                     there = b.grid.node_at(x, y, z);
                EXPECT_EQ(here.mass, there.mass);
                EXPECT_EQ(here.momentum.x, there.momentum.x);
                EXPECT_EQ(here.momentum.z, there.momentum.z);
                EXPECT_EQ(here.density, there.density);
                sum += static_cast<double>(here.mass);
            }
    EXPECT_NEAR(sum, 90 * 14, 1e-3);
}

// A model may leave anything in lanes without a strand: a free root there falls for ever.
TEST(hair_grid, lanes_without_a_strand_do_not_count) {
    const StrandSet strands = bundle(3, 14, {0.05f, 0.11f, 0.06f});
    SimState state = state_of(strands);
    kick(state, 2);
    const Filled before(state);
    ASSERT_LT(state.v.layout().strand_at(0, 5), 0);
    state.v.block(0)[5] = 200;
    const Filled after(state);
    for (int s = 0; s < 3; ++s)
        for (int i = 0; i < 14; ++i) {
            const Vec3f cell = state.x.vec3(s, i) * (1 / kCell);
            const int x = static_cast<int>(std::floor(cell.x)),
                      y = static_cast<int>(std::floor(cell.y)),
                      z = static_cast<int>(std::floor(cell.z));
            EXPECT_EQ(before.grid.node_at(x, y, z).momentum.x,
                      after.grid.node_at(x, y, z).momentum.x);
            EXPECT_EQ(before.grid.node_at(x, y, z).mass, after.grid.node_at(x, y, z).mass);
        }
}

TEST(hair_grid, strands_of_one_block_may_be_anywhere) {
    // Adjacent in memory, and in tiles that share an entry of the local tile cache.
    constexpr int kStrands = 24, kVertices = 14, kApart = LocalTileCache::kSide * kTileSide;
    const StrandSet near = bundle(kStrands, kVertices, {0.03f, 0.11f, 0.03f});
    std::vector<std::vector<Vec3f>> lines;
    const auto shift = [](int s) { return s % 3 * kApart; };
    for (int s = 0; s < kStrands; ++s) {
        std::vector<Vec3f>& line = lines.emplace_back();
        for (int i = 0; i < kVertices; ++i)
            line.push_back(near.position.vec3(s, i) +
                           Vec3f{static_cast<float>(shift(s)) * kCell, 0, 0});
    }
    const Filled all(state_of(strands_of(lines)));
    double sum = 0;
    for (int group = 0; group < 3; ++group) {
        std::vector<std::vector<Vec3f>> own;
        for (int s = group; s < kStrands; s += 3) own.push_back(lines[static_cast<std::size_t>(s)]);
        const Filled alone(state_of(strands_of(own)));
        for (int x = shift(group) - 1; x < shift(group) + 5; ++x)
            for (int y = -1; y < 14; ++y)
                for (int z = -1; z < 5; ++z) {
                    EXPECT_EQ(all.grid.node_at(x, y, z).mass, alone.grid.node_at(x, y, z).mass);
                    sum += static_cast<double>(all.grid.node_at(x, y, z).mass);
                }
    }
    EXPECT_NEAR(sum, kStrands * kVertices, 1e-3);
}

// One vertex in the centre of every eighth of a cell: all inner nodes have the same density.
StrandSet lattice(int cells) {
    std::vector<std::vector<Vec3f>> lines;
    for (int x = 0; x < 2 * cells; ++x)
        for (int z = 0; z < 2 * cells; ++z) {
            std::vector<Vec3f>& line = lines.emplace_back();
            for (int y = 0; y < 2 * cells; ++y)
                line.push_back(Vec3f{static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f,
                                     static_cast<float>(z) + 0.5f} *
                               (0.5f * kCell));
        }
    return strands_of(lines);
}

TEST(hair_grid, relative_velocity_of_crossing_bundles_decays_at_the_stated_rate) {
    // Every other strand moves the other way; at the groomed density the decay is e^{-k t}.
    const StrandSet strands = lattice(6);
    SimSettings settings = bare_settings();
    settings.hair_hair.friction = 8;
    settings.hair_hair.cell = kCell;
    settings.substeps = 1;
    settings.hair_hair.couplings = 1;
    SimState state = state_of(strands);
    HairCoupling coupling(state, settings);
    for (int s = 0; s < 144; ++s)
        for (int i = 0; i < 12; ++i)
            state.v.set_vec3(s, i, {(s / 12 + s) % 2 == 0 ? 0.5f : -0.5f, 0, 0});
    const int middle = 6 * 12 + 6;
    const double start = static_cast<double>(norm(state.v.vec3(middle, 6)));
    for (int step = 0; step < 12; ++step) coupling.couple(state, pool());
    EXPECT_NEAR(coupling.density().at(middle, 6), 1, 1e-5);
    const double expected = start * std::exp(-8 * 12.0 / 60);
    EXPECT_NEAR(static_cast<double>(norm(state.v.vec3(middle, 6))), expected, 0.005 * expected);
}

TEST(hair_grid, plain_friction_per_step_does_not_depend_on_the_number_of_couplings) {
    for (const int couplings : {1, 2, 4}) {
        SimSettings settings = bare_settings();
        settings.hair_hair.friction_per_step = 0.5f;
        settings.hair_hair.couplings = couplings;
        settings.substeps = 4;
        SimState state = state_of(lattice(4));
        HairCoupling coupling(state, settings);
        for (int s = 0; s < 64; ++s)
            for (int i = 0; i < 8; ++i)
                state.v.set_vec3(s, i, {(s / 8 + s) % 2 == 0 ? 1.0f : -1.0f, 0, 0});
        for (int k = 0; k < settings.substeps; ++k)
            if (coupling.is_due(k)) coupling.couple(state, pool());
        EXPECT_NEAR(norm(state.v.vec3(4 * 8 + 4, 4)), 0.5f, 1e-4f) << couplings;
    }
}

TEST(hair_grid, repulsion_points_out_of_a_blob) {
    std::vector<std::vector<Vec3f>> lines;
    for (std::uint32_t id = 0; lines.size() < 4000; ++id) {
        const Vec3f p = {counter_signed(5, id, 0), counter_signed(5, id, 1),
                         counter_signed(5, id, 2)};
        // Denser towards the middle.
        if (norm(p) < 1) lines.push_back({p * (0.06f * norm(p))});
    }
    for (const bool plain : {false, true}) {
        SimState state = state_of(strands_of(lines));
        SimSettings settings = bare_settings();
        (plain ? settings.hair_hair.repulsion_per_step : settings.hair_hair.repulsion) =
            plain ? 5e-5f : 2;
        HairCoupling coupling(state, settings);
        coupling.couple(state, pool());
        int outward = 0, outer = 0;
        for (int s = 0; s < 4000; ++s) {
            const Vec3f x = state.x.vec3(s, 0), v = state.v.vec3(s, 0);
            if (norm(x) < 0.02f) continue;
            ++outer;
            if (dot(x, v) > 0.5f * norm(x) * norm(v) && norm(v) > 0) ++outward;
        }
        EXPECT_GT(outward, 0.9 * outer) << plain;
    }
}

TEST(hair_grid, groomed_hair_is_under_no_pressure) {
    SimState state = state_of(bundle(300, 20, {0.07f, 0.15f, 0.05f}));
    SimSettings settings = bare_settings();
    settings.hair_hair.volume = 10;
    HairCoupling coupling(state, settings);
    coupling.couple(state, pool());
    for (const Vec3f& v : unpack(state.v)) EXPECT_LT(norm(v), 1e-5f);
    // Compressed to three quarters of its width, it pushes to both sides.
    for (int s = 0; s < 300; ++s)
        for (int i = 0; i < 20; ++i) {
            const Vec3f x = state.x.vec3(s, i);
            state.x.set_vec3(s, i, {0.5f * x.x, x.y, x.z});
        }
    coupling.couple(state, pool());
    double left = 0, right = 0;
    for (int s = 0; s < 300; ++s)
        for (int i = 0; i < 20; ++i)
            (state.x.vec3(s, i).x < 0.0175f ? left : right) +=
                static_cast<double>(state.v.vec3(s, i).x);
    EXPECT_LT(left, -1);
    EXPECT_GT(right, 1);
}

// Loose strands in an open box, 10 cm high: their mean height after a second over that at the
// start.
double height_of_pile(float volume) {
    std::vector<std::vector<Vec3f>> lines;
    for (std::uint32_t s = 0; s < 480; ++s)
        lines.push_back(straight_line(
            {0.02f * counter_signed(2, s, 0), 0.002f + 0.1f * counter_uniform(2, s, 1),
             0.04f * counter_signed(2, s, 2)},
            {1, 0, 0}, 0.08f, 9));
    SimSettings settings;
    settings.hold_roots = false;
    settings.substeps = 4;
    settings.hair_hair.volume = volume;
    settings.hair_hair.friction = 5;
    settings.hair_hair.couplings = 4;
    World world;
    const auto add_wall = [&](Vec3f centre, Vec3f normal) {
        Collider& wall = world.colliders.emplace_back();
        wall.shape = ColliderShape::plane;
        wall.centre = centre;
        wall.normal = normal;
    };
    add_wall({0, 0, 0}, {0, 1, 0});
    add_wall({-0.02f, 0, 0}, {1, 0, 0});
    add_wall({0.1f, 0, 0}, {-1, 0, 0});
    add_wall({0, 0, -0.04f}, {0, 0, 1});
    add_wall({0, 0, 0.04f}, {0, 0, -1});
    Simulation simulation(strands_of(lines), settings, world, 1);
    const auto mean_height = [&] {
        double sum = 0;
        for (const Vec3f& x : unpack(simulation.state().x)) sum += static_cast<double>(x.y);
        return sum / (480 * 9);
    };
    const double before = mean_height();
    run(simulation, kSanitized ? 0.2 : 1);
    EXPECT_TRUE(all_finite(simulation.state()));
    return mean_height() / before;
}

TEST(hair_hair, pile_keeps_its_height_under_pressure_and_collapses_without) {
    // Some height is lost, because the half-empty edges of the pile fill up first.
    if (!kSanitized) {  // a pile collapses in a second
        EXPECT_LT(height_of_pile(0), 0.05);
    }
    const double kept = height_of_pile(10);
    EXPECT_GT(kept, 0.45);
    EXPECT_LT(kept, 1.05);
}

// Curls around a ring that fall inwards: the volume they fill over that of the groom, by the second
// moment of their density.
double volume_of_skirt(float volume) {
    std::vector<std::vector<Vec3f>> lines;
    for (std::uint32_t s = 0; s < 300; ++s) {
        const SinCos<float> turn = sin_cos(2 * kPi * counter_uniform(4, s, 0));
        const float out = 0.02f + 0.04f * counter_uniform(4, s, 1);
        const Vec3f direction = unit_or(Vec3f{turn.cos, -0.8f, turn.sin}, {0, 1, 0});
        lines.push_back(straight_line({turn.cos * out, 0, turn.sin * out}, direction, 0.15f, 12));
    }
    const StrandSet strands = strands_of(lines);
    SimSettings settings;
    settings.clamp_root = false;
    settings.damping = 3;
    settings.substeps = 4;
    settings.hair_hair.cell = 0.02f;
    settings.hair_hair.friction = 2;
    settings.hair_hair.volume = volume;
    Simulation simulation(strands, settings, {}, 1);
    const auto filled = [](const Channel<3>& x) {
        HairGrid grid(x, 0.02f, pool());
        Channel<1> places(x.layout_ref());
        grid.scatter(x, Channel<3>(x.layout_ref()), Channel<1>(x.layout_ref()), 0, places, pool());
        double sum = 0, squares = 0;
        for (int i = -20; i < 20; ++i)
            for (int j = -20; j < 5; ++j)
                for (int k = -20; k < 20; ++k) {
                    const double mass = static_cast<double>(grid.node_at(i, j, k).mass);
                    sum += mass;
                    squares += mass * mass;
                }
        return sum * sum / squares;
    };
    const double before = filled(simulation.state().x);
    run(simulation, kSanitized ? 0.3 : 3);
    return filled(simulation.state().x) / before;
}

TEST(hair_hair, skirt_keeps_its_volume_under_pressure_and_collapses_without) {
    if (!kSanitized) {  // a skirt collapses in seconds
        EXPECT_LT(volume_of_skirt(0), 0.6);
    }
    const double kept = volume_of_skirt(4);
    EXPECT_GT(kept, 0.85);
    EXPECT_LT(kept, 1.15);
}

std::string hash_of_run(int model, int threads, LaneKind lanes) {
    SimSettings settings = coupled_settings();
    settings.model = model;
    World world;
    world.head.motion = MotionKind::shake;
    world.wind.velocity = {1, 0, 0};
    world.wind.shelter = 0.8f;
    const TaskPool many(threads);
    Simulation simulation(bundle(150, 12, {0.06f, 0.1f, 0.05f}), settings, world, 1, lanes);
    for (int k = 0; k < (kSanitized ? 2 : 8); ++k) simulation.step(many);
    return hash_of(simulation.state().x, simulation.state().v).hex();
}

TEST(hair_hair, same_bits_for_any_number_of_threads_and_any_lanes) {
    for (int model = 0; model < std::ssize(all_models()); ++model) {
        const std::string one = hash_of_run(model, 1, LaneKind::scalar);
        EXPECT_EQ(hash_of_run(model, 2, LaneKind::automatic), one) << model;
        EXPECT_EQ(hash_of_run(model, 8, LaneKind::wide8), one) << model;
    }
}

TEST(hair_hair, memory_is_bounded_when_hair_flies_far_apart_or_breaks) {
    const StrandSet strands = bundle(800, 16, {0.08f, 0.15f, 0.08f});
    SimState state = state_of(strands);
    HairCoupling coupling(state, coupled_settings());
    coupling.couple(state, pool());
    const auto before = static_cast<double>(coupling.byte_count());
    const double most = 800 * 16 * 128 + coupling.grid().tile_limit() * 7000;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    // Together, then every strand on its own, then every vertex: more tiles than there is room for.
    for (int stage = 0; stage < 3; ++stage) {
        for (int s = 0; s < 800; ++s)
            for (int i = 0; i < 16; ++i) {
                const auto id = static_cast<std::uint32_t>(stage == 2 ? s * 16 + i : s);
                const Vec3f away = {counter_signed(9, id, 0), counter_signed(9, id, 1),
                                    counter_signed(9, id, 2)};
                state.x.set_vec3(s, i,
                                 strands.position.vec3(s, i) +
                                     (stage == 0 ? Vec3f{100, -100, 50} : away * 100.0f));
            }
        state.x.set_vec3(3, 5, {nan, 0, 0});
        state.x.set_vec3(4, 5, {1e30f, 0, -1e30f});
        state.x.set_vec3(5, 0, {std::numeric_limits<float>::infinity(), 0, 0});
        state.v.set_vec3(6, 2, {nan, 0, 0});
        state.v.set_vec3(7, 2, {0, 1e9f, 0});
        coupling.couple(state, pool());
        EXPECT_LE(static_cast<double>(coupling.byte_count()), stage == 0 ? 1.2 * before : most);
        EXPECT_LE(coupling.grid().tile_count(), coupling.grid().tile_limit());
        if (stage == 2) {
            EXPECT_GT(coupling.grid().tile_count(), coupling.grid().tile_limit() - 8);
        }
        EXPECT_EQ(coupling.density().at(3, 5), 0);
        EXPECT_EQ(coupling.density().at(4, 5), 0);
        // The two non-finite velocities do not change and do not affect other strands.
        int broken = 0;
        for (const Vec3f& v : unpack(state.v)) broken += norm(v) < 2 ? 0 : 1;
        EXPECT_EQ(broken, 2);
        EXPECT_EQ(state.v.vec3(7, 2).y, 1e9f);
    }
}

TEST(hair_hair, scattered_hair_has_the_same_bits_in_any_order_of_strands) {
    // Groups of three strands far apart: more tiles than there is room for.
    constexpr int kCount = 900;
    std::vector<Vec3f> first;
    for (const bool reversed : {false, true}) {
        const TaskPool many(reversed ? 8 : 1);
        // All groomed in the same way, so that only the order differs.
        SimState state = state_of(bundle(kCount, 16, {0, 0.1f, 0}));
        HairCoupling coupling(state, coupled_settings());
        const auto place = [&](int s) { return reversed ? kCount - 1 - s : s; };
        for (int s = 0; s < kCount; ++s)
            for (int i = 0; i < 16; ++i) {
                const auto group = static_cast<std::uint32_t>((s / 3) * 16 + i);
                const auto own = static_cast<std::uint32_t>(s * 16 + i);
                const Vec3f away = {counter_signed(8, group, 0), counter_signed(8, group, 1), 0};
                state.x.set_vec3(place(s), i, away * 50.0f);
                state.v.set_vec3(place(s), i, {counter_signed(7, own, 0), 0, 0});
            }
        coupling.couple(state, many);
        EXPECT_GT(coupling.grid().tile_count(), coupling.grid().tile_limit() - 8);
        int same = 0;
        for (int s = 0; s < kCount; ++s)
            for (int i = 0; i < 16; ++i) {
                const Vec3f v = state.v.vec3(place(s), i);
                if (!reversed)
                    first.push_back(v);
                else
                    same += norm(v - first[static_cast<std::size_t>(s * 16 + i)]) == 0 ? 1 : 0;
            }
        if (reversed) {
            EXPECT_EQ(same, kCount * 16);
        }
    }
}

TEST(hair_hair, grid_follows_a_head_over_a_hundred_metres) {
    const float seconds = kSanitized ? 0.4f : 2.0f, metres = 50 * seconds;
    SimSettings settings = coupled_settings();
    settings.follow_head_above = 1e6f;
    World world;
    world.head.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {seconds, {metres, 0, 0}, {0, 0, 0}}};
    Simulation simulation(bundle(100, 10, {0.05f, 0.1f, 0.05f}), settings, world, 1);
    simulation.step(pool());
    const auto before = static_cast<double>(simulation.byte_count());
    run(simulation, static_cast<double>(seconds) + 0.2);
    EXPECT_TRUE(all_finite(simulation.state()));
    EXPECT_LT(static_cast<double>(simulation.byte_count()), 3 * before);
    EXPECT_GT(simulation.state().x.vec3(0, 5).x, metres - 1);
    EXPECT_GT(simulation.hair_density()->at(0, 0), 0.2f);
}

TEST(hair_hair, held_vertices_do_not_change) {
    SimState state = state_of(bundle(50, 8, {0.03f, 0.05f, 0.03f}));
    kick(state, 1);
    const SimState before = state;
    SimSettings settings = coupled_settings();
    settings.hold_tips = true;
    HairCoupling coupling(state, settings);
    coupling.couple(state, pool());
    for (int s = 0; s < 50; ++s) {
        for (const int i : {0, 1, 7})
            EXPECT_EQ(norm(state.v.vec3(s, i) - before.v.vec3(s, i)), 0) << s << ' ' << i;
        EXPECT_GT(norm(state.v.vec3(s, 4) - before.v.vec3(s, 4)), 0);
    }
}

TEST(hair_hair, hair_is_not_coupled_without_coupling_parameters) {
    const StrandSet strands = bundle(10, 6, {0.03f, 0.05f, 0.03f});
    const Simulation off(strands, SimSettings{}, {}, 1);
    EXPECT_EQ(off.hair_density(), nullptr);
    World windy;
    windy.wind.shelter = 0.5f;
    const Simulation on(strands, SimSettings{}, windy, 1);
    EXPECT_NE(on.hair_density(), nullptr);
}

TEST(hair_hair, shelter_reduces_drag_in_dense_hair) {
    SimSettings settings = bare_settings();
    settings.damping = 2;
    Wind wind;
    wind.velocity = {3, 0, 0};
    wind.shelter = 0.75f;
    SimState state = state_of(lattice(6));
    HairCoupling coupling(state, settings);
    const WindField wind_field(state.x, settings, wind, LaneKind::automatic);
    for (int step = 0; step < 30; ++step) {
        coupling.couple(state, pool());
        wind_field.apply(state, 0, 1.0f / 60, &coupling.density(), {}, pool());
    }
    const int inside = 6 * 12 + 6;
    EXPECT_NEAR(state.v.vec3(inside, 6).x, 3 * (1 - std::exp(-2 * 0.5 * 0.25)), 1e-3);
    // A corner of the lattice has one eighth of the density at its outermost node.
    EXPECT_GT(state.v.vec3(0, 0).x, 1.3f * state.v.vec3(inside, 6).x);
}

TEST(hair_hair, sheltered_hair_moves_less_in_the_wind) {
    for (int model = 0; model < std::ssize(all_models()); ++model) {
        float blown[2];
        for (const bool sheltered : {false, true}) {
            SimSettings settings = bare_settings();
            settings.model = model;
            settings.damping = 2;
            settings.hair_hair.friction = 1e-6f;
            World world;
            world.wind.velocity = {3, 0, 0};
            world.wind.shelter = sheltered ? 1.0f : 0.0f;
            Simulation simulation(lattice(5), settings, world, 1);
            run(simulation, 0.2);
            blown[sheltered] = simulation.state().v.vec3(5 * 10 + 5, 5).x;
        }
        EXPECT_GT(blown[0], 0.9f);
        EXPECT_LT(blown[1], 0.4f * blown[0]) << model;
    }
}

}  // namespace
}  // namespace ringlet
