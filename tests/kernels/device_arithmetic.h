// Roots and reciprocals of math/lanes.h on a GPU, of every float there is.
#pragma once

#include <cstdint>

// How many are not as IEEE 754 rounds them; apart, those that math/lanes.h excepts.
struct WronglyRounded {
    std::uint64_t roots, reciprocals, of_normals, excepted;
};

bool has_device();
WronglyRounded count_wrongly_rounded();
