// A coat of fur: the tips of a pelt, moved by a fixed step. What moves the body is told by the
// caller, step by step; what is drawn of it is a direction per vertex.
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

// Direction from a root to its tip in world space, in 32767ths: all that is sent to the GPU.
struct PackedTip {
    std::int16_t x, y, z, unused;
};

class FurCoat {
public:
    // At rest on a body in that pose.
    FurCoat(const Pelt& pelt, const FurSettings& settings, const Rigidf& body,
            LaneKind lanes = LaneKind::automatic);

    // Takes effect from the next call of advance on.
    void set(const FurSettings& settings);
    // The skin has changed its shape, not its vertices.
    void set_shape(const Pelt& pelt);
    // What happens around a coat in one of its steps.
    struct StepInput {
        Rigidf body;          // pose at the end of the step
        Vec3f wind{0, 0, 0};  // m/s
    };
    // How the air differs from tip to tip, at the end of the last step.
    struct Air {
        std::span<const AirWave> waves{};
        float shelter = 0;  // share of the wind that a tip which lies down is spared
    };
    // Takes the steps given, each over settings.dt; colliders stand as at the end of the last.
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
    Vec3f velocity(int vertex) const;                          // m/s of the fur's own time
    // Tips that were not numbers after the last call, and were put back to rest.
    int repaired_count() const { return repaired_; }
    // Largest relative difference of |tip - root| from the length of the fur, as the body stood at
    // the end of the last call.
    double max_stretch() const;
    void add_to(Hash& hash) const;

    // Directions of all tips at the share t of the way from before the last call to now.
    void directions(float t, std::vector<PackedTip>& out, const TaskPool& pool) const;
    std::size_t byte_count() const { return (rest_.size() + state_.size()) * sizeof(float); }

private:
    int block_count() const { return (count_ + kTipLanes - 1) / kTipLanes; }
    float* rest_of(int block) { return rest_.data() + block * kRestRows * kTipLanes; }
    float* state_of(int block) { return state_.data() + block * kStateRows * kTipLanes; }
    float length_of(int vertex) const;  // m
    Vec3f state(int vertex, int row) const;
    // From root to tip, m.
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
