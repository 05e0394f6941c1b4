// Checks of contact and friction.
#include "validate/check.h"
#include "validate/lab.h"
#include "validate/reference.h"

namespace ringlet {

namespace {

using namespace lab;

// The displacement of the clamp, over the length, at which the foot of a rod on a plane slips.
double slips_at(const CheckRun& run, double friction) {
    constexpr int segments = 32;
    constexpr float length = 0.05f, speed = 0.004f;
    SimSettings settings = run.profile.settings();
    settings.gravity = {0, 0, 0};
    settings.substeps = 4;
    settings.damping = 2;
    settings.rod.damping = 0.01f;
    settings.rod.contact_limit = 1e4f;
    World world;
    world.colliders.push_back({.shape = ColliderShape::plane,
                               .friction = static_cast<float>(friction),
                               .attached = false});
    world.head.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {10, {0, -10 * speed, 0}, {0, 0, 0}}};
    std::vector<Vec3f> line;  // bent by 0.1 %, which determines the direction of buckling
    for (int i = 0; i <= segments; ++i) {
        const float s = static_cast<float>(i) / segments;
        line.push_back({0.001f * length * s * s, settings.collision_radius + length * (1 - s), 0});
    }
    Simulation simulation = run.simulation(strands_of({line}), settings, world);
    const float foot = simulation.state().x.vec3(0, segments).x;
    const auto slipped = [&] { return abs(simulation.state().x.vec3(0, segments).x - foot); };
    while (simulation.time() < 8 && slipped() < 0.005f * length) simulation.step(run.pool);
    return static_cast<double>(-simulation.head_pose().translation.y / length);
}

CheckOutcome stick_slip(const CheckRun& run) {
    CheckOutcome out;
    if (!run.profile.has_si_stiffness) {
        out.skip();
        return out;
    }
    for (const StickSlipRow& row : kStickSlip)
        out.compare(named("displacement / length, friction", row.friction),
                    slips_at(run, row.friction), row.lowered, 0.05);
    return out;
}

constexpr Check kContactChecks[] = {
    {"stick_slip",
     "A rod of 32 segments, clamped upright above a plane with friction, is lowered until its foot "
     "slips, with four substeps.",
     "elastica with a hinged foot, by shooting", stick_slip},
};

}  // namespace

std::span<const Check> contact_checks() { return kContactChecks; }

}  // namespace ringlet
