#include "sim/contact_search.h"

#include <algorithm>
#include <tuple>

namespace ringlet {

namespace {

// m; boxes of segments are enlarged by this, so that their pairs last for several substeps.
constexpr float kMargin = 5e-4f;
// m; contacts are kept while segments are farther apart than their radii by less than this.
constexpr float kSlack = 3e-4f;
// Contacts of a segment with later ones, at most.
constexpr std::size_t kMaxPerSegment = 32;
// Pairs groomed closer than this share of their distance do not collide.
constexpr float kOverlapping = 0.1f;

constexpr Box kNoBox = {{1, 0, 0}, {0, 0, 0}};

Box enlarged(const Box& box, float by) {
    const Vec3f margin = {by, by, by};
    return {box.low - margin, box.high + margin};
}

Box joined(const Box& a, const Box& b) {
    return {{min(a.low.x, b.low.x), min(a.low.y, b.low.y), min(a.low.z, b.low.z)},
            {max(a.high.x, b.high.x), max(a.high.y, b.high.y), max(a.high.z, b.high.z)}};
}

// Cells of the grid are several times as large as a box: few boxes then overlap several cells.
float cell_size(const ContactStrands& strands, float radius) {
    return max(4 * (strands.longest_segment() + 2 * (radius + kMargin)), 0.004f);
}

// Keeps the contacts from `begin` on that are nearest at the start of the substep, `most` of them.
void keep_nearest(std::vector<Contact>& list, std::size_t begin, std::size_t most,
                  const ContactStrands& strands) {
    if (list.size() - begin <= most) return;
    const auto gap = [&](const Contact& c) {
        return dot(c.normal, strands.position(c.a, c.s) - strands.position(c.b, c.t)) - c.distance;
    };
    const auto from = list.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(from, list.end(), [&](const Contact& p, const Contact& q) {
        const float p_gap = gap(p), q_gap = gap(q);
        return p_gap != q_gap ? p_gap < q_gap : p.b < q.b;
    });
    list.resize(begin + most);
    std::sort(list.begin() + static_cast<std::ptrdiff_t>(begin), list.end(),
              [](const Contact& p, const Contact& q) { return p.b < q.b; });
}

}  // namespace

bool ContactSearch::is_before(const GroomedPair& x, const GroomedPair& y) {
    return std::tie(x.a, x.b) < std::tie(y.a, y.b);
}

ContactSearch::ContactSearch(const ContactStrands& strands, float radius)
    : radius_(radius),
      pairs_(cell_size(strands, radius), strands.owners()),
      boxes_(strands.owners().size()),
      found_(static_cast<std::size_t>(strands.clump_count())),
      later_(static_cast<std::size_t>(strands.clump_count())) {
    find_groomed_pairs(strands);
}

void ContactSearch::find_groomed_pairs(const ContactStrands& strands) {
    for (std::int32_t k = 0; k < strands.vertex_total(); ++k) {
        const Vec3f x = strands.position(k);
        boxes_[static_cast<std::size_t>(k)] =
            strands.is_segment(k)
                ? enlarged(joined({x, x}, {strands.position(k + 1), strands.position(k + 1)}),
                           radius_)
                : kNoBox;
    }
    pairs_.build(boxes_, 0, TaskPool(1));
    for (std::int32_t a = 0; a < strands.vertex_total(); ++a)
        for (const std::int32_t b : pairs_.pairs_of(a)) {
            const auto at = [&](std::int32_t k) {
                return MovingSegment{strands.position(k), strands.position(k + 1), {}, {}};
            };
            const float apart = norm(closest_points(at(a), at(b)).apart);
            if (apart < 2 * radius_)
                groomed_.push_back({strands.owner_of(a), strands.owner_of(b), apart});
        }
    std::sort(groomed_.begin(), groomed_.end(), [](const GroomedPair& p, const GroomedPair& q) {
        return std::tie(p.a, p.b, p.distance) < std::tie(q.a, q.b, q.distance);
    });
    const auto is_same = [](const GroomedPair& p, const GroomedPair& q) {
        return p.a == q.a && p.b == q.b;
    };
    groomed_.erase(std::unique(groomed_.begin(), groomed_.end(), is_same), groomed_.end());
}

// The distance (m) that two strands keep; 0: they do not collide.
float ContactSearch::distance_of(int clump_a, int clump_b) const {
    const float full = 2 * radius_;
    if (groomed_.empty()) return full;
    const GroomedPair wanted = {clump_a, clump_b, 0};
    const auto at = std::lower_bound(groomed_.begin(), groomed_.end(), wanted, is_before);
    if (at == groomed_.end() || is_before(wanted, *at)) return full;
    return at->distance < kOverlapping * full ? 0 : at->distance;
}

// Sets the boxes of segments and their paths. Finds their pairs anew if one has left the box in
// which its pairs were found.
void ContactSearch::find_candidates(const ContactStrands& strands, const ContactStep& step,
                                    const TaskPool& pool) {
    const float around = radius_ + 0.5f * kSlack;
    pool.for_each(strands.clump_count(), [&](int c) {
        const auto s = static_cast<std::size_t>(strands.strands_of(c).front());
        const bool is_active = step.active.empty() || step.active[s] != 0;
        const int first = strands.first_vertex(c), last = first + strands.vertex_count(c) - 1;
        const auto box_of = [&](int vertex) {
            const Vec3f start = strands.position(vertex);
            const Vec3f end = start + strands.path(vertex);
            return enlarged(joined({start, start}, {end, end}), around);
        };
        Box before = box_of(first);
        for (int k = first; k < last; ++k) {
            const Box after = box_of(k + 1);
            boxes_[static_cast<std::size_t>(k)] = is_active ? joined(before, after) : kNoBox;
            before = after;
        }
        boxes_[static_cast<std::size_t>(last)] = kNoBox;
    });
    if (!pairs_.cover(boxes_)) pairs_.build(boxes_, kMargin, pool);
}

void ContactSearch::find_pair(std::int32_t a, std::int32_t b, const ContactStrands& strands,
                              const ContactRecords& records) {
    const int clump = strands.owner_of(a), other = strands.owner_of(b);
    const float distance = distance_of(clump, other);
    if (!(distance > 0)) return;
    const std::int32_t record = records.near(a, b, strands);
    const Vec3f before = record < 0 ? Vec3f{0, 0, 0} : records[record].normal;
    const Meeting where = meet(strands.moving(a), strands.moving(b), distance + kSlack, before);
    if (where.meets) {
        found_[static_cast<std::size_t>(clump)].push_back({.a = a,
                                                           .b = b,
                                                           .s = where.s,
                                                           .t = where.t,
                                                           .normal = where.normal,
                                                           .distance = distance,
                                                           .record = record});
        return;
    }
    if (!(strands.time_after(clump) > 0)) return;
    if (meet(strands.moving_whole_step(a), strands.moving_whole_step(b), distance + kSlack, before)
            .meets)
        later_[static_cast<std::size_t>(clump)].push_back(other);
}

void ContactSearch::find_of(int clump, const ContactStrands& strands,
                            const ContactRecords& records) {
    std::vector<Contact>& out = found_[static_cast<std::size_t>(clump)];
    out.clear();
    later_[static_cast<std::size_t>(clump)].clear();
    const int first = strands.first_vertex(clump);
    for (std::int32_t a = first; a + 1 < first + strands.vertex_count(clump); ++a) {
        const std::size_t begin = out.size();
        const Box& own = boxes_[static_cast<std::size_t>(a)];
        for (const std::int32_t b : pairs_.pairs_of(a))
            if (overlap(own, boxes_[static_cast<std::size_t>(b)]))
                find_pair(a, b, strands, records);
        keep_nearest(out, begin, kMaxPerSegment, strands);
    }
}

void ContactSearch::find(const ContactStrands& strands, const ContactRecords& records,
                         const ContactStep& step, const TaskPool& pool) {
    find_candidates(strands, step, pool);
    pool.for_each(strands.clump_count(), [&](int c) { find_of(c, strands, records); });
    merge(strands, records.capacity());
}

// Joins the contacts of all clumps.
void ContactSearch::merge(const ContactStrands& strands, std::size_t capacity) {
    std::size_t most = kMaxPerSegment;
    const auto count_with = [&](std::size_t limit) {
        std::size_t total = 0, own = 0;
        std::int32_t before = -1;
        for (const std::vector<Contact>& list : found_)
            for (const Contact& c : list) {
                own = c.a == before ? own + 1 : 1;
                before = c.a;
                total += own <= limit ? 1 : 0;
            }
        return total;
    };
    while (most > 1 && count_with(most) > capacity) most /= 2;
    contacts_.clear();
    for (const std::vector<Contact>& list : found_)
        for (std::size_t k = 0; k < list.size();) {
            const std::size_t begin = contacts_.size();
            const std::int32_t a = list[k].a;
            for (; k < list.size() && list[k].a == a; ++k) contacts_.push_back(list[k]);
            keep_nearest(contacts_, begin, most, strands);
        }
}

void ContactSearch::restore(const TaskPool& pool) {
    const std::span<const Box> built = pairs_.built_boxes();
    const std::vector<Box> boxes(built.begin(), built.end());
    pairs_.build(boxes, 0, pool);
}

std::size_t ContactSearch::byte_count() const {
    std::size_t total = pairs_.byte_count() + boxes_.size() * sizeof(Box) +
                        groomed_.size() * sizeof(GroomedPair) +
                        contacts_.capacity() * sizeof(Contact);
    for (const std::vector<Contact>& list : found_) total += list.capacity() * sizeof(Contact);
    for (const std::vector<std::int32_t>& list : later_)
        total += list.capacity() * sizeof(std::int32_t);
    return total;
}

}  // namespace ringlet
