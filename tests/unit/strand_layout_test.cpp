// Every vertex has a place of its own, and the fingerprint of a state sees vertices, not places.
#include "strand/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <set>

#include "strand/rows.h"
#include "strand/strand_set.h"

namespace ringlet {
namespace {

std::vector<int> random_counts(int strands, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<int> counts;
    for (int s = 0; s < strands; ++s)
        counts.push_back(s % 7 == 0 ? 1 : static_cast<int>(random() % 200) + 1);
    return counts;
}

std::vector<Vec3f> random_points(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<Vec3f> out;
    for (std::size_t i = 0; i < count; ++i)
        out.push_back({uniform(random), uniform(random), uniform(random)});
    return out;
}

std::size_t total(const std::vector<int>& counts) {
    return static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), 0));
}

// Layouts of sets that are empty, tiny, a whole number of blocks and not.
std::vector<std::vector<int>> sets_of_counts() {
    std::vector<std::vector<int>> out{{}, {1}, {200}, {1, 200}, std::vector<int>(8, 5)};
    unsigned seed = 1;
    for (const int strands : {7, 8, 9, 63, 64, 65, 200})
        out.push_back(random_counts(strands, seed++));
    return out;
}

TEST(strand_layout, gives_every_float_of_every_vertex_its_own_index) {
    for (const std::vector<int>& counts : sets_of_counts()) {
        const StrandLayout layout(counts, random_points(counts.size(), 3));
        for (const int components : {1, 3}) {
            const std::size_t size = static_cast<std::size_t>(layout.row_count()) *
                                     static_cast<std::size_t>(components) * kLanes;
            std::vector<bool> taken(size, false);
            for (int s = 0; s < layout.strand_count(); ++s)
                for (int i = 0; i < layout.vertex_count(s); ++i)
                    for (int c = 0; c < components; ++c) {
                        const std::size_t at = layout.index(s, i, c, components);
                        ASSERT_LT(at, size);
                        ASSERT_FALSE(taken[at]) << "strand " << s << " vertex " << i;
                        taken[at] = true;
                    }
        }
    }
}

TEST(strand_layout, places_and_strands_are_each_others_inverse) {
    for (const std::vector<int>& counts : sets_of_counts()) {
        const StrandLayout layout(counts);
        ASSERT_EQ(layout.strand_count(), std::ssize(counts));
        EXPECT_EQ(layout.vertex_total(), static_cast<std::int64_t>(total(counts)));
        EXPECT_EQ(layout.block_count(), (std::ssize(counts) + kLanes - 1) / kLanes);
        int found = 0, rows = 0;
        for (int b = 0; b < layout.block_count(); ++b) {
            int longest = 0;
            for (int lane = 0; lane < kLanes; ++lane) {
                const int strand = layout.strand_at(b, lane);
                if (strand < 0) continue;
                ++found;
                EXPECT_EQ(layout.slot(strand).block, b);
                EXPECT_EQ(layout.slot(strand).lane, lane);
                EXPECT_EQ(layout.vertex_count(strand), counts[static_cast<std::size_t>(strand)]);
                longest = std::max(longest, layout.vertex_count(strand));
            }
            EXPECT_EQ(layout.rows(b), longest);
            rows += longest;
        }
        EXPECT_EQ(found, layout.strand_count());
        EXPECT_GE(layout.row_count(), rows);
        EXPECT_LE(layout.row_count(),
                  rows + layout.block_count());  // blocks may start on even rows
    }
}

TEST(strand_layout, blocks_hold_strands_of_similar_counts) {
    // 400 strands of 1 to 200 vertices: sorted, a block wastes little.
    const std::vector<int> counts = random_counts(400, 9);
    const StrandLayout layout(counts);
    const double used = static_cast<double>(layout.vertex_total());
    EXPECT_LT(layout.row_count() * kLanes, 1.05 * used);
    // An unsorted order wastes more, so the bound above is meaningful.
    int rows = 0;
    for (std::size_t s = 0; s < counts.size(); s += kLanes)
        rows += *std::max_element(counts.begin() + static_cast<std::ptrdiff_t>(s),
                                  counts.begin() + static_cast<std::ptrdiff_t>(s) + kLanes);
    EXPECT_GT(rows * kLanes, 1.5 * used);
}

TEST(strand_layout, neighbours_in_a_block_are_neighbours_in_space) {
    const std::vector<int> counts(512, 10);
    const std::vector<Vec3f> roots = random_points(counts.size(), 4);
    const auto mean_distance = [&](const StrandLayout& layout) {
        double sum = 0;
        for (int b = 0; b < layout.block_count(); ++b)
            for (int lane = 1; lane < kLanes; ++lane)
                sum += static_cast<double>(
                    norm(roots[static_cast<std::size_t>(layout.strand_at(b, lane))] -
                         roots[static_cast<std::size_t>(layout.strand_at(b, 0))]));
        return sum / (7.0 * layout.block_count());
    };
    EXPECT_LT(mean_distance(StrandLayout(counts, roots)),
              0.6 * mean_distance(StrandLayout(counts)));
}

TEST(strand_layout, takes_roots_that_are_all_one_or_not_numbers) {
    const std::vector<int> counts(20, 3);
    EXPECT_EQ(StrandLayout(counts, std::vector<Vec3f>(20, Vec3f{1, 2, 3})).block_count(), 3);
    std::vector<Vec3f> odd = random_points(20, 5);
    odd[0] = {NAN, NAN, NAN};
    odd[3] = {std::numeric_limits<float>::infinity(), 0, 0};
    odd[4] = {0, -3e38f, 3e38f};
    const StrandLayout layout(counts, odd);
    std::set<std::size_t> places;
    for (int s = 0; s < 20; ++s) places.insert(layout.index(s, 0, 0, 1));
    EXPECT_EQ(places.size(), 20u);
}

TEST(channel, blocks_start_on_cache_lines) {
    const auto layout = std::make_shared<const StrandLayout>(random_counts(65, 2));
    const Channel<3> wide(layout);
    const Channel<1> narrow(layout);
    for (int b = 0; b < layout->block_count(); ++b) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide.block(b)) % 64, 0u) << "block " << b;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(narrow.block(b)) % 64, 0u) << "block " << b;
    }
}

TEST(channel, rows_reach_their_vertices) {
    const auto layout = std::make_shared<const StrandLayout>(random_counts(65, 2));
    Channel<3> wide(layout);
    const Channel<1> narrow(layout, 4);
    wide.set_vec3(17, 0, {1, 2, 3});
    const StrandLayout::Slot at = layout->slot(17);
    const Rows3<float> rows{wide.block(at.block) + at.lane};
    EXPECT_EQ(rows[0].y, 2);
    EXPECT_EQ(wide.at(17, 0, 2), 3);
    rows.set(layout->vertex_count(17) - 1, {4, 5, 6});
    EXPECT_EQ(wide.vec3(17, layout->vertex_count(17) - 1).z, 6);
    EXPECT_EQ(narrow.at(17, 0), 4);
}

TEST(strand_set, unpack_returns_what_pack_was_given) {
    for (const std::vector<int>& counts : sets_of_counts()) {
        const std::vector<Vec3f> vertices = random_points(total(counts), 11);
        Channel<3> channel(
            std::make_shared<const StrandLayout>(counts, random_points(counts.size(), 12)));
        pack(vertices, channel);
        const std::vector<Vec3f> back = unpack(channel);
        ASSERT_EQ(back.size(), vertices.size());
        for (std::size_t i = 0; i < back.size(); ++i) {
            EXPECT_EQ(back[i].x, vertices[i].x);
            EXPECT_EQ(back[i].y, vertices[i].y);
            EXPECT_EQ(back[i].z, vertices[i].z);
        }
        // In strand order, root to tip: the second strand follows the first.
        if (counts.size() < 2) continue;
        EXPECT_EQ(channel.vec3(1, 0).x, vertices[static_cast<std::size_t>(counts[0])].x);
    }
}

struct State {
    Channel<3> position, velocity;
    State(LayoutRef layout, const std::vector<Vec3f>& x, const std::vector<Vec3f>& v,
          float fill = 0)
        : position(layout, fill), velocity(layout, fill) {
        pack(x, position);
        pack(v, velocity);
    }
    std::string hash() const { return hash_of(position, velocity).hex(); }
};

TEST(state_hash, sees_neither_padding_nor_order_in_memory) {
    const std::vector<int> counts = random_counts(37, 6);
    const std::vector<Vec3f> x = random_points(total(counts), 7),
                             v = random_points(total(counts), 8);
    const auto plain = std::make_shared<const StrandLayout>(counts);
    const auto sorted =
        std::make_shared<const StrandLayout>(counts, random_points(counts.size(), 9));
    const std::string hash = State(plain, x, v).hash();
    EXPECT_EQ(hash.size(), 16u);
    EXPECT_EQ(hash, State(plain, x, v, 123).hash());
    EXPECT_EQ(hash, State(sorted, x, v).hash());
    bool moved = false;
    for (int s = 0; s < plain->strand_count(); ++s)
        moved = moved || plain->index(s, 0, 0, 3) != sorted->index(s, 0, 0, 3);
    EXPECT_TRUE(moved) << "the roots changed nothing, so this test shows nothing";
}

TEST(state_hash, changes_with_every_single_number) {
    const std::vector<int> counts{3, 1, 9};
    const auto layout = std::make_shared<const StrandLayout>(counts);
    const std::vector<Vec3f> x = random_points(13, 7), v = random_points(13, 8);
    std::set<std::string> seen{State(layout, x, v).hash()};
    const auto nudged = [](std::vector<Vec3f> of, std::size_t i, int component) {
        float& a = component == 0 ? of[i].x : component == 1 ? of[i].y : of[i].z;
        a = std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) + 1);
        return of;
    };
    for (std::size_t i = 0; i < 13; ++i)
        for (int c = 0; c < 3; ++c) {
            EXPECT_TRUE(seen.insert(State(layout, nudged(x, i, c), v).hash()).second);
            EXPECT_TRUE(seen.insert(State(layout, x, nudged(v, i, c)).hash()).second);
        }
    std::vector<Vec3f> swapped = x;
    std::swap(swapped[4], swapped[5]);
    EXPECT_TRUE(seen.insert(State(layout, swapped, v).hash()).second);
    EXPECT_TRUE(seen.insert(State(layout, v, x).hash()).second);
}

TEST(state_hash, takes_both_zeros_for_one_number) {
    const std::vector<int> counts{2};
    const auto layout = std::make_shared<const StrandLayout>(counts);
    const std::vector<Vec3f> plus{{0, 1, 2}, {3, 0, 5}}, minus{{-0.0f, 1, 2}, {3, -0.0f, 5}};
    EXPECT_EQ(State(layout, plus, plus).hash(), State(layout, minus, minus).hash());
}

TEST(state_hash, has_sixteen_digits_for_nothing_too) {
    const auto layout = std::make_shared<const StrandLayout>(std::vector<int>{});
    EXPECT_EQ(State(layout, {}, {}).hash(), "cbf29ce484222325");
    Hash hash;
    hash.add(1u);
    EXPECT_EQ(hash.value(), (0xcbf29ce484222325ull ^ 1u) * 0x100000001b3ull);
}

}  // namespace
}  // namespace ringlet
