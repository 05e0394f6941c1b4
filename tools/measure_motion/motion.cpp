#include "motion.h"

#include "validate/swings.h"

namespace ringlet {

namespace {

using namespace lab;

// The decay is measured while the amplitude is above this part of its start: later, what is left is
// the exchange of energy between several modes.
constexpr double kLastAmplitude = 0.1;

// The sum over all vertices of their displacement along a direction.
double displacement(const SimState& state, const std::vector<Vec3f>& from, Vec3f direction) {
    double sum = 0;
    for (std::size_t i = 0; i < from.size(); ++i)
        sum += static_cast<double>(dot(state.x.vec3(0, static_cast<int>(i)) - from[i], direction));
    return sum;
}

// The root of the kinetic energy of a strand, per unit of vertex mass.
double speed(const SimState& state) { return std::sqrt(kinetic_energy(state)); }

std::vector<Vec3f> vertices_of(const SimState& state) {
    std::vector<Vec3f> out;
    for (int i = 0; i < state.x.layout().vertex_count(0); ++i) out.push_back(state.x.vec3(0, i));
    return out;
}

}  // namespace

SimSettings settings_of(std::string_view model) {
    SimSettings out;
    out.model = model_named(model);
    out.damping = 0;
    out.pbd.mass_variation = 0;
    out.rod.integrator = Integrator::second_order;
    out.rod.solves = 1;
    return out;
}

Release pendulum_release() {
    return {straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 17), {1, 0, 0}, 0.05f, 4};
}

Release beam_release() {
    return {straight_line({0, 0, 0}, {1, 0, 0}, 0.1f, 9), {0, -1, 0}, 0.1f, 2};
}

Release hanging_curl(float radius, float pitch, float height) {
    return {helix({-radius, 0, 0}, radius, pitch, height, 57), {0, -1, 0}, 0.05f, 2};
}

Release curl_release() { return hanging_curl(0.013f, 0.045f, 0.2f); }

std::vector<HairType> hair_types() {
    const Vec3f down{0, -1, 0};
    return {{"straight", {straight_line({0, 0, 0}, {1, 0, 0}, 0.08f, 25), down, 0.1f, 2}},
            {"wavy", {helix({-0.006f, 0, 0}, 0.006f, 0.06f, 0.2f, 57), down, 0.05f, 2}},
            {"curly", {helix({-0.013f, 0, 0}, 0.013f, 0.045f, 0.2f, 57), down, 0.05f, 2}},
            {"coily", {helix({-0.005f, 0, 0}, 0.005f, 0.012f, 0.1f, 121), down, 0.05f, 2}}};
}

Swing measure(const SimSettings& settings, const Release& release) {
    Simulation simulation(strands_of({release.strand}), settings, {}, 1);
    const Vec3f gravity = settings.gravity;
    simulation.settle(8, pool());
    const std::vector<Vec3f> rest = vertices_of(simulation.state());
    simulation.set_gravity(gravity + release.direction * (release.pull * norm(gravity)));
    simulation.settle(8, pool());
    simulation.set_gravity(gravity);
    // The frequency is that of the changes, which a slow drift of the rest pose hardly affects.
    std::vector<double> offsets{displacement(simulation.state(), rest, release.direction)}, changes,
        speeds;
    while (simulation.time() < release.seconds) {
        simulation.step(pool());
        offsets.push_back(displacement(simulation.state(), rest, release.direction));
        changes.push_back(offsets.back() - offsets[offsets.size() - 2]);
        speeds.push_back(speed(simulation.state()));
    }
    const double dt = static_cast<double>(settings.dt), period = period_of(changes, dt, 3);
    const double window = std::isfinite(period) ? period : 0.25;
    return {static_cast<double>(dot(rest.back() - release.strand.back(), {0, -1, 0})), 1 / period,
            decay_of(offsets, dt, window, kLastAmplitude),
            decay_of(speeds, dt, window, kLastAmplitude)};
}

double energy_left(SimSettings settings) {
    settings.clamp_root = false;
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {0.8660254f, -0.5f, 0}, 0.3f, 17)}),
                          settings, {}, 1);
    const auto energy = [&] {
        double sum = kinetic_energy(simulation.state());
        for (int i = 1; i < 17; ++i)
            sum += 9.81 * (wide(simulation.state().x.vec3(0, i)).y + 0.3 * i / 16);
        return sum;
    };
    const double start = energy();
    run(simulation, 2);
    return energy() / start;
}

double pendulum_loss(SimSettings settings) {
    settings.clamp_root = false;
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.3f, 2)}), settings, {},
                          1);
    run(simulation, 20);
    const double height = wide(simulation.state().x.vec3(0, 1)).y;
    return -(kinetic_energy(simulation.state()) + 9.81 * height) / (9.81 * 0.3);
}

double spin_loss(SimSettings settings) {
    settings.gravity = {0, 0, 0};
    settings.hold_roots = false;
    Simulation simulation(strands_of({helix({0, 0, 0}, 0.01f, 0.04f, 0.2f, 33)}), settings, {}, 1);
    for (int i = 0; i < 33; ++i)
        simulation.state().v.set_vec3(
            0, i, cross(Vec3f{3, 0.5f, 6}, simulation.state().x.vec3(0, i) - Vec3f{0, -0.1f, 0}));
    const auto spin = [&] {
        Vec3d centre, momentum = linear_momentum(simulation.state());
        for (int i = 0; i < 33; ++i)
            centre = centre + wide(simulation.state().x.vec3(0, i)) * (1.0 / 33);
        return angular_momentum(simulation.state()) - cross(centre, momentum);
    };
    run(simulation, 0.1);  // the curl adapts to the rotation
    const Vec3d before = spin();
    run(simulation, 1);
    return norm(before - spin()) / norm(before);
}

}  // namespace ringlet
