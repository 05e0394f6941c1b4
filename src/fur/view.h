// Input of the fur renderer. Pointers and spans are not owned and valid until the coat changes.
#pragma once

#include <span>

#include "fur/coat.h"
#include "ringlet/image.h"

namespace ringlet {

struct FurView {
    const Pelt* pelt = nullptr;
    // Increases with every new pelt: tells a renderer to upload the pelt again.
    std::uint64_t pelt_number = 0;
    std::span<const PackedTip> tips{};
    Rigidf transform{};              // from the pelt's frame to world space
    Quatf tip_rotation{0, 0, 0, 1};  // from the tips' directions to world space
    FurSettings settings{};
    float unit = 1;                                            // m
    Vec3f root_colour{0.1f, 0.1f, 0.1f}, tip_colour{1, 1, 1};  // linear RGB
    float colour_variation = 0;                                // relative, brightness per strand
    float length_variation = 0;
    std::shared_ptr<const Image> colour{};  // over UV, multiplies; may be null or empty
};

// Side length of the cell that holds one strand, m.
inline float strand_cell(const FurSettings& settings, float unit) {
    return 0.0095f * unit / max(settings.density, 1e-3f);
}

}  // namespace ringlet
