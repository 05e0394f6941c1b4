// Simulates strands from the program's own arrays, moves the head, and reads the positions without
// a copy. Links ringlet::sim only.
#include <ringlet/sim.h>

#include <cmath>
#include <cstdio>
#include <vector>

// 400 curled strands of 24 vertices on the upper half of a head with a radius of 9 cm.
static void make_strands(std::vector<float>& positions, std::vector<int>& counts) {
    for (int s = 0; s < 400; ++s) {
        // Points of a Fibonacci spiral are evenly spread over a sphere.
        const float up = 1 - static_cast<float>(s) / 500, around = 2.39996f * static_cast<float>(s);
        const float side = std::sqrt(1 - up * up);
        const ringlet::Vec3f normal{side * std::cos(around), up, side * std::sin(around)};
        counts.push_back(24);
        for (int i = 0; i < 24; ++i) {
            const float along = static_cast<float>(i), out = 0.09f + 0.006f * along;
            const float curl = 0.006f * std::fmin(along / 6, 1.0f);
            positions.push_back(out * normal.x + curl * std::cos(along));
            positions.push_back(out * normal.y);
            positions.push_back(out * normal.z + curl * std::sin(along));
        }
    }
}

int main() {
    std::vector<float> positions;  // m; strand after strand, root to tip
    std::vector<int> counts;
    make_strands(positions, counts);

    ringlet::SimSettings settings = ringlet::scene_defaults();  // rod: the stiffness of real hair
    settings.damping = 2;
    ringlet::SimCollider head;
    head.motion = ringlet::SimMotion::with_head;
    head.radius = 0.088f;

    auto hair = ringlet::HairSim::create({positions, counts}, settings, {&head, 1});
    if (!hair) {
        std::fprintf(stderr, "%s\n", hair.error().text().c_str());
        return 1;
    }
    for (int frame = 0; frame < 60; ++frame) {
        const float turn = 0.4f * std::sin(0.1f * static_cast<float>(frame));  // rad, about y
        const ringlet::Rigidf pose{{0, std::sin(turn / 2), 0, std::cos(turn / 2)}, {0, 0, 0}};
        if (!hair->set_head(pose) || !hair->step(1.0 / 60)) return 1;
    }
    const ringlet::StrandVectors strand = hair->positions()[0];
    const ringlet::Vec3f tip = strand[strand.count - 1];
    const auto report = hair->report();
    if (!report || report->nonfinite_vertices > 0) return 1;
    std::printf("tip of strand 0 at %.3f %.3f %.3f m, largest stretch %.4f %%\n",
                static_cast<double>(tip.x), static_cast<double>(tip.y), static_cast<double>(tip.z),
                100 * report->max_stretch);
}
