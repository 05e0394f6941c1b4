// Strands divided over ranks: the same bits as in one process.
#include <gtest/gtest.h>

#include "physics/coupled_hair.h"
#include "physics/rank_threads.h"
#include "sim/models/registry.h"
#include "test_level.h"
#include "validate/lab.h"

namespace ringlet {
namespace {

using namespace lab;

// Strands with roots in a square of side `width` (m), in the order of x. With `varied` they have 5,
// 9 and 13 vertices, by which the layout sorts them first; otherwise 9.
StrandSet field_of_hair(int strands, float width, bool varied = false) {
    std::vector<std::vector<Vec3f>> lines;
    for (int s = 0; s < strands; ++s) {
        const float along = static_cast<float>(s) / static_cast<float>(strands);
        const Vec3f root = {along * width, 0,
                            counter_uniform(3, static_cast<std::uint32_t>(s), 0) * width};
        lines.push_back(straight_line(root, {0.3f, 1, 0}, 0.1f, varied ? 5 + s % 3 * 4 : 9));
    }
    return strands_of(lines);
}

struct Coupled {
    std::vector<Vec3f> v;
    int tile_count = 0, tile_limit = 0;
    std::int64_t bytes = 0;  // sent by all ranks
};

enum class Where { cpu, gpu };

bool has_gpu() { return static_cast<bool>(open_cuda_device()); }
std::unique_ptr<Device> device_at(Where where) {
    return where == Where::gpu ? open_device_or_throw() : nullptr;
}
StrandDivision division_of(const StrandLayout& layout, Ranks& ranks, Where where) {
    return {layout, ranks, 0, ranks.count(), where == Where::gpu ? kDeviceBlocks : 1};
}

// Couples moving hair once on some ranks. `away` moves the vertex of a strand from its rest.
Coupled couple_on(int rank_count, const std::function<Vec3f(int, int)>& away,
                  Where where = Where::cpu) {
    const StrandSet hair = field_of_hair(900, 0.5f);
    const StrandLayout& layout = *hair.layout;
    Coupled out;
    std::mutex mutex;
    run_on_ranks(rank_count, [&](Ranks& ranks) {
        SimState state{hair.position, Channel<3>(hair.layout)};
        HairCoupling coupling(state, coupled_settings());
        const StrandDivision division = division_of(layout, ranks, where);
        if (rank_count > 1) coupling.divide(division);
        const std::unique_ptr<Device> device = device_at(where);
        if (device) {
            device->set_layout(hair.layout);
            device->set_blocks(division.first_block(), division.end_block());
        }
        for (int s = 0; s < layout.strand_count(); ++s)
            for (int i = 0; i < layout.vertex_count(s); ++i) {
                const auto id = static_cast<std::uint32_t>(s * 16 + i);
                state.x.set_vec3(s, i, state.x.vec3(s, i) + away(s, i));
                state.v.set_vec3(s, i, {counter_signed(7, id, 0), counter_signed(7, id, 1), 0});
            }
        if (!device || !device->couple(coupling.on_device(state))) {
            state.x.read();
            state.v.edit();
            coupling.couple(state, TaskPool(1));
        }
        division.collect(layout, state.v.edit().memory_to_write(), Per::row);
        const std::lock_guard lock(mutex);
        out.bytes += division.sharers() ? division.sharers()->traffic().bytes_sent : 0;
        if (ranks.rank() > 0) return;
        out.v = unpack(state.v);
        out.tile_count = coupling.grid().tile_count();
        out.tile_limit = coupling.grid().tile_limit();
    });
    return out;
}

void expect_same_bits(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
    ASSERT_EQ(a.size(), b.size());
    int different = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        different += std::memcmp(&a[k], &b[k], sizeof a[k]) == 0 ? 0 : 1;
    EXPECT_EQ(different, 0) << "of " << a.size();
}

void expect_even_division(const StrandLayout& layout, int count, int group) {
    const int groups = (layout.block_count() + group - 1) / group;
    std::vector<int> owners(static_cast<std::size_t>(layout.block_count()), 0);
    std::mutex mutex;
    run_on_ranks(count, [&](Ranks& ranks) {
        const StrandDivision division(layout, ranks, 0, count, group);
        const std::lock_guard lock(mutex);
        EXPECT_EQ(division.has_blocks(), ranks.rank() < groups);
        if (!division.has_blocks()) return;
        EXPECT_EQ(division.first_block() % group, 0);
        int rows = 0;
        for (int b = division.first_block(); b < division.end_block(); ++b) {
            ++owners[static_cast<std::size_t>(b)];
            rows += layout.rows(b);
        }
        EXPECT_LE(rows, layout.row_count() / count + 32 * group) << count << " " << group;
    });
    for (const int owned : owners) EXPECT_EQ(owned, 1) << count << " " << group;
}

TEST(divided, blocks_have_one_rank_each_and_ranks_have_about_equal_work) {
    const StrandSet hair = field_of_hair(900, 0.5f, true);
    for (const int group : {1, kDeviceBlocks})
        for (const int count : {1, 2, 3, 7, 113, 200})
            expect_even_division(*hair.layout, count, group);
}

TEST(divided, a_rank_has_whole_heads_or_a_part_of_one) {
    const std::vector<std::int64_t> heads = {100, 0, 300, 100, 100};
    for (int count = 1; count <= 12; ++count) {
        const std::vector<RankRange> ranks = ranks_of_heads(heads, count);
        ASSERT_EQ(ranks.size(), heads.size());
        EXPECT_EQ(ranks[1].count, 0);
        int next = 0;
        for (std::size_t k = 0; k < heads.size(); ++k) {
            if (heads[k] == 0) continue;
            EXPECT_LE(ranks[k].first + ranks[k].count, count);
            if (count <= 4) {
                EXPECT_EQ(ranks[k].count, 1);
                EXPECT_GE(ranks[k].first, next);
                next = ranks[k].first;
            } else {
                EXPECT_GE(ranks[k].count, 1);
                EXPECT_EQ(ranks[k].first, next) << "no rank has two heads";
                next += ranks[k].count;
            }
        }
        if (count > 4) {
            EXPECT_EQ(next, count) << "no rank is idle";
        }
    }
    EXPECT_EQ(ranks_of_heads(heads, 12)[2].count, 6) << "half of the work";
}

TEST(divided, coupled_hair_has_the_same_bits_on_any_number_of_ranks) {
    const auto nowhere = [](int, int) { return Vec3f{0, 0, 0}; };
    const Coupled alone = couple_on(1, nowhere);
    EXPECT_LT(alone.tile_count, alone.tile_limit);
    for (const int ranks : first_if_sanitized<int>({3, 2, 4, 7, 16})) {
        const Coupled divided = couple_on(ranks, nowhere);
        expect_same_bits(divided.v, alone.v);
        EXPECT_LT(divided.tile_count, alone.tile_count) << "a rank has only the tiles it needs";
    }
}

TEST(divided, ranks_far_apart_exchange_no_tiles) {
    const auto two_heads = [](int s, int) { return Vec3f{s % 2 == 0 ? 0.0f : 50.0f, 0, 0}; };
    const Coupled near = couple_on(2, [](int, int) { return Vec3f{0, 0, 0}; });
    const StrandSet hair = field_of_hair(900, 0.5f);
    const auto by_rank = [&](int s, int) {
        const bool is_second = hair.layout->slot(s).block >= hair.layout->block_count() / 2 + 1;
        return Vec3f{is_second ? 50.0f : 0.0f, 0, 0};
    };
    expect_same_bits(couple_on(2, two_heads).v, couple_on(1, two_heads).v);
    const Coupled apart = couple_on(2, by_rank);
    expect_same_bits(apart.v, couple_on(1, by_rank).v);
    EXPECT_LT(apart.bytes, near.bytes / 10);
}

TEST(divided, the_same_tiles_are_left_out_on_any_number_of_ranks) {
    const auto scattered = [](int s, int i) {
        const auto id = static_cast<std::uint32_t>((s / 3) * 16 + i);
        return Vec3f{counter_signed(8, id, 0) * 50, counter_signed(8, id, 1) * 50, 0};
    };
    const Coupled alone = couple_on(1, scattered);
    EXPECT_GT(alone.tile_count, alone.tile_limit - 8) << "more tiles than there is room for";
    for (const int ranks : first_if_sanitized<int>({3, 2, 7}))
        expect_same_bits(couple_on(ranks, scattered).v, alone.v);
    if (!has_gpu()) return;
    for (const int ranks : {1, 2, 5})
        expect_same_bits(couple_on(ranks, scattered, Where::gpu).v, alone.v);
}

TEST(divided, coupled_hair_has_the_same_bits_on_ranks_that_share_a_gpu) {
    if (!has_gpu()) GTEST_SKIP() << open_cuda_device().error().text();
    const auto nowhere = [](int, int) { return Vec3f{0, 0, 0}; };
    const auto far = [](int s, int) { return Vec3f{static_cast<float>(s / 100), 0, 0}; };
    for (const auto& away : {std::function<Vec3f(int, int)>(nowhere), {far}}) {
        const Coupled alone = couple_on(1, away);
        for (const int ranks : {1, 2, 3, 7})
            expect_same_bits(couple_on(ranks, away, Where::gpu).v, alone.v);
    }
}

struct Simulated {
    std::string hash;
    std::vector<double> measured;
    std::pair<int, int> repaired;
};

Simulated simulate_on(int rank_count, int model, Where where = Where::cpu) {
    SimSettings settings = coupled_settings();
    settings.model = model;
    settings.follow_head = 0.3f;
    World world;
    world.head.motion = MotionKind::shake;
    world.wind.velocity = {1, 0, 0};
    world.wind.shelter = 0.8f;
    Collider& ball = world.colliders.emplace_back();
    ball.shape = ColliderShape::sphere;
    ball.centre = {0.1f, 0.05f, 0.1f};
    ball.radius = 0.04f;
    const StrandSet hair = field_of_hair(150, 0.2f, true);
    Simulated out;
    run_on_ranks(rank_count, [&](Ranks& ranks) {
        const TaskPool one(1);
        Simulation simulation(hair, settings, world, 1, LaneKind::automatic, 0, device_at(where));
        if (rank_count > 1) simulation.divide(division_of(*hair.layout, ranks, where));
        simulation.settle(static_cast<double>(settings.dt) * 2.5, one);
        // Breaks two strands; the first of them is reported.
        for (const int strand : {20, 140})
            simulation.state().v.set_vec3(strand, 3, {1e30f, 1e30f, 0});
        for (int k = 0; k < 6; ++k) simulation.step(one);
        const Measurement measured = simulation.measure(one);
        const std::pair<int, int> repaired = simulation.collect_repaired();
        const int limited = simulation.collect_strain_limited();
        simulation.collect(simulation.changing_memory(StateAccess::load));
        if (ranks.rank() > 0) return;
        out = {hash_of(simulation.state().x, simulation.state().v).hex(),
               {measured.max_stretch, measured.sum_stretch, measured.stretch_p99,
                measured.max_penetration, static_cast<double>(measured.penetrating_vertices),
                static_cast<double>(measured.segment_count), static_cast<double>(limited)},
               repaired};
    });
    return out;
}

TEST(divided, every_model_has_the_same_bits_on_any_number_of_ranks) {
    for (int model = 0; model < std::ssize(all_models()); ++model) {
        const Simulated alone = simulate_on(1, model);
        EXPECT_EQ(alone.repaired.first, 20) << model;
        for (const int ranks : first_if_sanitized<int>({3, 2, 7, 30})) {
            const Simulated divided = simulate_on(ranks, model);
            EXPECT_EQ(divided.hash, alone.hash) << model << " on " << ranks;
            EXPECT_EQ(divided.measured, alone.measured) << model << " on " << ranks;
            EXPECT_EQ(divided.repaired, alone.repaired) << model << " on " << ranks;
        }
    }
}

TEST(divided, every_model_has_the_same_bits_on_ranks_that_share_a_gpu) {
    if (!has_gpu()) GTEST_SKIP() << open_cuda_device().error().text();
    for (int model = 0; model < std::ssize(all_models()); ++model) {
        const Simulated alone = simulate_on(1, model);
        for (const int ranks : {1, 2, 3, 5}) {
            const Simulated divided = simulate_on(ranks, model, Where::gpu);
            EXPECT_EQ(divided.hash, alone.hash) << model << " on " << ranks;
            EXPECT_EQ(divided.measured, alone.measured) << model << " on " << ranks;
            EXPECT_EQ(divided.repaired, alone.repaired) << model << " on " << ranks;
        }
    }
}

}  // namespace
}  // namespace ringlet
