// Contacts between strands, and what is kept of them from substep to substep.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3.h"
#include "sim/contact_strands.h"

namespace ringlet {

// A contact between a segment and a later one (sim/contact_strands.h).
struct Contact {
    std::int32_t a, b;
    float s, t;
    Vec3f normal;              // from b to a
    float distance;            // m, to be kept
    std::int32_t record = -1;  // index of the contact in the substep before
    // The impulses, over the mass of a metre of hair: along the normal, and along the surface.
    float push = 0;
    Vec3f drag{0, 0, 0};
    bool slips = false;
};

// A contact that lasts: part of the state.
struct ContactRecord {
    std::int32_t a, b;
    std::int32_t anchor_a, anchor_b;  // segments of the points that friction holds together
    float anchor_s, anchor_t;
    Vec3f normal;
    float push;  // force along the normal, over the mass of a metre of hair
    Vec3f drag;  // ... along the surface
};

// The contacts of the last substep, by segment.
class ContactRecords {
public:
    explicit ContactRecords(std::size_t segments);

    // Most contacts that are kept.
    std::size_t capacity() const { return records_.size(); }
    const ContactRecord& operator[](std::int32_t index) const {
        return records_[static_cast<std::size_t>(index)];
    }
    // The contact of the same two strands at these segments or their neighbours, or -1.
    std::int32_t near(std::int32_t a, std::int32_t b, const ContactStrands& strands) const;
    // Replaces the records by the contacts of a substep, sorted by a, then by b.
    void update(std::span<const Contact> contacts, const ContactStrands& strands);
    void clear();

    // Part of the state; index() must follow a change.
    MemorySpans changing_memory();
    void index();
    std::size_t byte_count() const;

private:
    std::vector<ContactRecord> records_;  // by a, then by b
    std::vector<ContactRecord> next_;
    std::int32_t count_ = 0;
    std::vector<std::int32_t> by_segment_;  // first record of each segment
};

}  // namespace ringlet
