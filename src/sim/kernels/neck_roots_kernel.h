// The poses of the skin under roots on the head and on the neck below it.
#pragma once

#include "collide/neck_bend.h"
#include "sim/kernel_protocol.h"
#include "sim/kernels/root_pose.h"

namespace ringlet {

struct NeckRootsUniforms {
    NeckBend bend;
    Rigidf head;  // the head's pose
};

struct NeckRootsBlock {
    int rows;
    const float* head_share;  // Neck::head_share of the root
    float* poses;             // kPoseRows

    template <class Visit>
    RINGLET_KERNEL void visit(const Visit& visit) {
        visit(head_share, 1, Per::block);
        visit(poses, kPoseRows, Per::block);
    }
};

struct NeckRootsKernel : KernelDefaults {
    using Uniforms = NeckRootsUniforms;
    using Block = NeckRootsBlock;

    template <class F>
    RINGLET_KERNEL static void substep(const NeckRootsUniforms& uniforms,
                                       const NeckRootsBlock& block) {
        const Rigid<F> pose =
            splat_rigid<F>(uniforms.head) * uniforms.bend.skin_motion(load<F>(block.head_share));
        set_root_pose<F>(block.poses, {normalise(pose.rotation), pose.translation});
    }
};

}  // namespace ringlet
