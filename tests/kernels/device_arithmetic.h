// Square roots and reciprocals of math/lanes.h on a GPU, for all 2^32 floats.
#pragma once

#include <cstdint>

// The number of results that differ from IEEE 754 rounding; the documented exceptions of
// math/lanes.h are counted separately.
struct WronglyRounded {
    std::uint64_t roots, reciprocals, of_normals, excepted;
};

bool has_device();
WronglyRounded count_wrongly_rounded();
