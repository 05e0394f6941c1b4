// sim.carry and jumps of the head, in every model.
#include "physics/every_model.h"

namespace ringlet {
namespace {

using namespace lab;

SimSettings settings_of(int model) {
    SimSettings out;
    out.model = model;
    out.gravity = {0, 0, 0};
    out.damping = 0;
    return out;
}

const std::vector<Vec3f> kCurl = helix({0.1f, 0, 0}, 0.01f, 0.04f, 0.2f, 33);

// The largest distance of a vertex from its groomed position on the head.
double largest_lag(const Simulation& simulation) {
    double most = 0;
    for (int i = 0; i < 33; ++i)
        most = std::max(
            most, norm(wide(simulation.state().x.vec3(0, i)) -
                       wide(apply(simulation.head_pose(), kCurl[static_cast<std::size_t>(i)]))));
    return most;
}

TEST_P(EveryModel, fully_carried_hair_keeps_its_shape) {
    for (const float carry : {1.0f, 0.0f}) {
        SimSettings settings = settings_of(GetParam());
        settings.follow_head = carry;
        World world;
        world.head.motion = MotionKind::spin;
        world.head.frequency = 0.7f;
        world.head.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {0.4f, 0.1f, 0.2f}, {20, 0, 50}}};
        Simulation simulation(strands_of({kCurl}), settings, world, 1);
        run(simulation, 1);
        if (carry == 1)
            EXPECT_LT(largest_lag(simulation), 1e-4);
        else
            EXPECT_GT(largest_lag(simulation), 1e-2);
    }
}

TEST_P(EveryModel, hair_moves_along_when_the_head_jumps) {
    for (const float most_felt : {1.0f, 1e6f}) {
        SimSettings settings = settings_of(GetParam());
        settings.follow_head_above = most_felt;
        World world;
        world.head.keys = {{0.5f, {0, 0, 0}, {0, 0, 0}}, {0.501f, {1, 0, 0}, {0, 90, 0}}};
        Simulation simulation(strands_of({kCurl}), settings, world, 1);
        double lag = 0;
        for (int k = 0; k < 40; ++k) {
            simulation.step(pool());
            lag = std::max(lag, largest_lag(simulation));
        }
        if (most_felt == 1)
            EXPECT_LT(lag, 0.1);
        else
            EXPECT_GT(lag, 0.1);
        EXPECT_TRUE(all_finite(simulation.state()));
    }
}

}  // namespace
}  // namespace ringlet
