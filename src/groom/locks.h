// Locks: the strands that gather around a common line. The first roots of the sequence are spread
// as evenly as all of them, so they lead; every strand belongs to the leader nearest to its root.
#pragma once

#include <span>
#include <vector>

#include "groom/region_grids.h"
#include "math/quat.h"

namespace ringlet {

// A line with a frame that does not spin about it, given at equal distances along.
class LockLine {
public:
    LockLine() = default;
    LockLine(std::vector<Vec3f> points, float length);

    Vec3f point(float distance) const;
    Framef frame(float distance) const;

private:
    struct At {
        std::size_t index;
        float fraction;
    };
    At locate(float distance) const;

    std::vector<Vec3f> points_;
    std::vector<Framef> frames_;
    float step_ = 1;
};

class Locks {
public:
    // `regions` (one per root) keep strands from joining a leader across the parting or of another
    // group of the mesh.
    Locks(std::span<const Vec3f> roots, std::span<const int> regions, int leader_count);

    int leader_count() const { return static_cast<int>(leaders_); }
    int leader_of(Vec3f root, int region) const;

private:
    std::size_t leaders_ = 0;
    RegionGrids grids_;
};

}  // namespace ringlet
