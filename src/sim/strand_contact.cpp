#include "sim/strand_contact.h"

#include <algorithm>

#include "sim/contact_bodies.h"
#include "sim/contact_search.h"
#include "sim/contact_solver.h"

namespace ringlet {

struct StrandContacts::Parts {
    Parts(const StrandSet& rest, const SimSettings& settings, const Model& model)
        : strands(rest, settings, model),
          search(strands, settings.strand_contact.radius),
          records(strands.owners().size()),
          bodies(strands, model),
          solver(strands, settings.strand_contact),
          moves(strands.owners().size()),
          meeting(rest.layout) {}

    ContactStrands strands;
    ContactSearch search;
    ContactRecords records;
    ContactBodies bodies;
    ContactSolver solver;
    std::vector<Vec3f> moves;  // m, per vertex, by the impulses; scratch memory
    StrandChannel<1> meeting;
};

StrandContacts::StrandContacts(const StrandSet& rest, const SimSettings& settings,
                               const Model& model)
    : parts_(std::make_unique<Parts>(rest, settings, model)) {}
StrandContacts::~StrandContacts() = default;

void StrandContacts::touch(SimState& state, Model& model, const ContactStep& step,
                           const TaskPool& pool) {
    Parts& own = *parts_;
    own.strands.start(state, model, step, own.meeting, pool);
    own.search.find(own.strands, own.records, step, pool);
    own.solver.start(own.strands, own.search.contacts());
    own.bodies.find(own.strands, step, own.solver.touched(), pool);
    own.solver.solve(own.strands, own.records, own.search.contacts(), own.bodies.contacts(), pool);
    if (step.stage != StepStage::second) mark_meeting();
    const std::span<const char> near = own.bodies.near_bodies();
    const bool are_near = std::find(near.begin(), near.end(), char{1}) != near.end();
    if (Channel<3>* const force = model.starting_force(); force && are_near) {
        const std::span<const Vec3f> changes = own.solver.all_velocity_changes();
        std::copy(changes.begin(), changes.end(), own.moves.begin());
        own.strands.respond_to_all(near, own.moves, pool);
        own.strands.set_forces(own.moves, changes, near, step, *force, pool);
    }
    own.strands.spread(own.solver.touched(), own.solver.velocity_changes(), pool);
    own.strands.add_velocities(own.solver.velocity_changes(), own.solver.touched(), state, pool);
    own.records.update(own.search.contacts(), own.strands);
    own.bodies.update(own.strands);
}

// Marks the strands that have a contact before the end of the step.
void StrandContacts::mark_meeting() {
    Parts& own = *parts_;
    own.meeting.edit();
    own.meeting.fill({0});
    const auto mark = [&](int clump) {
        for (const int s : own.strands.strands_of(clump)) own.meeting.at(s) = 1;
    };
    for (int c = 0; c < own.strands.clump_count(); ++c) {
        const std::span<const std::int32_t> later = own.search.met_later(c);
        if (own.solver.touched()[static_cast<std::size_t>(c)] != 0 || !later.empty()) mark(c);
        for (const std::int32_t other : later) mark(other);
    }
}

const StrandChannel<1>& StrandContacts::meeting_strands() const { return parts_->meeting; }
void StrandContacts::set_gravity(Vec3f gravity) { parts_->strands.set_gravity(gravity); }
void StrandContacts::clear() {
    parts_->records.clear();
    parts_->bodies.clear();
}

int StrandContacts::contact_count() const {
    const std::vector<Contact>& contacts = parts_->search.contacts();
    const auto pushes = [](const Contact& c) { return c.push > 0; };
    return static_cast<int>(std::count_if(contacts.begin(), contacts.end(), pushes));
}
int StrandContacts::candidate_count() const { return parts_->search.candidate_count(); }

std::size_t StrandContacts::byte_count() const {
    return parts_->strands.byte_count() + parts_->search.byte_count() +
           parts_->records.byte_count() + parts_->bodies.byte_count() +
           parts_->solver.byte_count() + parts_->moves.size() * sizeof(Vec3f) +
           parts_->meeting.byte_count();
}

MemorySpans StrandContacts::changing_memory(StateAccess use) {
    MemorySpans out = parts_->records.changing_memory();
    out.push_back(parts_->bodies.changing_memory());
    out.push_back(parts_->search.changing_memory());
    out.push_back(state_memory(parts_->meeting, use));
    return out;
}

void StrandContacts::restore(const TaskPool& pool) {
    parts_->records.index();
    parts_->search.restore(pool);
}

}  // namespace ringlet
