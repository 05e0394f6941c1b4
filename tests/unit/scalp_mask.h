// Scalp masks: points of the skin of a head where hair grows, made without the code they test (see
// the first lines of tests/masks/*.txt). They measure how well roots keep to a scalp.
#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "math/vec3.h"
#include "test_paths.h"

namespace ringlet {

using ScalpMask = std::vector<Vec3f>;  // m, in the frame of the head; about 1 cm apart

inline constexpr float kMaskRadius = 0.006f;    // m, of skin that a point of the mask stands for
inline constexpr float kMaskTolerance = 0.01f;  // m, that roots may lie outside the mask

// "bust" (scenes/assets/bust.obj) or "sintel" (sintel_bust.obj in metres). Empty if the file is not
// there.
inline ScalpMask load_scalp_mask(const std::string& name) {
    std::ifstream in(std::filesystem::path(kSourceFolder) / "tests/masks" / (name + "_scalp.txt"));
    ScalpMask out;
    for (std::string line; std::getline(in, line);) {
        Vec3f p;
        std::istringstream numbers(line);
        if (numbers >> p.x >> p.y >> p.z) out.push_back(p);
    }
    return out;
}

struct ScalpFit {
    double inside = 0;   // share of the roots on the mask or at most kMaskTolerance beside it
    double covered = 0;  // share of the mask with a root
};

// The share of `points` that have one of `others` within `reach` metres.
inline double share_near(const std::vector<Vec3f>& points, const std::vector<Vec3f>& others,
                         float reach) {
    const auto cell = [&](Vec3f p) {
        return std::tuple{static_cast<int>(std::floor(p.x / reach)),
                          static_cast<int>(std::floor(p.y / reach)),
                          static_cast<int>(std::floor(p.z / reach))};
    };
    std::map<std::tuple<int, int, int>, std::vector<Vec3f>> grid;
    for (const Vec3f p : others) grid[cell(p)].push_back(p);
    const auto is_near = [&](Vec3f p) {
        const auto [x, y, z] = cell(p);
        for (int k = 0; k < 27; ++k) {
            const auto found = grid.find({x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1});
            if (found == grid.end()) continue;
            for (const Vec3f q : found->second)
                if (norm(q - p) <= reach) return true;
        }
        return false;
    };
    std::size_t count = 0;
    for (const Vec3f p : points) count += is_near(p);
    return points.empty() ? 0 : static_cast<double>(count) / static_cast<double>(points.size());
}

// `roots` in metres, +y up, facing +z, in the frame of the mask. Needs a few thousand roots, so
// that a covered mask has one near each point.
inline ScalpFit measure_scalp(const ScalpMask& mask, const std::vector<Vec3f>& roots) {
    return {share_near(roots, mask, kMaskRadius + kMaskTolerance),
            share_near(mask, roots, kMaskRadius)};
}

}  // namespace ringlet
