// Poses and shapes that a program sets once per frame. Each step ends at the pose or shape
// interpolated for its own time.
#pragma once

#include <vector>

#include "geom/mesh_sequence.h"
#include "math/quat.h"

namespace ringlet {

// A time within this many steps of a whole number of steps counts as that number.
inline constexpr double kSameStep = 1e-6;

struct FramePose {
    Rigidf before, now;  // at the caller's time before and after the frame

    // `share` is the fraction of the frame that has passed.
    Rigidf at(double share) const {
        return share >= 1 - kSameStep ? now : between(before, now, static_cast<float>(share));
    }
};

// All positions of a deforming mesh. Empty: the mesh is rigid.
struct FrameShape {
    std::vector<Vec3f> before, now;

    explicit FrameShape(const std::vector<Vec3f>& at = {}) : before(at), now(at), current_(at) {}

    bool empty() const { return now.empty(); }
    void end_frame() { before = now; }
    // Valid until the next call.
    std::span<const Vec3f> at(double share) {
        const bool is_end = share >= 1 - kSameStep;
        interpolate(before, now, is_end ? 1 : static_cast<float>(share), current_);
        return current_;
    }

private:
    std::vector<Vec3f> current_;
};

}  // namespace ringlet
