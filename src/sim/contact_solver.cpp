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
// m/s; a body changes the velocity of a vertex by at most this when the model moves it. The rest is
// applied before, so that a strand that is pressed onto a body does not have to be stopped there
// from a high speed.
constexpr float kBodyChange = 0.2f;
// m; a contact is solved again when its strands have moved by more than this.
constexpr float kConverged = 1e-6f;

}  // namespace

ContactSolver::ContactSolver(const ContactStrands& strands, const StrandContact& settings)
    : friction_(settings.friction),
      sweeps_(settings.sweeps),
      moves_(strands.owners().size()),
      kick_(strands.owners().size()),
      all_kicks_(strands.owners().size()),
      first_moves_(strands.owners().size()),
      touched_(static_cast<std::size_t>(strands.clump_count())),
      stirred_(static_cast<std::size_t>(strands.clump_count())) {}

// Sets the motion of these clumps to 0.
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
        for (std::size_t i = first; i < end; ++i) kick_[i] = first_moves_[i] = {0, 0, 0};
        stirred_[static_cast<std::size_t>(c)] = 0;
    }
}

ContactSolver::Row ContactSolver::row_of(const Contact& c, const ContactStrands& strands,
                                         const ContactRecords& records) const {
    Row out{};
    out.a = {c.a, strands.owner_of(c.a), c.s};
    out.b = {c.b, strands.owner_of(c.b), c.t};
    out.seen = -1;
    out.friction = friction_;
    const float h = 0.5f * (strands.step_of(out.a.clump) + strands.step_of(out.b.clump));
    out.compliance = strands.compliance(c.a, c.s) + strands.compliance(c.b, c.t);
    const float free =
        max(strands.free_compliance(out.a.clump), strands.free_compliance(out.b.clump));
    if (out.compliance < kLeastCompliance * free) out.compliance = 0;
    const Vec3f n = c.normal, path = strands.move(c.a, c.s) - strands.move(c.b, c.t);
    const float start = dot(n, strands.position(c.a, c.s) - strands.position(c.b, c.t));
    const float deep = c.distance - start;
    const float wanted = deep > 0 ? start + min(kRecovery * deep, kRecoverySpeed * h) : c.distance;
    out.normal = n;
    out.missing = wanted - (start + dot(n, path));
    out.slide = path - n * dot(n, path);
    const Vec3f speed = strands.velocity(c.a, c.s) - strands.velocity(c.b, c.t);
    out.most = (kMaxChange + 2 * norm(speed)) * h / max(out.compliance, kTiny);
    if (c.record < 0) return out;
    const ContactRecord& record = records[c.record];
    const Vec3f slip = strands.position(record.anchor_a, record.anchor_s) -
                       strands.position(record.anchor_b, record.anchor_t);
    out.slide += (slip - n * dot(n, slip)) * kRecovery;
    start_from_record(out, c, strands, records);
    return out;
}

void ContactSolver::start_from_record(Row& row, const Contact& c, const ContactStrands& strands,
                                      const ContactRecords& records) {
    const ContactRecord& record = records[c.record];
    if (!(row.compliance > 0) || record.a != c.a || record.b != c.b) return;
    const float h = 0.5f * (strands.step_of(row.a.clump) + strands.step_of(row.b.clump));
    row.push = min(record.push * h, row.most);
    row.drag = (record.drag - c.normal * dot(c.normal, record.drag)) * h;
}

ContactSolver::Row ContactSolver::row_of(const BodyContact& c, const ContactStrands& strands) {
    Row out{};
    out.a = {c.segment, strands.owner_of(c.vertex), c.share};
    out.b = {-1, -1, 0};
    out.seen = -1;
    out.friction = c.friction;
    out.compliance = strands.compliance(c.segment, c.share);
    if (out.compliance < kLeastCompliance * strands.free_compliance(out.a.clump)) return {};
    out.softness = c.softness;
    out.normal = c.normal;
    out.missing = c.missing;
    out.slide = c.path - c.normal * dot(c.normal, c.path);
    const float most = kMaxChange * strands.step_of(out.a.clump) + 2 * norm(c.path);
    out.most = most / out.compliance;
    out.push = min(c.push, out.most);
    out.drag = c.drag;
    return out;
}

// Applies an impulse to a, and the opposite one to b.
void ContactSolver::apply(const Row& row, Vec3f impulse, const ContactStrands& strands) {
    const float moved = norm(impulse) * row.compliance;
    strands.respond(row.a.segment, row.a.share, impulse, moves_);
    stirred_[static_cast<std::size_t>(row.a.clump)] += moved;
    if (row.b.segment < 0) return;
    strands.respond(row.b.segment, row.b.share, -impulse, moves_);
    stirred_[static_cast<std::size_t>(row.b.clump)] += moved;
}

float ContactSolver::stirred(const Row& row) const {
    const float of_a = stirred_[static_cast<std::size_t>(row.a.clump)];
    return row.b.segment < 0 ? of_a : of_a + stirred_[static_cast<std::size_t>(row.b.clump)];
}

// One iteration: the impulse that this contact needs by itself. It pushes, but does not pull, and
// friction is at most `friction` times the push. Returns by how much it moves the points (m).
float ContactSolver::relax(Row& row, const ContactStrands& strands) {
    const Vec3f n = row.normal;
    Vec3f moved = moves_.at(static_cast<std::size_t>(row.a.segment), row.a.share);
    if (row.b.segment >= 0)
        moved -= moves_.at(static_cast<std::size_t>(row.b.segment), row.b.share);
    const float along = dot(n, moved), over = 1 / row.compliance;
    const float open = row.missing - along - row.softness * row.push;
    const float wanted = row.push + open * (1 / (row.compliance + row.softness));
    const float push = min(max(wanted, 0.0f), row.most);
    Vec3f drag = row.drag - (row.slide + moved - n * along) * over;
    const float most = row.friction * push, size = norm(drag);
    row.slips = size > most;
    if (row.slips) drag = drag * (most / size);
    const Vec3f impulse = n * (push - row.push) + (drag - row.drag);
    row.push = push;
    row.drag = drag;
    const float strength = norm(impulse);
    if (strength > 0) apply(row, impulse, strands);
    return strength * row.compliance;
}

// Applies the impulses that the contacts start with. At rest they are the final ones, so these
// displacements are found as precisely as possible and become part of the gaps, except where
// strands respond to them as to later impulses.
void ContactSolver::apply_first_impulses(ContactStrands& strands, const TaskPool& pool) {
    if (!strands.responds_differently()) {
        for (const Row& row : rows_) {
            const Vec3f impulse = row.normal * row.push + row.drag;
            if (dot(impulse, impulse) > 0) apply(row, impulse, strands);
        }
        return;
    }
    for (const Row& row : rows_) {
        const Vec3f impulse = row.normal * row.push + row.drag;
        if (!(row.compliance > 0) || !(dot(impulse, impulse) > 0)) continue;
        strands.kick(row.a.segment, row.a.share, impulse, first_moves_);
        if (row.b.segment >= 0) strands.kick(row.b.segment, row.b.share, -impulse, first_moves_);
    }
    strands.respond_to_all(touched_, first_moves_, pool);
    const auto moved = [&](const Point& p) {
        if (p.segment < 0) return Vec3f{0, 0, 0};
        const auto i = static_cast<std::size_t>(p.segment);
        return first_moves_[i] + (first_moves_[i + 1] - first_moves_[i]) * p.share;
    };
    for (Row& row : rows_) {
        if (!(row.compliance > 0)) continue;
        const Vec3f by = moved(row.a) - moved(row.b);
        const float along = dot(row.normal, by);
        row.missing -= along;
        row.slide += by - row.normal * along;
    }
}

// Every second sweep runs backwards. A contact is left out while its strands do not move.
void ContactSolver::sweep_rows(const ContactStrands& strands) {
    for (int sweep = 0; sweep < sweeps_; ++sweep) {
        float moved = 0;
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            Row& row = rows_[sweep % 2 == 0 ? k : rows_.size() - 1 - k];
            if (!(row.compliance > 0) || stirred(row) - row.seen < kConverged) continue;
            moved = max(moved, relax(row, strands));
            row.seen = stirred(row);
        }
        if (moved < kConverged) break;
    }
}

void ContactSolver::solve(ContactStrands& strands, const ContactRecords& records,
                          std::span<Contact> contacts, std::span<BodyContact> bodies,
                          const TaskPool& pool) {
    rows_.clear();
    for (const Contact& c : contacts) rows_.push_back(row_of(c, strands, records));
    for (const BodyContact& c : bodies) rows_.push_back(row_of(c, strands));
    apply_first_impulses(strands, pool);
    sweep_rows(strands);
    store_impulses(strands, contacts, bodies);
}

void ContactSolver::store_impulses(const ContactStrands& strands, std::span<Contact> contacts,
                                   std::span<BodyContact> bodies) {
    std::size_t k = 0;
    for (Contact& c : contacts) {
        const Row& row = rows_[k++];
        c.push = row.push;
        c.drag = row.drag;
        c.slips = row.slips;
        const Vec3f impulse = c.normal * c.push + c.drag;
        strands.kick(c.a, c.s, impulse, kick_);
        strands.kick(c.b, c.t, -impulse, kick_);
    }
    std::copy(kick_.begin(), kick_.end(), all_kicks_.begin());
    for (BodyContact& c : bodies) {
        const Row& row = rows_[k++];
        c.push = row.push;
        c.drag = row.drag;
        const auto at = static_cast<std::size_t>(c.vertex);
        const Vec3f before = all_kicks_[at];
        strands.kick(c.segment, c.share, c.normal * c.push + c.drag, all_kicks_);
        const Vec3f change = all_kicks_[at] - before;
        const float left = kBodyChange / max(norm(change), kBodyChange);
        kick_[at] += change * (1 - left);
    }
}

std::size_t ContactSolver::byte_count() const {
    return rows_.capacity() * sizeof(Row) + kick_.size() * 4 * sizeof(Vec3f) +
           touched_.size() * (sizeof(char) + sizeof(float));
}

}  // namespace ringlet
