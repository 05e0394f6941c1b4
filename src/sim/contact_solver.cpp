#include "sim/contact_solver.h"

#include <algorithm>

namespace ringlet {

namespace {

// Strands that overlap move apart by this share per substep, and at most at this speed (m/s).
constexpr float kRecovery = 0.3f, kRecoverySpeed = 0.2f;
// A contact moves its points by at least this share of the motion of a free vertex; roots that
// almost touch would need any impulse.
constexpr float kLeastCompliance = 0.02f;
// m/s; a contact changes the velocity of its points by at most this plus twice their relative
// velocity. Limits the forces on taut strands that cannot give way.
constexpr float kMaxChange = 5;
// m; a contact is solved again when its strands have moved by more than this.
constexpr float kConverged = 1e-6f;

}  // namespace

ContactSolver::ContactSolver(const ContactStrands& strands, const StrandContact& settings)
    : friction_(settings.friction),
      sweeps_(settings.sweeps),
      moves_(strands.owners().size()),
      kick_(strands.owners().size()),
      touched_(static_cast<std::size_t>(strands.clump_count())),
      stirred_(static_cast<std::size_t>(strands.clump_count())) {}

// Marks the clumps that have a contact, and sets their motion to 0.
void ContactSolver::start(const ContactStrands& strands, std::span<const Contact> contacts) {
    std::fill(touched_.begin(), touched_.end(), char{0});
    for (const Contact& c : contacts)
        for (const std::int32_t segment : {c.a, c.b})
            touched_[static_cast<std::size_t>(strands.owner_of(segment))] = 1;
    for (int c = 0; c < strands.clump_count(); ++c) {
        if (touched_[static_cast<std::size_t>(c)] == 0) continue;
        const auto first = static_cast<std::size_t>(strands.first_vertex(c));
        const std::size_t end = first + static_cast<std::size_t>(strands.vertex_count(c));
        moves_.clear(first, end);
        for (std::size_t i = first; i < end; ++i) kick_[i] = {0, 0, 0};
        stirred_[static_cast<std::size_t>(c)] = 0;
    }
}

ContactSolver::Row ContactSolver::row_of(const Contact& c, const ContactStrands& strands,
                                         const ContactRecords& records) const {
    Row out = {strands.owner_of(c.a), strands.owner_of(c.b), 0, 0, 0, -1, {0, 0, 0}};
    const float h = 0.5f * (strands.step_of(out.clump_a) + strands.step_of(out.clump_b));
    out.compliance = strands.compliance(c.a, c.s) + strands.compliance(c.b, c.t);
    const float free =
        max(strands.free_compliance(out.clump_a), strands.free_compliance(out.clump_b));
    if (out.compliance < kLeastCompliance * free) out.compliance = 0;
    const Vec3f n = c.normal, path = strands.move(c.a, c.s) - strands.move(c.b, c.t);
    const float start = dot(n, strands.position(c.a, c.s) - strands.position(c.b, c.t));
    const float deep = c.distance - start;
    const float wanted = deep > 0 ? start + min(kRecovery * deep, kRecoverySpeed * h) : c.distance;
    out.missing = wanted - (start + dot(n, path));
    out.slide = path - n * dot(n, path);
    const Vec3f speed = strands.velocity(c.a, c.s) - strands.velocity(c.b, c.t);
    out.most = (kMaxChange + 2 * norm(speed)) * h / max(out.compliance, kTiny);
    if (c.record < 0) return out;
    const ContactRecord& record = records[c.record];
    const Vec3f slip = strands.position(record.anchor_a, record.anchor_s) -
                       strands.position(record.anchor_b, record.anchor_t);
    out.slide += (slip - n * dot(n, slip)) * kRecovery;
    return out;
}

void ContactSolver::start_from_record(Contact& c, const Row& row, const ContactStrands& strands,
                                      const ContactRecords& records) const {
    if (c.record < 0 || !(row.compliance > 0)) return;
    const ContactRecord& record = records[c.record];
    if (record.a != c.a || record.b != c.b) return;
    const float h = 0.5f * (strands.step_of(row.clump_a) + strands.step_of(row.clump_b));
    c.push = min(record.push * h, row.most);
    c.drag = (record.drag - c.normal * dot(c.normal, record.drag)) * h;
}

// Applies an impulse to a, and the opposite one to b.
void ContactSolver::apply(const Contact& c, const Row& row, Vec3f impulse,
                          const ContactStrands& strands) {
    strands.respond(c.a, c.s, impulse, moves_);
    strands.respond(c.b, c.t, -impulse, moves_);
    const float moved = norm(impulse) * row.compliance;
    stirred_[static_cast<std::size_t>(row.clump_a)] += moved;
    stirred_[static_cast<std::size_t>(row.clump_b)] += moved;
}

// One iteration: the impulse that this contact needs by itself. It pushes, but does not pull, and
// friction is at most `friction` times the push. Returns by how much it moves the points (m).
float ContactSolver::relax(Contact& c, Row& row, const ContactStrands& strands) {
    const Vec3f n = c.normal;
    const Vec3f moved = moves_.at(static_cast<std::size_t>(c.a), c.s) -
                        moves_.at(static_cast<std::size_t>(c.b), c.t);
    const float along = dot(n, moved), over = 1 / row.compliance;
    const float push = min(max(c.push + (row.missing - along) * over, 0.0f), row.most);
    Vec3f drag = c.drag - (row.slide + moved - n * along) * over;
    const float most = friction_ * push, size = norm(drag);
    c.slips = size > most;
    if (c.slips) drag = drag * (most / size);
    const Vec3f impulse = n * (push - c.push) + (drag - c.drag);
    c.push = push;
    c.drag = drag;
    const float strength = norm(impulse);
    if (strength > 0) apply(c, row, impulse, strands);
    return strength * row.compliance;
}

// Every second sweep runs backwards. A contact is left out while its strands do not move.
void ContactSolver::solve(const ContactStrands& strands, const ContactRecords& records,
                          std::span<Contact> contacts) {
    start(strands, contacts);
    rows_.clear();
    for (Contact& c : contacts) {
        rows_.push_back(row_of(c, strands, records));
        start_from_record(c, rows_.back(), strands, records);
        const Vec3f impulse = c.normal * c.push + c.drag;
        if (dot(impulse, impulse) > 0) apply(c, rows_.back(), impulse, strands);
    }
    for (int sweep = 0; sweep < sweeps_; ++sweep) {
        float moved = 0;
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const std::size_t at = sweep % 2 == 0 ? k : contacts.size() - 1 - k;
            Row& row = rows_[at];
            if (!(row.compliance > 0) || stirred(row) - row.seen < kConverged) continue;
            moved = max(moved, relax(contacts[at], row, strands));
            row.seen = stirred(row);
        }
        if (moved < kConverged) break;
    }
    for (const Contact& c : contacts) {
        const Vec3f impulse = c.normal * c.push + c.drag;
        strands.kick(c.a, c.s, impulse, kick_);
        strands.kick(c.b, c.t, -impulse, kick_);
    }
}

std::size_t ContactSolver::byte_count() const {
    return rows_.capacity() * sizeof(Row) + kick_.size() * 2 * sizeof(Vec3f) +
           touched_.size() * (sizeof(char) + sizeof(float));
}

}  // namespace ringlet
