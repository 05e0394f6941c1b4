// Failures of memory, and objects on several threads.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "sample_hair.h"
#include "test_level.h"
#include "unit/counted_memory.h"

namespace ringlet {
namespace {

// Creates, steps, saves and loads. Every failure must be an Error, and the object must work again
// after reset().
Result<void> run(const SampleHair& hair, const std::vector<SimCollider>& colliders, int model,
                 int threads) {
    SimOptions options = sample_options();
    options.threads = threads;
    Result<HairSim> made =
        HairSim::create(hair.arrays(), sample_settings(model), colliders, options);
    if (!made) return made.error();
    const Result<SimStepped> stepped = made->step(2.0 / 60);
    if (!stepped) {
        if (made->hash()) return Error{"a lost state has a hash"};
        const Result<void> again = made->reset();
        if (!again) return again.error();
        if (!made->step(1.0 / 60)) return Error{"no step after reset()"};
        return stepped.error();
    }
    const auto saved = made->save();
    if (!saved) return saved.error();
    return made->load(*saved);
}

// A thread keeps its scratch memory, so leaks are searched for with one thread only.
void fail_every_allocation(int threads) {
    const SampleHair hair(9);
    const std::vector<SimCollider> colliders = sample_colliders();
    for (int model = 0; model < model_count(); ++model) {
        SCOPED_TRACE(model_name(model));
        // Allocates what is allocated once per process.
        ASSERT_TRUE(run(hair, colliders, model, threads));
        const std::size_t before = counted_memory::now;
        int errors = 0;
        for (long n = 0;; ++n) {
            counted_memory::until_failure = n;
            const Result<void> done = run(hair, colliders, model, threads);
            const bool failed = counted_memory::until_failure.exchange(-1) < 0;
            if (!failed) break;
            if (done) continue;  // the allocation was optional
            ++errors;
            ASSERT_EQ(done.error().message, "out of memory") << "allocation " << n;
        }
        EXPECT_GT(errors, 50);
        EXPECT_TRUE(run(hair, colliders, model, threads));
        if (threads == 1) {
            EXPECT_EQ(counted_memory::now, before);  // no leak
        }
    }
}

TEST(failures, every_allocation_may_fail) { fail_every_allocation(1); }

TEST(failures, every_allocation_may_fail_on_several_threads) { fail_every_allocation(2); }

// Objects on different threads share nothing: each run gives the bits of a run alone.
TEST(failures, a_thousand_objects_on_four_threads) {
    const int objects = test_level() >= TestLevel::full ? 250 : 25;
    std::vector<std::string> expected;
    for (int model = 0; model < model_count(); ++model) {
        HairSim hair = make_sample(model);
        play(hair, 0, 4);
        expected.push_back(hash_of(hair));
    }
    std::vector<std::thread> threads;
    std::atomic<int> same = 0;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int k = 0; k < objects; ++k) {
                const int model = (k + t) % model_count();
                HairSim hair = make_sample(model);
                play(hair, 0, 2);
                const auto saved = hair.save();
                play(hair, 2, 3);
                if (!saved || !hair.load(*saved)) continue;
                play(hair, 2, 4);
                same += hash_of(hair) == expected[static_cast<std::size_t>(model)];
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(same, 4 * objects);
}

}  // namespace
}  // namespace ringlet
