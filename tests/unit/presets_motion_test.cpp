// The presets in motion: after a nod, turns of the head and a gust of wind every strand returns to
// its place and to its side of the parting, none lies over the face, and at rest it is still.
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
constexpr float kMostCaught = 0.1f;   // of all strands; as many may lie elsewhere on the shoulders
constexpr float kAboveShoulders = 0.25f;  // m, y on the bust
constexpr float kMostJitter = 5e-5f;      // m

struct Motion {
    const char* name;
    const char* neck;  // head.neck
    double end;        // s
    float most_astray;
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

// The whole bust by 60 degrees in 0.6 s: it stays turned.
void turn(World& world) {
    add_key(world, kStart, {0, 0, 0});
    add_key(world, kStart + 0.6, {0, 60, 0});
}

// The head alone by 60 degrees in 0.6 s, and back: on the shoulders of a head that stays turned,
// long hair has another place.
void look_aside(World& world) {
    add_key(world, kStart, {0, 0, 0});
    add_key(world, kStart + 0.6, {0, 60, 0});
    add_key(world, kStart + 1.0, {0, 60, 0});
    add_key(world, kStart + 1.6, {0, 0, 0});
}

void gust(World& world) {
    world.wind.velocity = {0.001f, 0, 0};
    world.wind.gust = 4;
    world.wind.gust_time = static_cast<float>(kStart);
    world.wind.gust_duration = 1;
}

constexpr Motion kMotions[] = {{"nod", "auto", 2.5, kMostAstray, nod},
                               {"turn", "rigid", 0.6, kMostAstray, turn},
                               {"look_aside", "auto", 1.6, kMostCaught, look_aside},
                               {"gust", "auto", 1, kMostAstray, gust}};

Rigidf to_head(const Simulation& simulation, const HeadMotion& head) {
    return motion_from(pose_at(head, simulation.time()), Rigidf{{0, 0, 0, 1}, {0, 0, 0}});
}

// The tips of all strands in the head's frame.
std::vector<Vec3f> tips(const Simulation& simulation, const HeadMotion& head) {
    const Rigidf to_frame = to_head(simulation, head);
    const Channel<3>& x = simulation.state().x;
    std::vector<Vec3f> out;
    for (int s = 0; s < x.layout().strand_count(); ++s)
        out.push_back(apply(to_frame, x.vec3(s, x.layout().vertex_count(s) - 1)));
    return out;
}

// In front of the face of the bust, between the jaw and the brows and from eye to eye.
bool is_before_face(Vec3f p) {
    return std::abs(p.x) < 0.045f && p.y > 0.28f && p.y < 0.41f && p.z > 0.05f;
}

// Whether each strand lies over the face.
std::vector<bool> over_face(const Simulation& simulation, const HeadMotion& head) {
    const Rigidf to_frame = to_head(simulation, head);
    const Channel<3>& x = simulation.state().x;
    std::vector<bool> out;
    for (int s = 0; s < x.layout().strand_count(); ++s) {
        bool is_over = false;
        for (int i = 0; i < x.layout().vertex_count(s); ++i)
            is_over = is_over || is_before_face(apply(to_frame, x.vec3(s, i)));
        out.push_back(is_over);
    }
    return out;
}

// Whether a tip has moved from one side of the parting to the other: by a centimetre at least.
bool changed_sides(Vec3f before, Vec3f after, float part) {
    constexpr float kClear = 0.005f;  // m, from the parting
    const float was = before.x - part, is = after.x - part;
    return (was > kClear && is < -kClear) || (was < -kClear && is > kClear);
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
    // m, of that mean position above its place; 0 on the shoulders, where a strand does not stand
    // up but lies higher.
    std::vector<float> raised;
    float rest_jitter = 0;  // m, the most that a tip moves per step before the motion
    int misplaced = 0;      // strands on the other side of the parting, or over the face
    // m, largest change of each tip's displacement from step to step in that second. A slow swing
    // that still decays hardly contributes.
    std::vector<float> jitter;
};

// The largest distance between two sets of points.
float largest_move(const std::vector<Vec3f>& before, const std::vector<Vec3f>& now) {
    float out = 0;
    for (std::size_t s = 0; s < now.size(); ++s) out = max(out, norm(now[s] - before[s]));
    return out;
}

Outcome move(Simulation& simulation, World world, float part, const Motion& motion) {
    world.head.motion = MotionKind::none;
    world.head.keys.clear();
    world.wind = {};
    motion.set(world);
    const TaskPool pool(0);
    simulation.set_world(world, pool);
    Outcome out;
    std::vector<Vec3f> place = tips(simulation, world.head);
    while (simulation.time() < kStart - 1e-6) {
        simulation.step(pool);
        const std::vector<Vec3f> now = tips(simulation, world.head);
        out.rest_jitter = max(out.rest_jitter, largest_move(std::exchange(place, now), now));
    }
    const std::vector<bool> fringe = over_face(simulation, world.head);
    std::vector<Vec3f> sum(place.size(), Vec3f{0, 0, 0}), before = place, earlier = place;
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
    const std::vector<bool> over = over_face(simulation, world.head);
    for (std::size_t s = 0; s < place.size(); ++s) {
        const Vec3f mean = sum[s] * (1 / static_cast<float>(summed));
        out.afterwards.push_back(norm(mean - place[s]));
        out.raised.push_back(mean.y > kAboveShoulders ? mean.y - place[s].y : 0);
        out.misplaced += changed_sides(place[s], mean, part) || (over[s] && !fringe[s]);
    }
    return out;
}

class MovingPresets : public testing::TestWithParam<std::string> {};

TEST_P(MovingPresets, return_to_their_style) {
    if (kSanitized && GetParam() != "straight" && GetParam() != "curls")
        GTEST_SKIP() << "the same code as with the other presets";
    const bool is_short = test_level() < TestLevel::all;
    for (const Motion& motion : kMotions) {
        SCOPED_TRACE(motion.name);
        Result<Session> opened = Session::open(
            GetParam(),
            {.overrides = {is_short ? "groom.strands=40" : "groom.strands=400", "groom.guides=0",
                           "record.settle=0", std::string("head.neck=") + motion.neck}});
        ASSERT_TRUE(opened);
        Actor& actor = opened->impl().actors.front();
        const float part = actor.scene.groom.comb.part;
        const Outcome out = move(actor.simulation(), actor.scene.world, part, motion);
        const float count = static_cast<float>(out.afterwards.size());
        EXPECT_LT(median(out.afterwards), kReturned);
        // A single strand is more than 2 % of a short run.
        EXPECT_LE(share_above(kAstray, out.afterwards), max(motion.most_astray, 1 / count));
        EXPECT_LE(static_cast<float>(out.misplaced), kMostAstray * count);
        EXPECT_LT(*std::ranges::max_element(out.raised), kAstray);
        EXPECT_LE(share_above(kMostJitter, out.jitter), kMostAstray);
        EXPECT_LT(out.rest_jitter, kMostJitter);
        // The shortest hair, of 7 mm, bends by a hundredth of a millimetre.
        EXPECT_GT(*std::ranges::max_element(out.farthest), 1e-6f) << "no strand moves at all";
        const auto record = [&](const char* what, float value) {
            RecordProperty(std::string(motion.name) + what, std::to_string(value));
        };
        record("_farthest_mm", 1000 * median(out.farthest));
        record("_afterwards_mm", 1000 * median(out.afterwards));
        record("_astray_percent", 100 * share_above(kAstray, out.afterwards));
        record("_misplaced_percent", 100 * static_cast<float>(out.misplaced) / count);
        record("_raised_mm", 1000 * *std::ranges::max_element(out.raised));
        record("_jitter_mm", 1000 * median(out.jitter));
        record("_rest_jitter_mm", 1000 * out.rest_jitter);
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
