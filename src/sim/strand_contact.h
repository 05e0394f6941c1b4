// Contact between strands. A segment is a capsule; where two of them would come closer than the sum
// of their radii, impulses on both strands, equal and opposite, hold them apart and resist sliding.
// It changes velocities before a model moves the strands.
//
// The impulses of all contacts are solved together (Gauss-Seidel). The response of a strand to an
// impulse is that of an elastic beam in a backward Euler step (strand_beams.h), and the impulse is
// applied as that response. docs/strand_contact.md has the method and measurements.
#pragma once

#include <memory>

#include "sim/contact_strands.h"

namespace ringlet {

class StrandContacts {
public:
    // `rest` is the groomed pose; pairs of strands keep at most their groomed distance.
    StrandContacts(const StrandSet& rest, const SimSettings& settings, const Model& model);
    ~StrandContacts();

    // Finds the contacts of the substep and changes the velocities of both strands of each.
    void touch(SimState& state, Model& model, const ContactStep& step, const TaskPool& pool);
    // 1 for strands that meet another one in the step of the last touch().
    const StrandChannel<1>& meeting_strands() const;
    // m/s^2. Takes effect at the next touch().
    void set_gravity(Vec3f gravity);
    // Removes all contacts, after strands were moved in another way than by the model.
    void clear();

    // The number of contacts with an impulse, and of pairs of segments near each other.
    int contact_count() const;
    int candidate_count() const;
    std::size_t byte_count() const;
    // Simulation::changing_memory() and restore().
    MemorySpans changing_memory(StateAccess use);
    void restore(const TaskPool& pool);

private:
    struct Parts;
    void mark_meeting();

    std::unique_ptr<Parts> parts_;
};

}  // namespace ringlet
