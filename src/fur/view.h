// What a renderer needs to know of a coat of shells.
#pragma once

#include <span>

#include "fur/coat.h"
#include "ringlet/image.h"

namespace ringlet {

struct FurView {
    const Pelt* pelt = nullptr;
    // Grows with every pelt that is made, so that who has uploaded one knows another.
    std::uint64_t pelt_number = 0;
    std::span<const PackedTip> tips{};
    Rigidf body{};           // from the pelt's frame to the world's
    Quatf turn{0, 0, 0, 1};  // of the tips' directions, to the world's
    FurSettings settings{};
    float unit = 1;                                            // m
    Vec3f root_colour{0.1f, 0.1f, 0.1f}, tip_colour{1, 1, 1};  // linear RGB
    float colour_variation = 0;                                // of brightness, per strand
    float length_variation = 0;
    std::shared_ptr<const Image> colour{};  // over UV, multiplies; may be null or empty
};

// Side of the cell that holds one strand, m.
inline float strand_cell(const FurSettings& settings, float unit) {
    return 0.0095f * unit / max(settings.density, 1e-3f);
}

}  // namespace ringlet
