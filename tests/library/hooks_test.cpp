// A program's own job system and allocator, widths, tangents, and access to a GPU.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "ringlet/ringlet_c.h"
#include "sample_hair.h"

namespace ringlet {
namespace {

class HooksEveryModel : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(models, HooksEveryModel, testing::Range(0, model_count()),
                         [](const auto& model) { return model_name(model.param); });

// Runs the tasks of a loop on threads of its own.
struct ThreadJobs {
    std::atomic<int> loops = 0, tasks = 0;
    int threads = 3;

    static void run(void* user, int count, void (*task)(void*, int), void* context) {
        auto& own = *static_cast<ThreadJobs*>(user);
        ++own.loops;
        std::atomic<int> next = 0;
        const auto work = [&] {
            for (int k = next++; k < count; k = next++) {
                ++own.tasks;
                task(context, k);
            }
        };
        std::vector<std::thread> others;
        for (int t = 1; t < own.threads; ++t) others.emplace_back(work);
        work();
        for (std::thread& thread : others) thread.join();
    }
    SimJobs jobs() { return {run, threads, this}; }
};

TEST_P(HooksEveryModel, a_job_system_gives_the_same_bits) {
    ThreadJobs own;
    SimOptions options = sample_options();
    options.jobs = own.jobs();
    HairSim by_jobs = make_sample(GetParam(), options), usual = make_sample(GetParam());
    play(by_jobs, 0, 3);
    play(usual, 0, 3);
    EXPECT_EQ(hash_of(by_jobs), hash_of(usual));
    EXPECT_GT(own.loops, 10);
    EXPECT_GT(own.tasks, own.loops) << "the work was divided";
}

// Counts memory, and fails after a number of allocations.
struct CountingAllocator {
    std::atomic<std::size_t> now = 0, calls = 0;
    std::atomic<long> until_failure = -1;

    static void* allocate(void* user, std::size_t bytes, std::size_t alignment) {
        auto& own = *static_cast<CountingAllocator*>(user);
        if (own.until_failure >= 0 && own.until_failure-- == 0) return nullptr;
        own.now += bytes;
        ++own.calls;
        void* const out =
            std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
        // The library does not rely on zeros.
        for (std::size_t k = 0; k < bytes; ++k) static_cast<unsigned char*>(out)[k] = 0xa5;
        return out;
    }
    static void release(void* user, void* memory, std::size_t bytes) {
        static_cast<CountingAllocator*>(user)->now -= bytes;
        std::free(memory);
    }
    SimAllocator allocator() { return {allocate, release, this}; }
};

TEST_P(HooksEveryModel, an_allocator_holds_all_memory_of_strands) {
    CountingAllocator own;
    SimOptions options = sample_options();
    options.allocator = own.allocator();
    options.keep_previous = true;
    {
        HairSim hair = make_sample(GetParam(), options), usual = make_sample(GetParam());
        EXPECT_GT(own.now, hair.report()->bytes / 2);
        const std::size_t before = own.now, calls = own.calls;
        play(hair, 0, 5);
        play(usual, 0, 5);
        EXPECT_EQ(hash_of(hair), hash_of(usual));
        EXPECT_EQ(own.calls, calls) << "a step allocates nothing";
        ASSERT_TRUE(hair.reset());
        EXPECT_EQ(own.now, before) << "the memory of the former run is returned";
    }
    EXPECT_EQ(own.now, 0u);
    std::thread([&] {  // released on another thread than the one that allocated
        HairSim hair = make_sample(GetParam(), options);
        std::thread([moved = std::move(hair)] {}).join();
    })
        .join();
    EXPECT_EQ(own.now, 0u);
}

TEST(hooks, an_allocator_may_fail_at_every_call) {
    const SampleHair groom(9);
    CountingAllocator own;
    SimOptions options = sample_options();
    options.allocator = own.allocator();
    int errors = 0;
    for (long n = 0;; ++n) {
        own.until_failure = n;
        const Result<HairSim> made =
            HairSim::create(groom.arrays(), sample_settings(0), sample_colliders(), options);
        if (own.until_failure.exchange(-1) >= 0) break;
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().message, "out of memory");
        ++errors;
    }
    EXPECT_GT(errors, 5);
    EXPECT_EQ(own.now, 0u);
}

TEST(hooks, faulty_hooks_are_errors) {
    ThreadJobs own;
    SimOptions options;
    options.jobs = own.jobs();
    options.jobs.concurrency = 0;
    EXPECT_FALSE(HairSim::create({}, {}, {}, options));
    CountingAllocator counting;
    options = {};
    options.allocator = counting.allocator();
    options.allocator.release = nullptr;
    EXPECT_FALSE(HairSim::create({}, {}, {}, options));
}

TEST(views, widths_are_stored_in_the_order_of_positions) {
    const SampleHair groom;
    std::vector<float> widths;
    for (std::size_t k = 0; k < groom.positions.size() / 3; ++k)
        widths.push_back(1e-4f + 1e-6f * static_cast<float>(k));
    StrandArrays strands = groom.arrays();
    strands.widths = widths;
    Result<HairSim> hair = HairSim::create(strands, {});
    ASSERT_TRUE(hair);
    const NumberView view = hair->widths();
    std::size_t next = 0;
    for (int s = 0; s < view.strand_count(); ++s)
        for (int i = 0; i < view.counts()[static_cast<std::size_t>(s)]; ++i)
            EXPECT_EQ(view.at(s, i), widths[next++]);
    EXPECT_EQ(next, widths.size());
    EXPECT_EQ(view.memory().data(), hair->widths().memory().data());
    EXPECT_TRUE(make_sample(0).widths().empty());

    widths[3] = -1;
    strands.widths = widths;
    EXPECT_EQ(HairSim::create(strands, {}).error().text(), "widths[3] is not a width in metres");
    widths.pop_back();
    strands.widths = widths;
    EXPECT_NE(HairSim::create(strands, {}).error().text().find("widths: "), std::string::npos);
}

TEST(views, tangents_are_those_of_a_circle) {
    std::vector<float> xyz;
    const int counts[] = {33, 1};
    for (int i = 0; i < counts[0]; ++i) {
        const float angle = 0.1f * static_cast<float>(i);
        xyz.insert(xyz.end(), {0.1f * std::cos(angle), 0.1f * std::sin(angle), 0});
    }
    xyz.insert(xyz.end(), {0, 0, 0});
    const Result<HairSim> hair = HairSim::create({xyz, counts}, {});
    ASSERT_TRUE(hair);
    for (int i = 0; i < counts[0]; ++i) {
        // At both ends a segment stands for the tangent at its middle.
        const float at = i == 0 ? 0.5f : i == 32 ? 31.5f : static_cast<float>(i);
        const Vec3f t = tangent_at(hair->positions()[0], i);
        EXPECT_NEAR(t.x, -std::sin(0.1f * at), 1e-4f);
        EXPECT_NEAR(t.y, std::cos(0.1f * at), 1e-4f);
        EXPECT_NEAR(t.z, 0, 1e-6f);
    }
    EXPECT_EQ(tangent_at(hair->positions()[1], 0).x, 0);
}

TEST(views, the_layout_is_known_without_a_view) {
    HairSim hair = make_sample(0);
    EXPECT_EQ(hair.memory_size(), hair.positions().memory().size());
    EXPECT_EQ(hair.offsets().data(), hair.positions().offsets().data());
    EXPECT_EQ(hair.vertex_counts().data(), hair.positions().counts().data());
}

TEST(device_access, is_an_error_on_the_cpu) {
    HairSim hair = make_sample(0);
    for (const Result<DeviceVectors>& view : {hair.device_positions(), hair.device_velocities()}) {
        ASSERT_FALSE(view);
        EXPECT_EQ(view.error().text(),
                  "the CPU simulates; create with SimOptions::backend = Backend::cuda");
    }
    EXPECT_FALSE(hair.attach_gl_buffer(1));
    EXPECT_FALSE(hair.write_gl_buffer());
    hair.detach_gl_buffer();
    SimOptions options;
    options.level_of_detail = true;
    options.backend = Backend::cuda;
    EXPECT_FALSE(HairSim::create({}, {}, {}, options));
}

TEST(hooks, the_c_interface_has_them_too) {
    const SampleHair groom;
    CountingAllocator counting;
    const std::vector<float> widths(groom.positions.size() / 3, 1e-4f);
    ringlet_options options = ringlet_options_default();
    options.widths = widths.data();
    options.level_of_detail = 1;
    options.parallel_for = [](void*, int count, void (*task)(void*, int), void* context) {
        for (int k = count - 1; k >= 0; --k) task(context, k);
    };
    const auto create = [&] {
        return ringlet_hair_create(groom.positions.data(), groom.counts.data(),
                                   static_cast<int>(groom.counts.size()), nullptr, nullptr, 0,
                                   &options);
    };
    ringlet_hair* hair = create();
    ASSERT_NE(hair, nullptr) << ringlet_last_error();
    int active = 0;
    EXPECT_EQ(ringlet_hair_set_active_strands(hair, 8, &active), 0) << ringlet_last_error();
    EXPECT_EQ(active, 8);
    const ringlet_push push{{0, 1, 0}, {0, 0.9f, 0}, 0.5f, {3, 0, 0}};
    EXPECT_EQ(ringlet_hair_set_push(hair, &push), 0);
    EXPECT_EQ(ringlet_hair_step(hair, 1.0 / 60, nullptr), 0);
    EXPECT_EQ(ringlet_hair_set_push(hair, nullptr), 0);
    const ringlet_view view = ringlet_hair_widths(hair);
    EXPECT_EQ(view.memory[view.offsets[3]], 1e-4f);
    ringlet_view on_device{};
    EXPECT_EQ(ringlet_hair_device_positions(hair, &on_device), 1);
    ringlet_hair_destroy(hair);
    options.allocate = CountingAllocator::allocate;
    options.release = CountingAllocator::release;
    options.user = &counting;
    hair = create();
    ASSERT_NE(hair, nullptr) << ringlet_last_error();
    EXPECT_GT(counting.now, 1000u);
    ringlet_hair_destroy(hair);
    EXPECT_EQ(counting.now, 0u);
}

}  // namespace
}  // namespace ringlet
