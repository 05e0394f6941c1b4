// Damping that conserves linear and angular momentum (Müller et al. 2007, section 3.5): blends a
// strand's velocities with those of a rigid body that has the same momenta.
#pragma once

#include "math/vec3.h"

namespace ringlet {

// A symmetric 3x3 matrix.
template <class F>
struct Symmetric3 {
    F xx, yy, zz, xy, xz, yz;
};

// Solves A r = b for positive definite A by LDL^T: the residual A r - b is at rounding level even
// if A is nearly singular. Pivots below `floor` are raised to it.
template <class F>
RINGLET_KERNEL Vec3<F> solve(const Symmetric3<F>& a, Vec3<F> b, F floor) {
    const F d0 = max(a.xx, floor);
    const F l10 = a.xy / d0, l20 = a.xz / d0;
    const F d1 = max(a.yy - l10 * a.xy, floor);
    const F rest = a.yz - l20 * a.xy;
    const F l21 = rest / d1;
    const F d2 = max(a.zz - l20 * a.xz - l21 * rest, floor);
    const F y1 = b.y - l10 * b.x;
    const F z = (b.z - l20 * b.x - l21 * y1) / d2;
    const F y = y1 / d1 - l21 * z;
    return {b.x / d0 - l10 * y - l20 * z, y, z};
}

// Strand provides rows, x, v and w; vertices with w = 0 are ignored. `k` is in [0, 1].
template <class Strand, class F>
RINGLET_KERNEL void damp_all_but_rigid_motion(const Strand& s, F k) {
    const Vec3<F> zero = zero_vec3<F>();
    F mass = F(0);
    Vec3<F> centre = zero, momentum = zero;
    const Vec3<F> origin = s.x[0];
    for (int i = 0; i < s.rows; ++i) {
        const F w = s.w[i];
        const F m = select(w > F(0), F(1) / max(w, F(kTiny)), F(0));
        mass = mass + m;
        centre += (s.x[i] - origin) * m;
        momentum += s.v[i] * m;
    }
    const F share = F(1) / max(mass, F(kTiny));
    centre = origin + centre * share;
    const Vec3<F> drift = momentum * share;

    Vec3<F> spin = zero;  // angular momentum about the centre
    Symmetric3<F> inertia{F(0), F(0), F(0), F(0), F(0), F(0)};
    for (int i = 0; i < s.rows; ++i) {
        const F w = s.w[i];
        const F m = select(w > F(0), F(1) / max(w, F(kTiny)), F(0));
        const Vec3<F> r = s.x[i] - centre;
        spin += cross(r, s.v[i] - drift) * m;
        const F r2 = dot(r, r);
        inertia.xx = inertia.xx + m * (r2 - r.x * r.x);
        inertia.yy = inertia.yy + m * (r2 - r.y * r.y);
        inertia.zz = inertia.zz + m * (r2 - r.z * r.z);
        inertia.xy = inertia.xy - m * r.x * r.y;
        inertia.xz = inertia.xz - m * r.x * r.z;
        inertia.yz = inertia.yz - m * r.y * r.z;
    }
    // Scaled to trace 1. A straight strand has neither inertia nor angular momentum about its own
    // axis, so the effect of the floor on that direction does not matter.
    const F trace = inertia.xx + inertia.yy + inertia.zz;
    const F unit = F(1) / max(trace, F(1e-30f));
    const Symmetric3<F> scaled{inertia.xx * unit, inertia.yy * unit, inertia.zz * unit,
                               inertia.xy * unit, inertia.xz * unit, inertia.yz * unit};
    const Vec3<F> omega = select(trace > F(1e-20f), solve(scaled, spin * unit, F(1e-6f)), zero);

    for (int i = 0; i < s.rows; ++i) {
        const Vec3<F> rigid = drift + cross(omega, s.x[i] - centre);
        const Vec3<F> v = s.v[i];
        s.v.set(i, select(s.w[i] > F(0), v + (rigid - v) * k, v));
    }
}

}  // namespace ringlet
