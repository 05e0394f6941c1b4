// The strands that collide with each other, and their motion in a substep as contact between
// strands predicts it.
//
// One strand of each clump collides, with the mass of all of them. Vertices are numbered over all
// strands that collide. A segment has the number of its first vertex.
#pragma once

#include "base/parallel.h"
#include "sim/model.h"
#include "sim/strand_beams.h"
#include "sim/strand_pair.h"
#include "sim/strand_tension.h"

namespace ringlet {

// The substep that follows.
struct ContactStep {
    StepStage stage;
    float h, span, whole_h;                  // s; see SubstepContext
    std::span<const char> active;            // per strand, 0 if it is not simulated; empty: all are
    std::span<const PlacedCollider> bodies;  // of the substep, on the CPU
};

class ContactStrands {
public:
    ContactStrands(const StrandSet& rest, const SimSettings& settings, const Model& model);

    int clump_count() const { return static_cast<int>(clumps_.size()); }
    // The strands of a clump; the first one collides.
    std::span<const int> strands_of(int clump) const {
        return clumps_[static_cast<std::size_t>(clump)];
    }
    int first_vertex(int clump) const { return beams_.first_vertex(clump); }
    int vertex_count(int clump) const { return beams_.vertex_count(clump); }
    int vertex_total() const { return beams_.vertex_total(); }
    int owner_of(std::int32_t vertex) const { return owner_[static_cast<std::size_t>(vertex)]; }
    const std::vector<std::int32_t>& owners() const { return owner_; }
    bool is_segment(std::int32_t vertex) const {
        return vertex + 1 < vertex_total() && owner_of(vertex) == owner_of(vertex + 1);
    }
    float longest_segment() const { return longest_; }
    void set_gravity(Vec3f gravity) { gravity_ = gravity; }

    // Reads the state at the start of a substep and predicts the motion without contact.
    // `meeting`: StrandContacts::meeting_strands().
    void start(const SimState& state, const Model& model, const ContactStep& step,
               const StrandChannel<1>& meeting, const TaskPool& pool);

    // m, at the start of the substep.
    Vec3f position(std::int32_t vertex) const { return x_[static_cast<std::size_t>(vertex)]; }
    Vec3f position(std::int32_t segment, float share) const { return at(x_, segment, share); }
    // m/s, before contact.
    Vec3f velocity(std::int32_t segment, float share) const { return at(v_, segment, share); }
    // m, displacement in the substep without contact.
    Vec3f move(std::int32_t vertex) const { return move_[static_cast<std::size_t>(vertex)]; }
    Vec3f move(std::int32_t segment, float share) const { return at(move_, segment, share); }
    // m, displacement of a vertex until the end of the second-order step, limited in length.
    Vec3f path(std::int32_t vertex) const;
    MovingSegment moving(std::int32_t segment) const;
    MovingSegment moving_whole_step(std::int32_t segment) const;
    // s, length of the substep of a clump, and the time from its end to that of the step.
    float step_of(int clump) const { return h_[static_cast<std::size_t>(clump)]; }
    float time_after(int clump) const { return time_after_[static_cast<std::size_t>(clump)]; }

    // The response of a strand to impulses in the substep. Impulses are over the mass of a metre of
    // hair.
    // m, displacement of a point by a unit impulse there.
    float compliance(std::int32_t segment, float share) const;
    // The same of a free vertex.
    float free_compliance(int clump) const { return step_of(clump) / mass_of(clump); }
    // Adds the displacement of all vertices (m) by an impulse on a point to `moves`. Leaves out
    // that strands do not stretch.
    void respond(std::int32_t segment, float share, Vec3f impulse, BeamMoves& moves) const;
    // Adds the change of the velocities (m/s) of the two vertices that take the impulse.
    void kick(std::int32_t segment, float share, Vec3f impulse, std::span<Vec3f> velocities) const;

    // Whether respond_to_all() is clearly more precise than respond().
    bool responds_differently() const { return spreads_impulses_ || !is_held(); }
    // Replaces changes of velocity (m/s) of all vertices of the clumps whose entry in `chosen` is
    // not 0 by the displacements (m) by them. Strands that are not held and hardly rotate do not
    // stretch.
    void respond_to_all(std::span<const char> chosen, std::span<Vec3f> change,
                        const TaskPool& pool);

    // Models without a known bending stiffness get the changes of velocity by impulses (m/s) of the
    // predicted motion instead of those of the vertices that take the impulses.
    void spread(std::span<const char> touched, std::span<Vec3f> change, const TaskPool& pool);
    // Adds changes of velocity (m/s) to all strands of the clumps whose entry in `touched` is not
    // 0. The model's solve spreads the change over the strand.
    void add_velocities(std::span<const Vec3f> change, std::span<const char> touched,
                        SimState& state, const TaskPool& pool) const;
    // Sets the internal forces of the predicted motion, for all strands of the clumps whose entry
    // in `chosen` is not 0. `moves` are the displacements (m) by the impulses, `change` the changes
    // of velocity (m/s) by them. `force` is Model::starting_force().
    void set_forces(std::span<const Vec3f> moves, std::span<const Vec3f> change,
                    std::span<const char> chosen, const ContactStep& step, Channel<3>& force,
                    const TaskPool& pool) const;
    std::size_t byte_count() const;

private:
    static Vec3f at(const std::vector<Vec3f>& values, std::int32_t segment, float share) {
        const auto i = static_cast<std::size_t>(segment);
        return values[i] + (values[i + 1] - values[i]) * share;
    }
    float mass_of(int clump) const { return mass_[static_cast<std::size_t>(clump)]; }
    int step_index_of(int clump) const { return step_index_[static_cast<std::size_t>(clump)]; }
    void add_strand(const StrandSet& rest, const SimSettings& settings, const Model& model,
                    std::span<const int> clump);
    void load(const SimState& state, int clump);
    bool is_held() const { return holds_roots_ || holds_tips_; }
    bool is_steady(int clump) const;
    // Replaces forces on a clump (m, times h^2 over the mean vertex mass) by the response to them.
    void respond_to_forces(int clump, std::span<Vec3f> forces);
    void predict(int clump, const Channel<3>* force, const ContactStep& step);

    bool holds_roots_, holds_tips_, spreads_impulses_;
    Vec3f gravity_;
    std::vector<std::vector<int>> clumps_;
    StrandBeams beams_;                  // of the first strand of each clump
    StrandTension tension_;              // of the same strands
    std::vector<std::int32_t> owner_;    // clump of each vertex
    std::vector<float> mass_;            // m, of a clump: mean vertex mass over that of a metre
    std::vector<float> h_, time_after_;  // per clump
    std::vector<char> keeps_length_;     // per clump, in the substep
    std::vector<int> step_index_;        // of h among the steps of the beams
    float longest_ = 0;                  // m
    std::vector<Vec3f> x_, v_, move_;    // per vertex
};

}  // namespace ringlet
