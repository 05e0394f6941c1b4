// What the readers and writers of hairstyles ask of strands, whatever the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "strand/strand_set.h"

namespace ringlet {

// As many as a .hair file holds. The layout keeps room for eight strands as long as the longest,
// so without a limit one absurd strand would cost many times the file's size.
inline constexpr int kMaxReadVertices = 65536;

bool is_finite(Vec3f a);

// What is wrong with a strand of more than kMaxReadVertices; nothing where it is not so long.
std::optional<std::string> strand_too_long(std::int64_t strand, std::uint64_t vertex_count);

// The first strand whose positions, thickness or colour are not numbers, in words.
std::optional<std::string> strand_without_numbers(const StrandSet& strands);

// Whether any vertex has one. Readers leave 0 where a file says nothing, and writers say nothing
// where all is 0.
bool has_colour(const StrandView& strands);
bool has_radius(const StrandView& strands);

int strand_count(const StrandView& strands);

// Calls body(strand, vertex) in the order of the strands, root to tip.
template <class Body>
void for_each_vertex(const StrandView& strands, const Body& body) {
    for (int s = 0; s < strand_count(strands); ++s)
        for (int i = 0; i < strands.layout->vertex_count(s); ++i) body(s, i);
}

}  // namespace ringlet
