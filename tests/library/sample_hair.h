// Small grooms, colliders and settings for the tests of ringlet::sim.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ringlet/sim.h"

namespace ringlet {

// Curled strands of 9 to 12 vertices that hang from a circle of 10 cm.
struct SampleHair {
    std::vector<float> positions;
    std::vector<int> counts;

    explicit SampleHair(int strands = 20) {
        for (int s = 0; s < strands; ++s) {
            counts.push_back(9 + s % 4);
            const float angle = 0.7f * static_cast<float>(s);
            for (int i = 0; i < counts.back(); ++i) {
                const float along = static_cast<float>(i), out = 0.1f + 0.01f * along;
                const float curl = 0.01f * std::sin(along);
                positions.insert(positions.end(),
                                 {out * std::cos(angle) + curl, 1 - 0.015f * along,
                                  out * std::sin(angle) + 0.01f * std::cos(along)});
            }
        }
    }
    StrandArrays arrays() const { return {positions, counts}; }
};

// Everything that a simulation can depend on: bodies at rest, on the head and moving, wind with
// turbulence, and coupling between strands.
inline std::vector<SimCollider> sample_colliders() {
    SimCollider head;
    head.motion = SimMotion::with_head;
    head.centre = {0, 0.95f, 0};
    head.radius = 0.09f;
    SimCollider hand;
    hand.shape = SimShape::capsule;
    hand.motion = SimMotion::posed;
    hand.centre = {-0.1f, 0, 0};
    hand.end = {0.1f, 0, 0};
    hand.radius = 0.03f;
    hand.pose.translation = {0.1f, 0.88f, 0.2f};
    SimCollider ground;
    ground.shape = SimShape::plane;
    ground.centre = {0, 0.84f, 0};
    return {head, hand, ground};
}

inline SimSettings sample_settings(int model) {
    SimSettings out;
    out.model = model;
    out.substeps = 4;
    out.hair_hair.friction = 5;
    return out;
}

inline SimOptions sample_options() {
    SimOptions out;
    out.threads = 2;
    out.wind.velocity = {1, 0, 0.5f};
    out.wind.turbulence = 0.5f;
    out.wind.shelter = 0.5f;
    return out;
}

inline HairSim make_sample(int model, const SimOptions& options = sample_options()) {
    const SampleHair hair;
    Result<HairSim> made =
        HairSim::create(hair.arrays(), sample_settings(model), sample_colliders(), options);
    EXPECT_TRUE(made) << made.error().text();
    return std::move(*made);
}

// A rotation about y by `turn` (rad) and a translation.
inline Rigidf pose_at(float turn, Vec3f translation) {
    return {{0, std::sin(turn / 2), 0, std::cos(turn / 2)}, translation};
}

// Frames `from` to `to` of a turning head and a hand that moves through the hair.
inline void play(HairSim& hair, int from, int to) {
    for (int frame = from; frame < to; ++frame) {
        const float along = 0.02f * static_cast<float>(frame);
        ASSERT_TRUE(hair.set_head(pose_at(along, {0.2f * along, 0, 0})));
        ASSERT_TRUE(hair.set_collider_pose(1, pose_at(0, {0.1f, 0.88f, 0.2f - 0.5f * along})));
        const Result<SimStepped> done = hair.step(1.0 / 60);
        ASSERT_TRUE(done) << done.error().text();
        ASSERT_EQ(done->steps, 1);
    }
}

inline std::string hash_of(const HairSim& hair) {
    const Result<std::string> hash = hair.hash();
    EXPECT_TRUE(hash) << hash.error().text();
    return hash ? *hash : "";
}

inline float distance(Vec3f a, Vec3f b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

inline Vec3f rotate_about_y(Vec3f p, float turn) {
    return {std::cos(turn) * p.x + std::sin(turn) * p.z, p.y,
            std::cos(turn) * p.z - std::sin(turn) * p.x};
}

// The largest speed of a vertex (m/s).
inline float fastest(const HairSim& hair) {
    float out = 0;
    for (int s = 0; s < hair.strand_count(); ++s)
        for (int i = 0; i < hair.velocities()[s].count; ++i)
            out = std::max(out, distance(hair.velocities()[s][i], {0, 0, 0}));
    return out;
}

}  // namespace ringlet
