// The header of a PLY file: elements, their properties and the encoding.
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
    PlyType type;                       // of the value, or of a list's items
    std::optional<PlyType> count_type;  // set for a list: the type of its length
};

struct PlyElement {
    std::string name;
    std::uint64_t count;
    std::vector<PlyProperty> properties;

    // The index of the property of this name; -1 if there is none.
    int find(std::string_view property) const;
};

struct PlyHeader {
    bool ascii = false;       // otherwise binary
    bool big_endian = false;  // if binary
    std::vector<PlyElement> elements;
    std::size_t body_at = 0;  // byte offset of the data after the header
};

// Guarantees that every element has a property, so that its instances take bytes. Error messages
// use `name` as the file.
Result<PlyHeader> parse_ply_header(std::string_view bytes, const std::string& name);

}  // namespace ringlet
