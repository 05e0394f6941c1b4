// The loop of a game: frames of uneven length, a character that walks, turns and teleports, a hand
// that moves through the hair, and a second thread that draws while the next frame is simulated.
// The state is saved at a checkpoint and loaded again. Links ringlet::sim only.
#include <ringlet/sim.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <thread>
#include <vector>

namespace {

template <class T>
T checked(ringlet::Result<T> result) {
    if (result) return std::move(*result);
    std::fprintf(stderr, "%s\n", result.error().text().c_str());
    std::exit(1);
}

void check(const ringlet::Result<void>& result) {
    if (result) return;
    std::fprintf(stderr, "%s\n", result.error().text().c_str());
    std::exit(1);
}

// The data of the drawing thread: a copy of the frame, because the simulation goes on meanwhile. A
// program that draws before it simulates again reads the views themselves.
struct Frame {
    std::vector<float> before, now;
    float interpolation = 0;
};

Frame take_frame(const ringlet::HairSim& hair, float interpolation) {
    const std::span<const float> before = hair.previous_positions().memory();
    const std::span<const float> now = hair.positions().memory();
    return {{before.begin(), before.end()}, {now.begin(), now.end()}, interpolation};
}

// Stands for a renderer: returns the lowest y of the interpolated roots and tips.
float draw(const Frame& frame, std::span<const std::size_t> offsets) {
    float lowest = 1e9f;
    for (const std::size_t root : offsets) {
        const std::size_t y = root + ringlet::StrandVectors::kComponentStride;
        const float at = frame.before[y] + (frame.now[y] - frame.before[y]) * frame.interpolation;
        lowest = std::fmin(lowest, at);
    }
    return lowest;
}

ringlet::HairSim make_hair() {
    std::vector<float> positions;
    std::vector<int> counts;
    for (int s = 0; s < 200; ++s) {
        const float angle = 0.0314f * static_cast<float>(s);
        counts.push_back(16);
        for (int i = 0; i < 16; ++i) {
            const float out = 0.09f + 0.002f * static_cast<float>(i);
            positions.insert(positions.end(),
                             {out * std::cos(angle), 1.7f - 0.012f * static_cast<float>(i),
                              out * std::sin(angle)});
        }
    }
    ringlet::SimCollider skull;
    skull.motion = ringlet::SimMotion::with_head;
    skull.centre = {0, 1.7f, 0};
    skull.radius = 0.085f;
    ringlet::SimCollider hand;
    hand.shape = ringlet::SimShape::capsule;
    hand.motion = ringlet::SimMotion::posed;
    hand.centre = {-0.05f, 0, 0};
    hand.end = {0.05f, 0, 0};
    hand.radius = 0.02f;
    hand.pose.translation = {0, 1.6f, 0.3f};
    const ringlet::SimCollider colliders[] = {skull, hand};
    ringlet::SimOptions options;
    options.keep_previous = true;  // frames lie between two steps
    options.wind.velocity = {0.5f, 0, 0};
    return checked(ringlet::HairSim::create({positions, counts}, {}, colliders, options));
}

}  // namespace

int main() {
    ringlet::HairSim hair = make_hair();
    std::vector<std::byte> checkpoint;
    std::thread drawing;
    Frame frame;
    float lowest = 0;
    for (int k = 0; k < 240; ++k) {
        const double seconds = 0.004 + 0.004 * (k % 5);  // 50 to 250 frames per second
        const float walked = 0.002f * static_cast<float>(k), turn = 0.01f * static_cast<float>(k);
        ringlet::Rigidf pose{{0, std::sin(turn / 2), 0, std::cos(turn / 2)}, {walked, 0, 0}};
        if (k >= 120) pose.translation.z += 50;
        check(hair.set_head(pose));
        check(hair.set_collider_pose(
            1, {{0, 0, 0, 1}, {walked, 1.6f, pose.translation.z + 0.3f - 0.2f * turn}}));
        // A door to another place. The hand is there already: its new pose takes effect, too.
        if (k == 120) check(hair.teleport(pose));
        const ringlet::SimStepped stepped = checked(hair.step(seconds));
        if (k == 60) checkpoint = checked(hair.save());
        if (drawing.joinable()) drawing.join();
        frame = take_frame(hair, stepped.interpolation);
        drawing = std::thread([&frame, &lowest, offsets = hair.positions().offsets()] {
            lowest = draw(frame, offsets);
        });
    }
    drawing.join();
    const ringlet::SimReport report = checked(hair.report());
    for (const ringlet::Warning& warning : report.warnings)
        std::fprintf(stderr, "%s\n", warning.line().c_str());
    std::printf("%lld steps, lowest root at %.3f m\n", static_cast<long long>(report.steps),
                static_cast<double>(lowest));
    check(hair.load(checkpoint));
    return report.warnings.empty() && hair.time() < 1 ? 0 : 1;
}
