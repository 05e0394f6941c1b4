// The header of a PLY file: what elements follow, of which properties, in which encoding.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ringlet/result.h"

namespace ringlet {

enum class PlyType { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat, kDouble };

std::size_t byte_size(PlyType type);

struct PlyProperty {
    std::string name;
    PlyType type;                       // of the number, or of a list's items
    std::optional<PlyType> count_type;  // of a list
};

struct PlyElement {
    std::string name;
    std::uint64_t count;
    std::vector<PlyProperty> properties;

    // -1 where there is none of this name.
    int find(std::string_view property) const;
};

struct PlyHeader {
    bool ascii = false;  // else binary, little endian
    std::vector<PlyElement> elements;
    std::size_t body_at = 0;
};

// Every element has a property, so that its items take bytes. `name` stands for the file in error
// messages.
Result<PlyHeader> parse_ply_header(std::string_view bytes, const std::string& name);

}  // namespace ringlet
