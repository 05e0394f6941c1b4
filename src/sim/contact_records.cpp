#include "sim/contact_records.h"

#include <algorithm>

namespace ringlet {

namespace {

// Mean number of contacts per segment, at most.
constexpr std::size_t kMeanPerSegment = 8;

}  // namespace

ContactRecords::ContactRecords(std::size_t segments)
    : records_(segments * kMeanPerSegment), by_segment_(segments + 1) {
    next_.reserve(records_.size());
}

std::int32_t ContactRecords::near(std::int32_t a, std::int32_t b,
                                  const ContactStrands& strands) const {
    const int owner_a = strands.owner_of(a), owner_b = strands.owner_of(b);
    const std::int32_t first = std::max(a - 1, strands.first_vertex(owner_a));
    const std::int32_t last =
        std::min(a + 1, strands.first_vertex(owner_a) + strands.vertex_count(owner_a) - 1);
    std::int32_t best = -1, least = 3;
    for (std::int32_t r = by_segment_[static_cast<std::size_t>(first)];
         r < by_segment_[static_cast<std::size_t>(last) + 1]; ++r) {
        const ContactRecord& record = (*this)[r];
        const std::int32_t off = std::abs(record.a - a) + std::abs(record.b - b);
        if (off >= least || strands.owner_of(record.b) != owner_b) continue;
        least = off;
        best = r;
    }
    return best;
}

// A contact that slips is anchored anew.
void ContactRecords::update(std::span<const Contact> contacts, const ContactStrands& strands) {
    next_.clear();
    for (const Contact& c : contacts) {
        const float over_h =
            2 / (strands.step_of(strands.owner_of(c.a)) + strands.step_of(strands.owner_of(c.b)));
        ContactRecord next = {
            c.a, c.b, c.a, c.b, c.s, c.t, c.normal, c.push * over_h, c.drag * over_h};
        if (c.record >= 0 && !c.slips && c.push > 0) {
            const ContactRecord& before = (*this)[c.record];
            next.anchor_a = before.anchor_a;
            next.anchor_b = before.anchor_b;
            next.anchor_s = before.anchor_s;
            next.anchor_t = before.anchor_t;
        }
        next_.push_back(next);
    }
    std::copy(next_.begin(), next_.end(), records_.begin());
    count_ = static_cast<std::int32_t>(next_.size());
    index();
}

void ContactRecords::index() {
    std::fill(by_segment_.begin(), by_segment_.end(), 0);
    for (std::int32_t r = 0; r < count_; ++r)
        ++by_segment_[static_cast<std::size_t>((*this)[r].a) + 1];
    for (std::size_t k = 1; k < by_segment_.size(); ++k) by_segment_[k] += by_segment_[k - 1];
}

void ContactRecords::clear() {
    count_ = 0;
    index();
}

MemorySpans ContactRecords::changing_memory() {
    return {std::as_writable_bytes(std::span(records_)),
            std::as_writable_bytes(std::span(&count_, 1))};
}

std::size_t ContactRecords::byte_count() const {
    return (records_.size() + next_.capacity()) * sizeof(ContactRecord) +
           by_segment_.size() * sizeof(std::int32_t);
}

}  // namespace ringlet
