// Memory of a running session per vertex, from container sizes: a million strands of 32 vertices
// must fit into 4 GB (docs/performance.md).
#include <gtest/gtest.h>

#include <cstdio>

#include "session/live/session_impl.h"
#include "sim/models/registry.h"
#include "test_level.h"

namespace ringlet {
namespace {

constexpr int kStrands = 800, kVertices = 32;

// Hair of the default scene on its bust, with a round section and a kept gap. Opened once for all
// tests, because the skin is slow to build.
Session& opened(bool keep_groom) {
    const auto open = [](bool keep) {
        Result<Session> out = Session::open(
            "curls", {.overrides = {"record.settle=0", "groom.strands=800", "groom.vertices=32",
                                    "sim.keep_gap=0.03", "sim.pbd.shape_stiffness=0.1",
                                    "sim.rod.material=hair", "groom.grow_patches=false"},
                      .threads = 2,
                      .keep_groom = keep});
        EXPECT_TRUE(out) << out.error().text();
        return std::move(*out);
    };
    static Session kept = open(true), once = open(false);
    return keep_groom ? kept : once;
}

// The same hair simulated by another model.
Session& with_model(const char* name, const HairHair& hair_hair, bool keep_groom) {
    Session& out = opened(keep_groom);
    Scene edited = out.impl().scene;
    for (int k = 0; k < std::ssize(all_models()); ++k)
        if (all_models()[static_cast<std::size_t>(k)].name == std::string(name))
            edited.sim.model = k;
    edited.sim.substeps = 2;
    edited.sim.hair_hair = hair_hair;
    EXPECT_TRUE(out.impl().change_scene(edited));
    return out;
}

double bytes_per_vertex(const Session& session) {
    return static_cast<double>(session.impl().byte_count()) / (kStrands * kVertices);
}

// Current resident size of the process.
double resident_bytes() {
    long long size = 0, resident = 0;
    std::FILE* const file = std::fopen("/proc/self/statm", "r");
    if (!file) return -1;
    const int read = std::fscanf(file, "%lld %lld", &size, &resident);
    std::fclose(file);
    return read == 2 ? static_cast<double>(resident) * 4096 : -1;
}

TEST(memory, per_vertex_is_what_the_model_needs) {
    struct Case {
        const char* model;
        double most;
    };
    for (const Case model :
         {Case{"pbd", 62}, Case{"ftl", 84}, Case{"spring", 100}, Case{"rod", 111}}) {
        Session& session = with_model(model.model, {}, false);
        session.step();
        EXPECT_LT(bytes_per_vertex(session), model.most) << model.model;
        EXPECT_GT(bytes_per_vertex(session), model.most - 5)
            << model.model << " needs less memory: lower the limit";
    }
}

TEST(memory, of_hair_hair_coupling_is_eight_bytes_per_vertex_and_the_tiles_in_use) {
    const double without = bytes_per_vertex(with_model("rod", {}, false));
    Session& session = with_model("rod", {.cell = 0.05f, .friction = 2}, false);
    session.step();
    const HairGrid& grid = *session.impl().actors.front().simulation().hair_grid();
    const double tiles = 1.5 * grid.tile_count() * 7000, hash = 200e3;
    EXPECT_LT(bytes_per_vertex(session) - without, 8 + (tiles + hash) / (kStrands * kVertices));
}

TEST(memory, of_appearance_and_rest_shape_is_allocated_on_demand) {
    Session &once = with_model("ftl", {}, false), &kept = with_model("ftl", {}, true);
    const double rest = 12, appearance = 16;
    EXPECT_NEAR(bytes_per_vertex(kept) - bytes_per_vertex(once), rest, 0.01);
    const Strands now = kept.impl().strands(When::now);
    EXPECT_NEAR(bytes_per_vertex(kept) - bytes_per_vertex(once), rest, 0.01);
    const StrandView seen = kept.impl().view(now);
    EXPECT_NEAR(bytes_per_vertex(kept) - bytes_per_vertex(once), rest + appearance, 0.01);
    EXPECT_GT(seen.radius->at(5, 3), 0);
    EXPECT_FALSE(now.owned);  // nothing is copied if all strands are simulated
}

TEST(memory, a_released_rest_shape_regrows_with_the_same_bits) {
    Session &once = with_model("rod", {}, false), &kept = with_model("rod", {}, true);
    for (Session* session : {&once, &kept}) {
        session->step();
        session->reset();
        session->step();
    }
    EXPECT_EQ(once.hash(), kept.hash());
    EXPECT_FALSE(once.impl().actors.front().groom.has_rest());
    const std::vector<Vec3f> again = unpack(once.impl().strands(When::at_rest).on_host());
    const std::vector<Vec3f> always = unpack(kept.impl().strands(When::at_rest).on_host());
    ASSERT_EQ(again.size(), always.size());
    for (std::size_t k = 0; k < again.size(); ++k) EXPECT_EQ(norm(again[k] - always[k]), 0);
}

TEST(memory, zeroed_pages_are_allocated_on_first_write) {
    if (kSanitized) GTEST_SKIP() << "a sanitizer touches shadow memory for every byte";
    constexpr int kMany = 1200000;  // more than the allocator may have kept from other tests
    const std::vector<int> counts(kMany, kVertices);
    const auto layout = std::make_shared<const StrandLayout>(counts);
    const double before = resident_bytes();
    if (before < 0) GTEST_SKIP() << "no /proc here";
    Channel<3> zeros(layout);
    const auto whole = static_cast<double>(zeros.byte_count());
    EXPECT_LT(resident_bytes() - before, 0.1 * whole);
    EXPECT_EQ(zeros.vec3(kMany - 1, 31).y, 0);
    for (int s = 0; s < kMany; ++s)
        for (int i = 0; i < kVertices; ++i) zeros.set_vec3(s, i, {1, 2, 3});
    EXPECT_GT(resident_bytes() - before, 0.9 * whole);
}

}  // namespace
}  // namespace ringlet
