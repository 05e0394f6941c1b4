// Checks of invariants: energy, lengths, rest shapes, momentum, rotation of the world.
#include <algorithm>

#include "validate/check.h"
#include "validate/lab.h"

namespace ringlet {

namespace {

using namespace lab;

constexpr double kGravity = 9.81;
constexpr int kMaxPoints = 300;  // per curve over time

// Keeps every n-th sample, so that a plot stays small.
void add_sample(PlotCurve& curve, int step, int steps, double x, double y) {
    if (step % std::max(1, steps / kMaxPoints) == 0) curve.points.push_back({x, y});
}

// The energy of a strand of equal segments, straight along +x at rest, over its weight times its
// length. `stiffness` is EI/(rho A); a model without it has no bending energy.
class StrandEnergy {
public:
    StrandEnergy(const Profile& profile, int segments, double length, double stiffness)
        : end_mass_(profile.end_mass),
          has_inertia_(profile.has_si_stiffness),
          segments_(segments),
          length_(length),
          stiffness_(stiffness),
          stretch_(profile.stretch_stiffness) {}

    double operator()(const SimState& state) const {
        const double l = length_ / segments_;
        double energy = 0, weight = 0;
        Vec3d before{1, 0, 0};
        for (int i = 0; i < segments_; ++i) {
            const double mass = l * (i + 1 == segments_ ? end_mass_ : 1);
            const Vec3d x = wide(state.x.vec3(0, i + 1)), v = wide(state.v.vec3(0, i + 1));
            energy += mass * (0.5 * dot(v, v) + kGravity * x.y);
            weight += mass * kGravity;
            const Vec3d d = (x - wide(state.x.vec3(0, i))) * (1 / l);
            const Vec3d turning = cross(d, v - wide(state.v.vec3(0, i))) * (1 / l);
            if (has_inertia_) energy += 0.5 * (l * l * l / 12) * dot(turning, turning);
            const double longer = norm(d) - 1;
            energy += 0.5 * stretch_ * l * longer * longer;
            const double bend = std::atan2(norm(cross(before, d)), dot(before, d));
            energy += 0.5 * stiffness_ / (i == 0 ? l / 2 : l) * bend * bend;
            before = d;
        }
        return energy / (weight * length_);
    }

private:
    static double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
    double end_mass_;
    bool has_inertia_;
    int segments_;
    double length_, stiffness_, stretch_;
};

// A released strand whose energy is measured.
struct EnergyCase {
    const char* name;
    SimSettings settings;
    double length;     // m
    double stiffness;  // EI/(rho A), m^4/s^2
    int colour;
};

// The largest rise above the smallest value so far.
double watch_energy(const CheckRun& run, const EnergyCase& swing, PlotCurve& curve) {
    const int segments = 32;
    const StrandEnergy energy(run.profile, segments, swing.length, swing.stiffness);
    Simulation simulation = run.simulation(
        strands_of(
            {straight_line({0, 0, 0}, {1, 0, 0}, static_cast<float>(swing.length), segments + 1)}),
        swing.settings);
    const double seconds = run.is_full() ? 10 : 4;
    const int steps = static_cast<int>(seconds / static_cast<double>(swing.settings.dt));
    double least = energy(simulation.state()), rise = 0;
    curve.points.push_back({0, least});
    for (int k = 0; k < steps; ++k) {
        simulation.step(run.pool);
        const double now = energy(simulation.state());
        rise = std::max(rise, now - least);
        least = std::min(least, now);
        add_sample(curve, k, steps, simulation.time(), now);
    }
    return rise;
}

CheckOutcome energy(const CheckRun& run) {
    CheckOutcome out;
    Plot plot;
    plot.name = "energy";
    plot.title = "Energy of a strand released horizontally, without drag";
    plot.x_label = "time, s";
    plot.y_label = "energy / (weight x length)";
    SimSettings limp = run.profile.limp_settings();
    limp.clamp_root = false;
    SimSettings fine = limp;
    fine.dt = 1.0f / 1920;
    fine.substeps = 1;
    std::vector<EnergyCase> swings = {{"limp, dt 1/60", limp, 0.3, 0, run.profile.index},
                                      {"limp, dt 1/1920", fine, 0.3, 0, run.profile.index + 4}};
    if (run.profile.has_si_stiffness) {
        SimSettings hair = run.profile.settings();
        swings.push_back({"clamped hair", hair, 0.1, stiffness_over_weight(hair), kSecondColour});
    }
    for (const EnergyCase& swing : swings) {
        PlotCurve curve = measured_curve(run, true);
        curve.label += std::string(", ") + swing.name;
        curve.colour = swing.colour;
        out.bound(std::string(swing.name) + ": largest rise", watch_energy(run, swing, curve),
                  1e-4);
        plot.curves.push_back(curve);
    }
    out.plots = {plot};
    return out;
}

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

constexpr Check kChecks[] = {
    {"energy",
     "A strand of 32 segments is released horizontally, without drag: a limp one of 0.3 m with "
     "usual "
     "and with small steps, and (rod) a clamped hair of 0.1 m, including its bending energy.",
     "energy, over weight times length, never rises above its smallest value so far", energy},
    {"stretch",
     "A horizontal strand, a hanging strand and a curl, at rest and while the head shakes at 2 Hz "
     "by "
     "0.3 head radii.",
     "hair does not stretch", stretch},
    {"rest_shape", "A curl, a horizontal and an inclined strand rest for 10 s on a rotated head.",
     "the groomed shape stays", rest_shape},
    {"momentum", "A free curl gets random velocities, without gravity.",
     "internal forces conserve linear momentum", momentum},
    {"turned_world", "A curl falls, and falls again with the whole world rotated by 1.1 rad.",
     "the results differ only by that rotation", turned_world},
};

}  // namespace

std::span<const Check> invariant_checks() { return kChecks; }

}  // namespace ringlet
