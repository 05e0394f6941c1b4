// Checks of invariants: lengths, rest shapes, momentum, rotation of the world.
#include <algorithm>

#include "validate/check.h"
#include "validate/swings.h"

namespace ringlet {

namespace {

using namespace lab;

CheckOutcome stretch(const CheckRun& run) {
    CheckOutcome out;
    SimSettings settings = run.profile.curly_settings();
    settings.damping = 2;
    const auto strands = strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.3f, 33),
                                     straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 33),
                                     helix({0, 0, 0}, 0.01f, 0.04f, 0.2f, 33)});
    Simulation resting = run.simulation(strands, settings);
    lab::run(resting, run.is_full() ? 12 : 8, run.pool);
    out.bound("at rest", resting.measure(run.pool).max_stretch, 1e-5);

    Plot plot;
    plot.name = "stretch";
    plot.title = "Largest stretch of a segment in a 2 Hz shake of 3 cm";
    plot.x_label = "time, s";
    plot.y_label = "|length / rest length - 1|";
    plot.log_y = true;
    PlotCurve curve = measured_curve(run, true);
    settings.substeps = 4;
    settings.rod.solves = 2;
    settings.damping = 1;
    World world;
    world.head.motion = MotionKind::shake;
    Simulation shaken = run.simulation(strands, settings, world);
    const int steps = run.is_full() ? 600 : 240;
    double worst = 0;
    for (int k = 0; k < steps; ++k) {
        shaken.step(run.pool);
        const double now = shaken.measure(run.pool).max_stretch;
        worst = std::max(worst, now);
        add_sample(curve, k, steps, shaken.time(), std::max(now, 1e-8));
    }
    out.bound("in a 2 Hz shake of 3 cm, 4 substeps", worst, 0.005);
    plot.curves = {curve};
    out.plots = {plot};
    return out;
}

// The largest distance of a vertex from its groomed position, over the length of the strand.
double drift(const Simulation& simulation, const StrandSet& rest, int strand, double length) {
    double most = 0;
    for (int i = 0; i < rest.layout->vertex_count(strand); ++i)
        most = std::max(most,
                        norm(wide(simulation.state().x.vec3(strand, i)) -
                             wide(apply(simulation.head_pose(), rest.position.vec3(strand, i)))));
    return most / length;
}

CheckOutcome rest_shape(const CheckRun& run) {
    CheckOutcome out;
    // Arc lengths: 0.2 m of helix at 2 pi 0.01 m per 0.04 m of pitch is 0.372 m.
    const double lengths[] = {0.372, 0.08, 0.08};
    const StrandSet rest = strands_of({helix({-0.01f, 0, 0}, 0.01f, 0.04f, 0.2f, 65),
                                       straight_line({0, 0, 0}, {1, 0, 0}, 0.08f, 33),
                                       straight_line({0, 0, 0}, {0.6f, 0.48f, 0.64f}, 0.08f, 17)});
    World world;
    world.head.keys = {
        {0, {0, 0.1f, 0}, {0, 30, 0}}};  // a rotated head: gravity changes in its frame
    for (const bool has_gravity : {false, true}) {
        SimSettings settings = run.profile.curly_settings();
        run.profile.make_sag_free(settings);
        if (!has_gravity) settings.gravity = {0, 0, 0};
        Simulation simulation = run.simulation(rest, settings, world);
        lab::run(simulation, 10, run.pool);
        double worst = 0;
        for (int s = 0; s < 3; ++s) worst = std::max(worst, drift(simulation, rest, s, lengths[s]));
        out.bound(has_gravity ? "drift under gravity, over the length"
                              : "drift without gravity, over the length",
                  worst, 1e-5);
    }
    return out;
}

CheckOutcome momentum(const CheckRun& run) {
    CheckOutcome out;
    SimSettings settings = run.profile.curly_settings();
    settings.gravity = {0, 0, 0};
    settings.hold_roots = false;
    const int vertices = 33;
    Simulation simulation =
        run.simulation(strands_of({helix({0, 0, 0}, 0.01f, 0.04f, 0.2f, vertices)}), settings);
    kick(simulation.state(), 0.3f, {0.7f, -0.4f, 0.2f});
    const auto total = [&] {
        Vec3d sum;
        for (int i = 0; i < vertices; ++i)
            sum = sum + wide(simulation.state().v.vec3(0, i)) *
                            (i == 0 || i + 1 == vertices ? run.profile.end_mass : 1);
        return sum;
    };
    const Vec3d before = total();
    lab::run(simulation, 2, run.pool);
    out.bound("relative change in 2 s", norm(total() - before) / norm(before), 1e-6);
    return out;
}

// Angular momentum of a free strand about its centre of mass, in units of a vertex's mass.
Vec3d spin_of(const SimState& state, double end_mass) {
    const int vertices = state.x.layout().vertex_count(0);
    const auto mass = [&](int i) { return i == 0 || i + 1 == vertices ? end_mass : 1; };
    const double total = vertices - 2 + 2 * end_mass;
    Vec3d centre, velocity, sum;
    for (int i = 0; i < vertices; ++i) {
        centre = centre + wide(state.x.vec3(0, i)) * (mass(i) / total);
        velocity = velocity + wide(state.v.vec3(0, i)) * (mass(i) / total);
    }
    for (int i = 0; i < vertices; ++i)
        sum = sum + cross(wide(state.x.vec3(0, i)) - centre, wide(state.v.vec3(0, i)) - velocity) *
                        mass(i);
    return sum;
}

CheckOutcome angular_momentum(const CheckRun& run) {
    CheckOutcome out;
    SimSettings settings = at_usual_step(run.profile.curly_settings());
    settings.gravity = {0, 0, 0};
    settings.hold_roots = false;
    const int vertices = 33;
    const StrandSet rest = strands_of({helix({0, 0, 0}, 0.01f, 0.04f, 0.2f, vertices)});
    Simulation simulation = run.simulation(rest, settings);
    for (int i = 0; i < vertices; ++i)
        simulation.state().v.set_vec3(
            0, i, cross(Vec3f{3, 0.5f, 6}, rest.position.vec3(0, i) - Vec3f{0, -0.1f, 0}));
    lab::run(simulation, 0.1, run.pool);  // the curl adapts to the rotation
    const Vec3d before = spin_of(simulation.state(), run.profile.end_mass);
    lab::run(simulation, 1, run.pool);
    const Vec3d lost = before - spin_of(simulation.state(), run.profile.end_mass);
    out.bound("change in 1 s, relative", norm(lost) / norm(before), 0.01);
    return out;
}

CheckOutcome turned_world(const CheckRun& run) {
    CheckOutcome out;
    const Quatf turn = quat_from_axis_angle(unit_or(Vec3f{1, 2, -0.5f}, Vec3f{0, 1, 0}), 1.1f);
    const int vertices = 33;
    const std::vector<Vec3f> line = helix({0, 0, 0}, 0.01f, 0.04f, 0.2f, vertices);
    std::vector<Vec3f> turned;
    for (const Vec3f& x : line) turned.push_back(rotate(turn, x));
    SimSettings settings = run.profile.curly_settings();
    settings.damping = 2;
    Simulation upright = run.simulation(strands_of({line}), settings);
    settings.gravity = rotate(turn, settings.gravity);
    Simulation tilted = run.simulation(strands_of({turned}), settings);
    lab::run(upright, 1, run.pool);
    lab::run(tilted, 1, run.pool);
    double worst = 0;
    for (int i = 0; i < vertices; ++i)
        worst = std::max(worst, norm(wide(rotate(turn, upright.state().x.vec3(0, i))) -
                                     wide(tilted.state().x.vec3(0, i))));
    out.bound("difference after 1 s, over the length", worst / 0.372, 1e-5);
    return out;
}

constexpr Check kInvariantChecks[] = {
    {"stretch",
     "A horizontal strand, a hanging strand and a curl, at rest and while the head shakes at 2 Hz "
     "by "
     "0.3 head radii.",
     "hair does not stretch", stretch},
    {"rest_shape", "A curl, a horizontal and an inclined strand rest for 10 s on a rotated head.",
     "the groomed shape stays", rest_shape},
    {"momentum", "A free curl gets random velocities, without gravity.",
     "internal forces conserve linear momentum", momentum},
    {"angular_momentum",
     "A free curl rotates at one turn per second, without gravity, with steps of 1/60 s.",
     "internal forces conserve angular momentum", angular_momentum},
    {"turned_world", "A curl falls, and falls again with the whole world rotated by 1.1 rad.",
     "the results differ only by that rotation", turned_world},
};

}  // namespace

std::span<const Check> invariant_checks() { return kInvariantChecks; }

}  // namespace ringlet
