// One array of numpy: the content of an .npy file, or of an entry of an .npz file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ringlet/result.h"

namespace ringlet {

// Refers to the bytes it was parsed from; valid as long as they are.
struct NpyArray {
    std::vector<std::uint64_t> shape;
    char kind = 'f';  // 'f': floating point, 'i': signed, 'u': unsigned integer, 'b': bool
    std::size_t item_bytes = 4;
    bool big_endian = false;
    bool fortran_order = false;  // the first index varies fastest
    std::string_view data;       // exactly as many bytes as the shape needs

    std::size_t item_count() const { return data.size() / item_bytes; }
    bool is_real() const { return kind == 'f'; }
    bool is_integer() const { return kind == 'i' || kind == 'u'; }
    // The number at an index in C order (the last index varies fastest). Precondition: the index is
    // below item_count().
    double at(std::size_t index) const;

private:
    std::size_t stored_index(std::size_t index) const;
};

// Float16, float32 and float64, integers of 1 to 8 bytes and bool, in either byte order; any other
// type is an error. An Error states only the cause.
Result<NpyArray> parse_npy(std::string_view bytes);

// A little-endian array in C order. `type` is numpy's name of the item type: "<f4".
std::string npy_bytes(std::string_view type, const std::vector<std::uint64_t>& shape,
                      std::string_view data);

}  // namespace ringlet
