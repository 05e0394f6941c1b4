// Clumps: strands that are pulled towards a common centreline. The first roots of the sequence are
// spread as evenly as all of them, so each of them leads a clump; every strand belongs to the
// leader nearest to its root.
#pragma once

#include <span>
#include <vector>

#include "groom/region_grids.h"
#include "math/quat.h"

namespace ringlet {

// A polyline with equally spaced points and a rotation-minimizing frame at each.
class ClumpCentreline {
public:
    ClumpCentreline() = default;
    ClumpCentreline(std::vector<Vec3f> points, float length);

    Vec3f point(float distance) const;
    Framef frame(float distance) const;

private:
    struct Location {
        std::size_t segment;
        float fraction;
    };
    Location locate(float distance) const;

    std::vector<Vec3f> points_;
    std::vector<Framef> frames_;
    float step_ = 1;
};

class Clumps {
public:
    // `regions` has one entry per root: a strand never joins a clump of another region. `noise` in
    // [0, 1] makes clumps unequal and blurs their borders.
    Clumps(std::span<const Vec3f> roots, std::span<const int> regions, int leader_count,
           float noise = 0, std::uint32_t seed = 0);

    int leader_count() const { return static_cast<int>(leaders_.size()); }
    // `strand` selects the noise of a root.
    int leader_of(Vec3f root, int region, int strand = 0) const;

private:
    std::vector<Vec3f> leaders_;  // roots
    RegionGrids grids_;
    float noise_;
    std::uint32_t seed_;
};

}  // namespace ringlet
