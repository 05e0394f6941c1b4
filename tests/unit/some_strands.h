// Strands with arbitrary values, for tests of groom files.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "strand/strand_set.h"

namespace ringlet {

// Values that no short decimal text represents, including -0 and subnormals.
inline StrandSet some_strands(const std::vector<int>& counts, unsigned seed = 3) {
    StrandSet out{StrandLayout(counts)};
    std::mt19937 random(seed);
    const auto value = [&] { return static_cast<float>(random()) * 0x1.8p-31f - 1.5f; };
    for (int s = 0; s < out.strand_count(); ++s)
        for (int i = 0; i < out.layout->vertex_count(s); ++i) {
            out.position.set_vec3(s, i, {value(), i == 1 ? -0.0f : value(), value() * 1e-39f});
            out.colour.set_vec3(s, i, {value(), value(), value()});
            out.radius.at(s, i) = std::abs(value());
        }
    return out;
}

}  // namespace ringlet
