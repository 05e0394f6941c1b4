// Failures of memory, and objects on several threads.
#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <thread>

#include "sample_mesh.h"
#include "test_level.h"
#include "unit/counted_memory.h"

namespace ringlet {
namespace {

const SampleMesh& sample_skin() {
    static const SampleMesh skin = SampleMesh::ring();
    return skin;
}

const SampleMesh& sample_ball() {
    static const SampleMesh ball = SampleMesh::ball(4);
    return ball;
}

// All kinds of colliders, the last one deforming.
std::vector<SimCollider> all_colliders() {
    std::vector<SimCollider> out = sample_colliders();
    out.push_back(sample_ball().collider());
    out.back().cell = 0.05f;
    return out;
}

// Memory of strands from operator new, so that it counts and fails, too.
SimAllocator counted_allocator() {
    const auto allocate = [](void*, std::size_t bytes, std::size_t alignment) -> void* {
        try {
            return ::operator new(bytes, std::align_val_t(alignment));
        } catch (const std::bad_alloc&) {
            return nullptr;
        }
    };
    const auto release = [](void*, void* memory, std::size_t) {
        ::operator delete(memory, std::align_val_t(64));
    };
    return {allocate, release, nullptr};
}

// After a failure the object works again once it is reset. Returns the failure.
Result<void> recover(HairSim& hair, const Result<void>& failure) {
    const Result<void> again = hair.reset();
    if (!again) return again.error();
    if (!hair.step(1.0 / 60)) return Error{"no step after reset()"};
    return failure;
}

// Creates, steps, saves and loads. Every failure must be an Error, and the object must work again
// after reset().
Result<void> run(const SampleHair& hair, const std::vector<SimCollider>& colliders, int model,
                 int threads) {
    SimOptions options = sample_options();
    options.threads = threads;
    options.keep_previous = true;
    options.level_of_detail = true;
    options.allocator = counted_allocator();
    SimSettings settings = sample_settings(model);
    settings.substeps = 2;
    const SampleMesh& skin = sample_skin();
    Result<HairSim> made = HairSim::create(skin.under(hair), settings, colliders, options);
    if (!made) return made.error();
    for (const Result<void>& done :
         {made->set_head_vertices(skin.positions),
          made->set_collider_vertices(static_cast<int>(colliders.size()) - 1,
                                      sample_ball().positions)})
        if (!done) return done;
    const Result<SimStepped> stepped = made->step(2.0 / 60);
    if (!stepped) {
        if (made->hash()) return Error{"a lost state has a hash"};
        return recover(*made, stepped.error());
    }
    const auto saved = made->save();
    if (!saved) return saved.error();
    if (const Result<void> loaded = made->load(*saved); !loaded) return recover(*made, loaded);
    if (const Result<int> active = made->set_active_strands(8); !active)
        return recover(*made, active.error());
    if (const Result<SimStepped> again = made->step(1.0 / 60); !again)
        return recover(*made, again.error());
    if (const Result<void> moved = made->teleport({}); !moved) return recover(*made, moved);
    if (const Result<void> back = made->reset(); !back) return recover(*made, back);
    if (const Result<SimReport> report = made->report(); !report) return report.error();
    if (const Result<std::string> hash = made->hash(); !hash) return hash.error();
    return {};
}

// Every allocation of a small run: of objects, of the memory of strands, and of texts of errors.
// A thread keeps its scratch memory, so leaks are searched for with one thread only.
void fail_allocations(int threads, long stride) {
    const SampleHair hair(9);
    const std::vector<SimCollider> colliders = all_colliders();
    for (int model = 0; model < model_count(); ++model) {
        SCOPED_TRACE(model_name(model));
        // Allocates what is allocated once per process.
        ASSERT_TRUE(run(hair, colliders, model, threads));
        const std::size_t before = counted_memory::now;
        int errors = 0;
        for (long n = 0;; n += stride) {
            counted_memory::until_failure = n;
            const Result<void> done = run(hair, colliders, model, threads);
            const bool failed = counted_memory::until_failure.exchange(-1) < 0;
            if (!failed) break;
            if (done) continue;  // the allocation was optional
            ++errors;
            ASSERT_EQ(done.error().message, "out of memory") << "allocation " << n;
        }
        EXPECT_GT(errors, 300 / stride);
        EXPECT_TRUE(run(hair, colliders, model, threads));
        if (threads == 1) {
            EXPECT_EQ(counted_memory::now, before);  // no leak
        }
    }
}

TEST(failures, every_allocation_may_fail) {
    if (kSanitizesThreads) GTEST_SKIP() << "one thread has no races";
    fail_allocations(1, test_level() == TestLevel::quick ? 5 : kSanitized ? 3 : 1);
}

TEST(failures, allocations_may_fail_on_several_threads) { fail_allocations(2, 7); }

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
