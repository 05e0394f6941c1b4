// A coat of fur: simulates one tip per vertex of a pelt with a fixed time step. The caller passes
// the motion of the mesh; the renderer draws shells from one direction per vertex.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.h"
#include "base/parallel.h"
#include "fur/pelt.h"
#include "fur/settings.h"
#include "fur/tip_kernel.h"
#include "math/lane_choice.h"

namespace ringlet {

// Unit direction from a root to its tip in world space, scaled by 32767, as the GPU receives it.
struct PackedTip {
    std::int16_t x, y, z, unused;
};
PackedTip packed_tip(Vec3f direction);

class FurCoat {
public:
    // Starts at rest. `body` is the pose of the mesh: from its own frame to the world's.
    FurCoat(const Pelt& pelt, const FurSettings& settings, const Rigidf& body,
            LaneKind lanes = LaneKind::automatic);

    // Takes effect with the next call of advance().
    void set(const FurSettings& settings);
    // Takes over a deformed skin with the same vertices.
    void set_shape(const Pelt& pelt);
    // The motion of the mesh and the mean wind in one step.
    struct StepInput {
        Rigidf body;          // pose at the end of the step
        Vec3f wind{0, 0, 0};  // m/s
    };
    // Air that differs from tip to tip, at the end of the last step.
    struct Air {
        std::span<const AirWave> waves{};  // not owned
        float shelter = 0;  // fraction by which the wind on a flat-lying tip is reduced
    };
    // Advances one step of settings.dt per entry. `colliders` are posed as at the end of the last
    // step.
    void advance(std::span<const StepInput> steps, std::span<const PlacedCollider> colliders,
                 const Air& air, const TaskPool& pool);
    void advance(std::span<const StepInput> steps, std::span<const PlacedCollider> colliders,
                 const TaskPool& pool) {
        advance(steps, colliders, {}, pool);
    }

    int vertex_count() const { return count_; }
    float unit() const { return unit_; }                       // m
    float length() const { return settings_.length * unit_; }  // m
    Vec3f tip(int vertex) const;                               // m
    Vec3f velocity(int vertex) const;                          // m/s, in the fur's own time
    // Number of tips that were not finite after the last advance() and were reset to rest.
    int repaired_count() const { return repaired_; }
    // Largest relative difference between |tip - root| and the length of the fur, after the last
    // advance().
    double max_stretch() const;
    void add_to(Hash& hash) const;

    // Computes the directions of all tips, interpolated between before (t = 0) and after (t = 1)
    // the last advance().
    void directions(float t, std::vector<PackedTip>& out, const TaskPool& pool) const;
    // All memory that set_shape() and advance() change and a later call reads.
    std::vector<std::span<std::byte>> changing_memory();
    std::size_t byte_count() const { return (rest_.size() + state_.size()) * sizeof(float); }

private:
    int block_count() const { return (count_ + kTipLanes - 1) / kTipLanes; }
    float* rest_of(int block) { return rest_.data() + block * kRestRows * kTipLanes; }
    float* state_of(int block) { return state_.data() + block * kStateRows * kTipLanes; }
    float length_of(int vertex) const;  // m
    Vec3f state(int vertex, int row) const;
    // Vector from root to tip, m.
    Vec3f from_root(int vertex, const std::vector<float>& states, const Rigidf& body) const;
    Vec3f root(int vertex, const Rigidf& body) const;
    void put_at_rest(int vertex);
    int repair(int block);
    TipUniforms uniforms_of(std::span<const StepInput> steps,
                            std::span<const PlacedCollider> colliders, const Air& air);

    FurSettings settings_;
    bool original_ = false;
    float unit_ = 1;
    int count_ = 0;
    std::vector<float> lengths_;  // relative
    std::vector<float> rest_, state_, before_;
    std::vector<TipStep> steps_;
    Rigidf body_, body_before_;
    void (*move_)(const TipUniforms&, const TipBlocks&);
    int repaired_ = 0;
};

}  // namespace ringlet
