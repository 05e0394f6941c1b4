// The motion of the skin of a bent neck, shared by CPU and GPU.
#pragma once

#include "math/quat.h"

namespace ringlet {

// The poses of both ends of a neck, from the mesh's frame at rest to the actor's frame.
struct NeckPose {
    Rigidf shoulders, head;
};

// How a neck moves the skin at one moment. Trivially copyable.
struct NeckBend {
    Vec3f pivot;       // about which the head turns, in the mesh's frame
    Rigidf shoulders;  // their pose in the actor's frame
    Rigidf head;       // the head's motion relative to the shoulders
    Rigidf to_head;    // from the actor's frame to the head's

    NeckBend(Vec3f neck_pivot, const NeckPose& pose)
        : pivot(neck_pivot),
          shoulders(pose.shoulders),
          head(motion_from(pose.shoulders, Rigidf{}) * pose.head),
          to_head(motion_from(pose.head, Rigidf{})) {}

    // The motion since rest, in the head's frame, of skin that follows this share of the head's
    // motion. The rotation is interpolated about the pivot, so a turned neck keeps its thickness.
    template <class F>
    RINGLET_KERNEL Rigid<F> skin_motion(F share) const {
        const Rigid<F> whole = splat_rigid<F>(head);
        const Vec3<F> centre = splat<F>(pivot);
        const Quat<F> turn = between(splat_rigid<F>(Rigidf{}), whole, share).rotation;
        const Vec3<F> moved = (apply(whole, centre) - centre) * share;
        const Rigid<F> part{turn, centre + moved - rotate(turn, centre)};
        return select(share < F(1), splat_rigid<F>(to_head) * (splat_rigid<F>(shoulders) * part),
                      splat_rigid<F>(Rigidf{}));
    }
};

}  // namespace ringlet
