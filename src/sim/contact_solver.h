// Computes the impulses of all contacts between strands in a substep, together with those of the
// bodies that the strands touch.
//
// Gauss-Seidel: one contact after the other gets the impulse that it needs by itself, until no
// contact changes any more. The strands respond as elastic beams (sim/strand_beams.h).
#pragma once

#include "ringlet/settings.h"
#include "sim/contact_bodies.h"
#include "sim/contact_records.h"

namespace ringlet {

class ContactSolver {
public:
    ContactSolver(const ContactStrands& strands, const StrandContact& settings);

    // Marks the clumps that have a contact. Call it before solve().
    void start(const ContactStrands& strands, std::span<const Contact> contacts);
    // Sets the impulses of the contacts, starting from those of the substep before.
    void solve(ContactStrands& strands, const ContactRecords& records, std::span<Contact> contacts,
               std::span<BodyContact> bodies, const TaskPool& pool);
    // 1 for clumps with a contact.
    std::span<const char> touched() const { return touched_; }
    // Changes of velocity (m/s) of all vertices: those to apply before the model moves the strands,
    // and those by all impulses.
    std::span<Vec3f> velocity_changes() { return kick_; }
    std::span<const Vec3f> all_velocity_changes() const { return all_kicks_; }
    std::size_t byte_count() const;

private:
    // A point of a segment.
    struct Point {
        std::int32_t segment, clump;
        float share;
    };
    // A contact in the substep: the gap to close, the limits of its impulse, and the impulse.
    struct Row {
        Point a, b;        // b.segment is -1 for a body
        float compliance;  // m per unit of impulse; 0: the contact has no effect
        float softness;    // m per unit of push, by which a body gives way
        float missing;     // m, by which the points would be too close
        float most;        // limit of the push
        float friction;
        float seen;  // stirred_ of both strands when the contact was last solved
        Vec3f normal;
        Vec3f slide;  // m, displacement of a over b that friction resists
        float push;
        Vec3f drag;
        bool slips;
    };
    Row row_of(const Contact& c, const ContactStrands& strands,
               const ContactRecords& records) const;
    static Row row_of(const BodyContact& c, const ContactStrands& strands);
    static void start_from_record(Row& row, const Contact& c, const ContactStrands& strands,
                                  const ContactRecords& records);
    void apply_first_impulses(ContactStrands& strands, const TaskPool& pool);
    void sweep_rows(const ContactStrands& strands);
    float relax(Row& row, const ContactStrands& strands);
    void store_impulses(const ContactStrands& strands, std::span<Contact> contacts,
                        std::span<BodyContact> bodies);
    void apply(const Row& row, Vec3f impulse, const ContactStrands& strands);
    float stirred(const Row& row) const;

    float friction_;
    int sweeps_;
    std::vector<Row> rows_;                // of contacts between strands, then of those with bodies
    BeamMoves moves_;                      // by the impulses that are not part of the gaps
    std::vector<Vec3f> kick_, all_kicks_;  // m/s, per vertex
    std::vector<Vec3f> first_moves_;       // m, per vertex, by apply_first_impulses()
    std::vector<char> touched_;            // per clump
    std::vector<float> stirred_;  // m, per clump: sum of the motions by changes of impulses
};

}  // namespace ringlet
