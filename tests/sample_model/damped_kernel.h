// The kernel of the sample model in damped.cpp: every vertex is a damped oscillator about its
// groomed position. docs/writing_a_model.md explains this file.
#pragma once

#include "sim/kernel_protocol.h"
#include "sim/kernels/limits.h"
#include "strand/rows.h"

namespace ringlet {

// Constants of a substep.
struct DampedUniforms {
    // The exact solution over one substep: u' = a u + b v, v' = c u + d v for the displacement u.
    float a, b, c, d;
    Vec3f sag;         // m, displacement of the equilibrium by gravity
    bool holds_roots;  // vertex 0 follows the head
    Rigidf head;       // pose at the end of the substep
};

// The channels of one block, from vertex 0 and the current lane.
struct DampedBlock {
    int rows;
    float* x;           // m
    float* v;           // m/s
    const float* rest;  // m, groomed position in the head's frame
    float* repaired;    // one row: index of the first repaired vertex, or -1

    template <class Visit>
    RINGLET_KERNEL void visit(const Visit& visit) {
        visit(x, 3, Per::row);
        visit(v, 3, Per::row);
        visit(rest, 3, Per::row);
        visit(repaired, 1, Per::block);
    }
};

struct DampedKernel : KernelDefaults {
    using Uniforms = DampedUniforms;
    using Block = DampedBlock;

    template <class F>
    RINGLET_KERNEL static void substep(const DampedUniforms& p, const DampedBlock& block) {
        const Rows3<F> x{block.x}, v{block.v};
        const ConstRows3<F> rest{block.rest};
        const Rows1<F> repaired{block.repaired};
        const Rigid<F> head = splat_rigid<F>(p.head);
        F first_repaired = F(-1);
        for (int i = block.rows - 1; i >= 0; --i) {
            const Vec3<F> target = apply(head, rest[i]);
            if (i == 0 && p.holds_roots) {
                x.set(0, target);
                v.set(0, zero_vec3<F>());
                continue;
            }
            const Vec3<F> equilibrium = target + splat<F>(p.sag);
            const Vec3<F> u = x[i] - equilibrium, speed = v[i];
            const Vec3<F> next_x = equilibrium + u * F(p.a) + speed * F(p.b);
            const Vec3<F> next_v = u * F(p.c) + speed * F(p.d);
            const auto sane = (norm(next_v) < F(kMaxSpeed)) && (norm(next_x) < F(kMaxCoordinate));
            first_repaired = select(sane, first_repaired, F(static_cast<float>(i)));
            x.set(i, select(sane, next_x, target));
            v.set(i, select(sane, next_v, zero_vec3<F>()));
        }
        repaired.set(0, max(repaired[0], first_repaired));
    }
};

}  // namespace ringlet
