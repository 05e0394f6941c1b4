// Checks and loops that the groom formats share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "strand/strand_set.h"

namespace ringlet {

// The limit of the .hair format. The layout pads eight strands to the longest of them, so without a
// limit one very long strand would take many times the file's size in memory.
inline constexpr int kMaxReadVertices = 65536;

// An error message if a strand has more than kMaxReadVertices vertices.
std::optional<std::string> strand_too_long(std::int64_t strand, std::uint64_t vertex_count);

// An error message that names the first vertex whose position, thickness or colour is not finite.
std::optional<std::string> non_finite_strand(const StrandSet& strands);

// Whether any vertex has a nonzero colour or radius. Readers set 0 for missing data, and writers
// omit data that is 0 everywhere.
bool has_colour(const StrandView& strands);
bool has_radius(const StrandView& strands);

int strand_count(const StrandView& strands);

// Calls visit(strand, vertex) in strand order, root to tip.
template <class Visit>
void for_each_vertex(const StrandView& strands, const Visit& visit) {
    for (int s = 0; s < strand_count(strands); ++s)
        for (int i = 0; i < strands.layout->vertex_count(s); ++i) visit(s, i);
}

}  // namespace ringlet
