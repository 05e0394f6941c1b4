// The presets in motion: after a nod, a turn of the head and a gust of wind every strand returns to
// its place, and at rest it is still.
#include <gtest/gtest.h>

#include "ringlet/ringlet.h"
#include "session/live/session_impl.h"
#include "test_level.h"

namespace ringlet {
namespace {

constexpr double kStart = 1;          // s, of the motion; before it the hair is at rest
constexpr float kReturned = 0.015f;   // m, median over the tips
constexpr float kAstray = 0.03f;      // m; farther off, a strand may lie on another side
constexpr float kMostAstray = 0.02f;  // of all strands; as many may still swing
constexpr float kMostJitter = 5e-5f;  // m

struct Motion {
    const char* name;
    double end;  // s
    void (*set)(World& world);
};

void add_key(World& world, double time, Vec3f degrees) {
    world.head.keys.push_back({static_cast<float>(time), {0, 0, 0}, degrees});
}

// 0.3 rad at 0.7 Hz for 2 s; then the head returns within half a second.
void nod(World& world) {
    for (int k = 0; k <= 40; ++k) {
        const double t = 0.05 * k;
        const double degrees = 0.3 * 180 / 3.14159265 * std::sin(2 * 3.14159265 * 0.7 * t);
        add_key(world, kStart + t, {static_cast<float>(degrees), 0, 0});
    }
    add_key(world, kStart + 2.5, {0, 0, 0});
}

// 60 degrees in 0.6 s.
void turn(World& world) {
    add_key(world, kStart, {0, 0, 0});
    add_key(world, kStart + 0.6, {0, 60, 0});
}

void gust(World& world) {
    world.wind.velocity = {0.001f, 0, 0};
    world.wind.gust = 4;
    world.wind.gust_time = static_cast<float>(kStart);
    world.wind.gust_duration = 1;
}

constexpr Motion kMotions[] = {{"nod", 2.5, nod}, {"turn", 0.6, turn}, {"gust", 1, gust}};

// The tips of all strands in the head's frame.
std::vector<Vec3f> tips(const Simulation& simulation, const HeadMotion& head) {
    const Rigidf to_head =
        motion_from(pose_at(head, simulation.time()), Rigidf{{0, 0, 0, 1}, {0, 0, 0}});
    const Channel<3>& x = simulation.state().x;
    std::vector<Vec3f> out;
    for (int s = 0; s < x.layout().strand_count(); ++s)
        out.push_back(apply(to_head, x.vec3(s, x.layout().vertex_count(s) - 1)));
    return out;
}

float median(std::vector<float> values) {
    std::ranges::nth_element(values,
                             values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

float share_above(float limit, const std::vector<float>& values) {
    const auto count = std::ranges::count_if(values, [=](float value) { return value > limit; });
    return static_cast<float>(count) / static_cast<float>(values.size());
}

struct Outcome {
    std::vector<float> farthest;    // m, of each tip from its place at any time
    std::vector<float> afterwards;  // m, of its mean position in the fourth second after the motion
    std::vector<float> raised;      // m, of that mean position above its place
    // m, largest change of each tip's displacement from step to step in that second. A slow swing
    // that still decays hardly contributes.
    std::vector<float> jitter;
};

Outcome move(Simulation& simulation, World world, const Motion& motion) {
    world.head.motion = MotionKind::none;
    world.head.keys.clear();
    world.wind = {};
    motion.set(world);
    const TaskPool pool(0);
    simulation.set_world(world, pool);
    while (simulation.time() < kStart - 1e-6) simulation.step(pool);
    const std::vector<Vec3f> place = tips(simulation, world.head);
    std::vector<Vec3f> sum(place.size(), Vec3f{0, 0, 0}), before = place, earlier = place;
    Outcome out;
    out.farthest.resize(place.size());
    out.jitter.resize(place.size());
    int summed = 0;
    while (simulation.time() < kStart + motion.end + 4 - 1e-6) {
        simulation.step(pool);
        const std::vector<Vec3f> now = tips(simulation, world.head);
        const bool is_last_second = simulation.time() > kStart + motion.end + 3;
        summed += is_last_second;
        for (std::size_t s = 0; s < now.size(); ++s) {
            out.farthest[s] = max(out.farthest[s], norm(now[s] - place[s]));
            if (!is_last_second) continue;
            sum[s] += now[s];
            out.jitter[s] = max(out.jitter[s], norm(now[s] - before[s] * 2.0f + earlier[s]));
        }
        earlier = std::exchange(before, now);
    }
    for (std::size_t s = 0; s < place.size(); ++s) {
        const Vec3f off = sum[s] * (1 / static_cast<float>(summed)) - place[s];
        out.afterwards.push_back(norm(off));
        out.raised.push_back(off.y);
    }
    return out;
}

class MovingPresets : public testing::TestWithParam<std::string> {};

TEST_P(MovingPresets, return_to_their_style) {
    const bool is_short = test_level() < TestLevel::all;
    for (const Motion& motion : kMotions) {
        SCOPED_TRACE(motion.name);
        Result<Session> opened = Session::open(
            GetParam(), {.overrides = {is_short ? "groom.strands=40" : "groom.strands=400",
                                       "groom.guides=0", "record.settle=0"}});
        ASSERT_TRUE(opened);
        Actor& actor = opened->impl().actors.front();
        const Outcome out = move(actor.simulation(), actor.scene.world, motion);
        EXPECT_LT(median(out.afterwards), kReturned);
        EXPECT_LE(share_above(kAstray, out.afterwards), kMostAstray);
        EXPECT_LT(*std::ranges::max_element(out.raised), kAstray);
        EXPECT_LE(share_above(kMostJitter, out.jitter), kMostAstray);
        // The shortest hair, of 7 mm, bends by a hundredth of a millimetre.
        EXPECT_GT(*std::ranges::max_element(out.farthest), 1e-6f) << "no strand moves at all";
        RecordProperty(std::string(motion.name) + "_farthest_mm",
                       std::to_string(1000 * median(out.farthest)));
        RecordProperty(std::string(motion.name) + "_afterwards_mm",
                       std::to_string(1000 * median(out.afterwards)));
        RecordProperty(std::string(motion.name) + "_jitter_mm",
                       std::to_string(1000 * median(out.jitter)));
        if (is_short) break;
    }
}

std::vector<std::string> moved_by_rod() {
    std::vector<std::string> out = preset_names();
    std::erase(out, "fur");
    return out;
}

INSTANTIATE_TEST_SUITE_P(every_preset, MovingPresets, testing::ValuesIn(moved_by_rod()),
                         [](const auto& preset) { return preset.param; });

}  // namespace
}  // namespace ringlet
