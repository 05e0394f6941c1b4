// Bodies thinner than a segment, which vertices alone would miss: no strand may pass through one.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "physics/every_model.h"

namespace ringlet {
namespace {

using namespace lab;

constexpr float kRadius = 0.002f;  // m, of the bodies
constexpr float kSegment = 0.01f;  // m
constexpr int kCount = 32;         // strands
constexpr double kTurn = 2 * std::numbers::pi;

double angle_about_axis(Vec3d p) { return std::atan2(p.y, p.x); }
double wrapped(double angle) { return std::remainder(angle, kTurn); }

std::vector<Vec3d> relative_to(const SimState& state, int strand, Vec3f origin) {
    std::vector<Vec3d> out;
    for (int i = 0; i < state.x.layout().vertex_count(strand); ++i)
        out.push_back(wide(state.x.vec3(strand, i) - origin));
    return out;
}

// Counts how often a strand has passed through an axis along z, from its positions relative to the
// axis. The angles that its segments subtend, seen from the axis, add up to the angle between its
// ends, and each passage changes the sum by a turn. Only the ends must move in small steps.
class Passages {
public:
    explicit Passages(const std::vector<Vec3d>& strand)
        : ends_(angle_of_ends(strand)), start_(subtended(strand) - ends_) {}

    void follow(const std::vector<Vec3d>& strand) {
        ends_ += wrapped(angle_of_ends(strand) - ends_);
        turns_ = std::lround((subtended(strand) - ends_ - start_) / kTurn);
    }
    bool passed() const { return turns_ != 0; }

private:
    static double angle_of_ends(const std::vector<Vec3d>& strand) {
        return angle_about_axis(strand.back()) - angle_about_axis(strand.front());
    }
    static double subtended(const std::vector<Vec3d>& strand) {
        double sum = 0;
        for (std::size_t i = 0; i + 1 < strand.size(); ++i)
            sum += wrapped(angle_about_axis(strand[i + 1]) - angle_about_axis(strand[i]));
        return sum;
    }

    double ends_, start_;
    long turns_ = 0;
};

// A simulation of kCount strands that watches an axis along z.
struct Watched {
    Simulation simulation;
    std::vector<Passages> passages{};

    Watched(const std::vector<std::vector<Vec3f>>& lines, const SimSettings& settings, World world,
            Vec3f axis)
        : simulation(strands_of(lines), settings, std::move(world), 1) {
        for (int s = 0; s < kCount; ++s)
            passages.emplace_back(relative_to(simulation.state(), s, axis));
    }
    void step(Vec3f axis) {
        simulation.step(pool());
        for (std::size_t s = 0; s < passages.size(); ++s)
            passages[s].follow(relative_to(simulation.state(), static_cast<int>(s), axis));
    }
    long passed() const {
        return std::count_if(passages.begin(), passages.end(),
                             [](const Passages& one) { return one.passed(); });
    }
};

// The usual substeps of a model. Models of first order take each of them as a step of its own, so
// that the ends of the strands are followed more closely.
SimSettings settings_of(int model) {
    const ModelEntry& entry = all_models()[static_cast<std::size_t>(model)];
    SimSettings out;
    out.model = model;
    out.substeps = entry.substeps;
    out.pbd.mass_variation = 0;
    if (entry.profile.order == 1) {
        out.dt /= static_cast<float>(out.substeps);
        out.substeps = 1;
    }
    return out;
}

Collider thin_capsule() {
    return {.shape = ColliderShape::capsule,
            .centre = {0, 0, -0.5f},
            .end = {0, 0, 0.5f},
            .radius = kRadius,
            .friction = 0.5f,
            .attached = false};
}

// Strands of 20 cm that lie across the axis at a height above it, at every phase of a segment.
std::vector<std::vector<Vec3f>> level_strands(float height) {
    std::vector<std::vector<Vec3f>> lines;
    for (int s = 0; s < kCount; ++s) {
        const auto id = static_cast<std::uint32_t>(s);
        const float phase = static_cast<float>(s) / kCount - 0.5f;
        const SinCos<float> turn = sin_cos(0.4f * counter_signed(3, id, 0));
        const Vec3f along{turn.cos, 0.05f * counter_signed(3, id, 1), turn.sin};
        const Vec3f middle{phase * kSegment, height, 0.8f * phase};
        lines.push_back(straight_line(middle - along * 0.1f, along, 0.2f, 21));
    }
    return lines;
}

TEST_P(EveryModel, no_strand_falls_through_a_thin_capsule) {
    for (const float height : {0.02f, 0.05f, 0.1f, 0.2f}) {
        SCOPED_TRACE(height);
        SimSettings settings = settings_of(GetParam());
        settings.hold_roots = false;
        World world;
        world.colliders = {thin_capsule()};
        Watched watched(level_strands(height), settings, world, {0, 0, 0});
        for (double t = 0; t < 1; t += static_cast<double>(settings.dt)) watched.step({0, 0, 0});
        EXPECT_EQ(watched.passed(), 0);
        EXPECT_TRUE(all_finite(watched.simulation.state()));
    }
}

// The capsule meets hanging strands of 40 cm, 10 cm below their roots, and takes them along.
TEST_P(EveryModel, no_strand_is_passed_by_a_fast_thin_capsule) {
    for (const float speed : {0.5f, 2.0f}) {
        SCOPED_TRACE(speed);
        const SimSettings settings = settings_of(GetParam());
        Collider capsule = thin_capsule();
        capsule.posed = true;
        capsule.pose = {{0, 0, 0, 1}, {-0.05f, 0, 0}};
        World world;
        world.colliders = {capsule};
        std::vector<std::vector<Vec3f>> lines;
        for (int s = 0; s < kCount; ++s) {
            const float phase = static_cast<float>(s) / kCount - 0.5f;
            const Vec3f root{0, 0.1f + 2 * phase * kSegment, 0.3f * phase};
            lines.push_back(straight_line(root, {0, -1, 0}, 0.4f, 41));
        }
        Watched watched(lines, settings, world, {-0.05f, 0, 0});
        for (float t = settings.dt; t < 0.1f / speed + 0.1f; t += settings.dt) {
            const float x = min(-0.05f + speed * t, 0.05f);
            watched.simulation.set_collider_pose(0, {{0, 0, 0, 1}, {x, 0, 0}});
            watched.step({x, 0, 0});
        }
        EXPECT_EQ(watched.passed(), 0);
        EXPECT_TRUE(all_finite(watched.simulation.state()));
    }
}

double distance_to_segment(Vec3d p, Vec3d a, Vec3d b) {
    const Vec3d d = b - a, r = p - a;
    const double along = (d.x * r.x + d.y * r.y + d.z * r.z) / (d.x * d.x + d.y * d.y + d.z * d.z);
    return norm(r - d * std::clamp(along, 0.0, 1.0));
}

// A sphere is driven into the middle of a hanging strand, between two vertices.
TEST_P(EveryModel, thin_sphere_does_not_enter_a_segment) {
    const SimSettings settings = settings_of(GetParam());
    Collider sphere{.centre = {0, 0, 0}, .radius = kRadius, .friction = 0.5f};
    sphere.posed = true;
    sphere.pose = {{0, 0, 0, 1}, {-0.02f, 0, 0}};
    World world;
    world.colliders = {sphere};
    Simulation simulation(strands_of({straight_line({0, 0.105f, 0}, {0, -1, 0}, 0.2f, 21)}),
                          settings, world, 1);
    double nearest = 1;
    for (float t = settings.dt; t < 0.1f; t += settings.dt) {
        const Vec3f centre{-0.02f + 0.5f * t, 0, 0};
        simulation.set_collider_pose(0, {{0, 0, 0, 1}, centre});
        simulation.step(pool());
        const std::vector<Vec3d> strand = relative_to(simulation.state(), 0, centre);
        for (std::size_t i = 0; i + 1 < strand.size(); ++i)
            nearest = std::min(nearest, distance_to_segment({}, strand[i], strand[i + 1]));
    }
    EXPECT_GT(nearest, 0.5 * static_cast<double>(kRadius));
}

// A comb whose teeth are 8 mm apart is drawn down through strands that cross its gaps at an angle.
TEST_P(EveryModel, hair_passes_between_the_teeth_of_a_comb) {
    constexpr int kTeeth = 9, kPerGap = kCount / (kTeeth - 1);
    constexpr float kPitch = 0.008f;
    SimSettings settings = settings_of(GetParam());
    World world;
    std::vector<Vec3f> axes;
    for (int k = 0; k < kTeeth; ++k) {
        axes.push_back({kPitch * static_cast<float>(k), 0, 0});
        Collider tooth = thin_capsule();
        tooth.centre = axes.back() - Vec3f{0, 0, 0.03f};
        tooth.end = axes.back() + Vec3f{0, 0, 0.03f};
        tooth.friction = 0.2f;
        tooth.posed = true;
        world.colliders.push_back(tooth);
    }
    std::vector<std::vector<Vec3f>> lines;
    for (int s = 0; s < kCount; ++s) {
        const auto id = static_cast<std::uint32_t>(s);
        const float gap = static_cast<float>(s / kPerGap) + 0.5f;
        const Vec3f root{kPitch * gap, 0.03f, 0.004f * counter_signed(5, id, 0)};
        const Vec3f along{0.06f * counter_signed(5, id, 1), -1, 0.02f * counter_signed(5, id, 2)};
        lines.push_back(straight_line(root, unit_or(along, {0, -1, 0}), 0.3f, 31));
    }
    Simulation simulation(strands_of(lines), settings, world, 1);
    std::vector<Passages> passages;
    for (const Vec3f axis : axes)
        for (int s = 0; s < kCount; ++s)
            passages.emplace_back(relative_to(simulation.state(), s, axis));
    for (float t = settings.dt; t < 0.8f; t += settings.dt) {
        const Vec3f moved{0, -0.3f * t, 0};
        for (int k = 0; k < kTeeth; ++k) simulation.set_collider_pose(k, {{0, 0, 0, 1}, moved});
        simulation.step(pool());
        for (std::size_t at = 0; at < passages.size(); ++at)
            passages[at].follow(relative_to(simulation.state(), static_cast<int>(at) % kCount,
                                            axes[at / kCount] + moved));
    }
    EXPECT_EQ(std::count_if(passages.begin(), passages.end(),
                            [](const Passages& one) { return one.passed(); }),
              0);
    for (int s = 0; s < kCount; ++s)
        EXPECT_LT(simulation.state().x.vec3(s, 30).y, -0.24f)
            << "strand " << s << " was dragged up";
}

}  // namespace
}  // namespace ringlet
