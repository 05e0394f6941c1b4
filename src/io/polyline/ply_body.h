// Reads the elements after the header of a PLY file: text, or binary of either byte order.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/polyline/ply_header.h"

namespace ringlet {

// An error message, or nothing.
using PlyError = std::optional<std::string>;

// Reads the numbers after the header one by one.
class PlyBody {
public:
    // `file` is the whole file. Not owned.
    PlyBody(std::string_view file, const PlyHeader& header);

    // Nothing at the end of the file, or if the next word of an ASCII file is not a number.
    std::optional<double> next(PlyType type) {
        return ascii_ ? next_word_value() : next_bytes(type);
    }
    // Whether the file is long enough for the element: checked before anything is allocated.
    bool can_hold(const PlyElement& element) const;

private:
    std::optional<double> next_bytes(PlyType type);
    std::optional<double> next_word_value();

    std::string_view rest_;
    bool ascii_, big_endian_;
};

// The error of a file that ends within instance `i` of the element.
std::string cut_short(const PlyElement& element, std::uint64_t i);

// Reads all instances of an element. For each instance, calls item(p, value) for every item of a
// list property p, then row(scalars), where scalars[p] is the value of property p, or its length if
// it is a list.
template <class Item, class Row>
PlyError read_items(PlyBody& body, const PlyElement& element, const Item& item, const Row& row) {
    if (!body.can_hold(element)) return cut_short(element, 0);
    std::vector<double> scalars(element.properties.size());
    for (std::uint64_t i = 0; i < element.count; ++i) {
        for (std::size_t p = 0; p < element.properties.size(); ++p) {
            const PlyProperty& property = element.properties[p];
            const auto value = body.next(property.count_type.value_or(property.type));
            if (!value) return cut_short(element, i);
            scalars[p] = *value;
            if (!property.count_type) continue;
            if (!(*value >= 0)) return cut_short(element, i);
            // Every item takes at least a byte, so a wrong length ends with the file.
            for (double k = 0; k < *value; ++k) {
                const auto one = body.next(property.type);
                if (!one) return cut_short(element, i);
                if (PlyError error = item(p, *one)) return error;
            }
        }
        if (PlyError error = row(scalars)) return error;
    }
    return std::nullopt;
}

inline PlyError no_item(std::size_t, double) { return std::nullopt; }
inline PlyError no_row(const std::vector<double>&) { return std::nullopt; }

// NaN outside the range of float, where a conversion would be undefined behaviour.
float to_float(double value);

// A colour channel as linear light: whole numbers are sRGB by convention, the others are linear.
float to_linear(double value, PlyType type);

// The indices of three scalar properties; nothing unless the element has all of them.
std::optional<std::array<std::size_t, 3>> find_three(const PlyElement& element,
                                                     std::array<const char*, 3> names);

}  // namespace ringlet
