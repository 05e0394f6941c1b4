// Computes the impulses of all contacts between strands in a substep.
//
// Gauss-Seidel: one contact after the other gets the impulse that it needs by itself, until no
// contact changes any more. The strands respond as elastic beams (sim/strand_beams.h).
#pragma once

#include "ringlet/settings.h"
#include "sim/contact_records.h"

namespace ringlet {

class ContactSolver {
public:
    ContactSolver(const ContactStrands& strands, const StrandContact& settings);

    // Sets the impulses of the contacts, starting from those of the substep before.
    void solve(const ContactStrands& strands, const ContactRecords& records,
               std::span<Contact> contacts);
    // 1 for clumps with a contact, and the changes of velocity (m/s) of all vertices.
    std::span<const char> touched() const { return touched_; }
    std::span<const Vec3f> velocity_changes() const { return kick_; }
    std::size_t byte_count() const;

private:
    // The task of a contact in the substep: the gap to close and the limits of its impulse.
    struct Row {
        std::int32_t clump_a, clump_b;
        float compliance;  // m per unit of impulse; 0: the contact has no effect
        float missing;     // m, by which the points would be too close
        float most;        // limit of the push
        float seen;        // stirred_ of both strands when the contact was last solved
        Vec3f slide;       // m, displacement of a over b that friction resists
    };
    void start(const ContactStrands& strands, std::span<const Contact> contacts);
    Row row_of(const Contact& c, const ContactStrands& strands,
               const ContactRecords& records) const;
    void start_from_record(Contact& c, const Row& row, const ContactStrands& strands,
                           const ContactRecords& records) const;
    float relax(Contact& c, Row& row, const ContactStrands& strands);
    void apply(const Contact& c, const Row& row, Vec3f impulse, const ContactStrands& strands);
    float stirred(const Row& row) const {
        return stirred_[static_cast<std::size_t>(row.clump_a)] +
               stirred_[static_cast<std::size_t>(row.clump_b)];
    }

    float friction_;
    int sweeps_;
    std::vector<Row> rows_;       // per contact
    BeamMoves moves_;             // by the impulses
    std::vector<Vec3f> kick_;     // m/s, per vertex
    std::vector<char> touched_;   // per clump
    std::vector<float> stirred_;  // m, per clump: sum of the motions by changes of impulses
};

}  // namespace ringlet
