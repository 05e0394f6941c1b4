// Finds the contacts between strands of a substep.
#pragma once

#include <memory>

#include "collide/segment_pairs.h"
#include "sim/contact_records.h"

namespace ringlet {

class ContactSearch {
public:
    // `strands` are in the groomed pose; pairs of strands keep at most their groomed distance.
    ContactSearch(const ContactStrands& strands, float radius);

    // Finds the contacts of the substep, sorted by a, then by b; at most `records.capacity()`.
    void find(const ContactStrands& strands, const ContactRecords& records, const ContactStep& step,
              const TaskPool& pool);
    std::vector<Contact>& contacts() { return contacts_; }
    const std::vector<Contact>& contacts() const { return contacts_; }
    // The clumps that a clump with a lower index meets after the substep but within its step.
    std::span<const std::int32_t> met_later(int clump) const {
        return later_[static_cast<std::size_t>(clump)];
    }
    int candidate_count() const { return pairs_.pair_count(); }

    // Part of the state; restore() must follow a change.
    std::span<std::byte> changing_memory() { return std::as_writable_bytes(pairs_.built_boxes()); }
    void restore(const TaskPool& pool);
    std::size_t byte_count() const;

private:
    // The distance of two strands in the groomed pose, where it is less than that of contact.
    struct GroomedPair {
        std::int32_t a, b;
        float distance;
    };
    static bool is_before(const GroomedPair& x, const GroomedPair& y);

    void find_groomed_pairs(const ContactStrands& strands);
    float distance_of(int clump_a, int clump_b) const;
    void find_candidates(const ContactStrands& strands, const ContactStep& step,
                         const TaskPool& pool);
    void find_of(int clump, const ContactStrands& strands, const ContactRecords& records);
    void find_pair(std::int32_t a, std::int32_t b, const ContactStrands& strands,
                   const ContactRecords& records);
    void merge(const ContactStrands& strands, std::size_t capacity);

    float radius_;  // m
    SegmentPairs pairs_;
    std::vector<GroomedPair> groomed_;         // sorted
    std::vector<Box> boxes_;                   // of segments and their paths to the end of the step
    std::vector<std::vector<Contact>> found_;  // per clump
    std::vector<std::vector<std::int32_t>> later_;  // per clump
    std::vector<Contact> contacts_;
};

}  // namespace ringlet
