// 3x3 blocks of the rod's block-tridiagonal system, and the elimination of one pivot.
//
// A pivot is the quasi-definite [A B^T; B -S], A and S symmetric and positive: it needs no
// pivoting. Its inverse has the same shape, [a b^T; b -c], 21 numbers.
#pragma once

#include "math/vec3.h"

namespace ringlet {

template <class F>
struct Sym3 {
    F xx, xy, xz, yy, yz, zz;
};

// Rows x, y, z.
template <class F>
struct Mat3 {
    Vec3<F> x, y, z;
};

template <class F>
RINGLET_KERNEL Sym3<F> operator+(const Sym3<F>& a, const Sym3<F>& b) {
    return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
template <class F>
RINGLET_KERNEL Sym3<F> operator-(const Sym3<F>& a, const Sym3<F>& b) {
    return {a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yy - b.yy, a.yz - b.yz, a.zz - b.zz};
}
template <class F>
RINGLET_KERNEL Sym3<F> operator*(const Sym3<F>& a, F s) {
    return {a.xx * s, a.xy * s, a.xz * s, a.yy * s, a.yz * s, a.zz * s};
}
template <class F>
RINGLET_KERNEL Vec3<F> operator*(const Sym3<F>& a, Vec3<F> b) {
    return {a.xx * b.x + a.xy * b.y + a.xz * b.z, a.xy * b.x + a.yy * b.y + a.yz * b.z,
            a.xz * b.x + a.yz * b.y + a.zz * b.z};
}
template <class F>
RINGLET_KERNEL Vec3<F> operator*(const Mat3<F>& a, Vec3<F> b) {
    return {dot(a.x, b), dot(a.y, b), dot(a.z, b)};
}
template <class F>
RINGLET_KERNEL Vec3<F> transposed_times(const Mat3<F>& a, Vec3<F> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// s I + e d d^T, for instance joint stiffness: s across and s + e along the unit vector d.
template <class F>
struct Axial3 {
    F s, e;
    Vec3<F> d;
};

template <class F>
RINGLET_KERNEL Sym3<F> to_sym3(const Axial3<F>& a) {
    const Vec3<F> ed = a.d * a.e, d = a.d;
    return {a.s + ed.x * d.x, ed.x * d.y, ed.x * d.z,
            a.s + ed.y * d.y, ed.y * d.z, a.s + ed.z * d.z};
}
template <class F>
RINGLET_KERNEL Vec3<F> operator*(const Axial3<F>& a, Vec3<F> b) {
    return b * a.s + a.d * (a.e * dot(a.d, b));
}
// K P K, for symmetric P: s^2 P + s e (d (Pd)^T + (Pd) d^T) + e^2 (d.Pd) d d^T.
template <class F>
RINGLET_KERNEL Sym3<F> sandwich(const Axial3<F>& k, const Sym3<F>& p) {
    const Vec3<F> d = k.d, pd = p * d;
    const Vec3<F> f = pd * (k.s * k.e) + d * (F(0.5f) * k.e * k.e * dot(d, pd));
    const Sym3<F> outer = {F(2) * d.x * f.x, d.x * f.y + d.y * f.x, d.x * f.z + d.z * f.x,
                           F(2) * d.y * f.y, d.y * f.z + d.z * f.y, F(2) * d.z * f.z};
    return p * (k.s * k.s) + outer;
}
// B K.
template <class F>
RINGLET_KERNEL Mat3<F> times(const Mat3<F>& b, const Axial3<F>& k) {
    const Vec3<F> bd = (b * k.d) * k.e;
    return {b.x * k.s + k.d * bd.x, b.y * k.s + k.d * bd.y, b.z * k.s + k.d * bd.z};
}

// The same for a general symmetric K, and for an anisotropic mass.
template <class F>
RINGLET_KERNEL Mat3<F> times(const Mat3<F>& b, const Sym3<F>& k) {
    return {k * b.x, k * b.y, k * b.z};
}
template <class F>
RINGLET_KERNEL Mat3<F> times(const Sym3<F>& k, const Mat3<F>& b) {
    return {b.x * k.xx + b.y * k.xy + b.z * k.xz, b.x * k.xy + b.y * k.yy + b.z * k.yz,
            b.x * k.xz + b.y * k.yz + b.z * k.zz};
}
template <class F>
RINGLET_KERNEL Mat3<F> times(F k, const Mat3<F>& b) {
    return {b.x * k, b.y * k, b.z * k};
}
template <class F>
RINGLET_KERNEL Vec3<F> times(const Sym3<F>& k, Vec3<F> a) {
    return k * a;
}
template <class F>
RINGLET_KERNEL Vec3<F> times(F k, Vec3<F> a) {
    return a * k;
}
template <class F>
RINGLET_KERNEL Sym3<F> sandwich(const Sym3<F>& k, const Sym3<F>& p) {
    const Mat3<F> rows = {{p.xx, p.xy, p.xz}, {p.xy, p.yy, p.yz}, {p.xz, p.yz, p.zz}};
    const Mat3<F> kp = times(k, rows);
    const Vec3<F> x = k * kp.x, y = k * kp.y;
    return {x.x, x.y, x.z, y.y, y.z, kp.z.x * k.xz + kp.z.y * k.yz + kp.z.z * k.zz};
}
template <class F>
RINGLET_KERNEL Sym3<F> sandwich(F k, const Sym3<F>& p) {
    return p * (k * k);
}
template <class F>
RINGLET_KERNEL Sym3<F> to_sym3(const Sym3<F>& a) {
    return a;
}
// An isotropic matrix s I. Multiplies in the same order as an isotropic Sym3, so the bits are the
// same at lower cost.
template <class F>
struct Same3 {
    F s;
};
template <class F>
RINGLET_KERNEL Same3<F> operator*(Same3<F> a, F s) {
    return {a.s * s};
}
template <class F>
RINGLET_KERNEL Mat3<F> times(Same3<F> k, const Mat3<F>& b) {
    return times(k.s, b);
}
template <class F>
RINGLET_KERNEL Vec3<F> times(Same3<F> k, Vec3<F> a) {
    return a * k.s;
}
template <class F>
RINGLET_KERNEL Sym3<F> sandwich(Same3<F> k, const Sym3<F>& p) {
    return (p * k.s) * k.s;
}
template <class M, class F>
RINGLET_KERNEL Same3<F> select(M mask, Same3<F> yes, Same3<F> no) {
    return {select(mask, yes.s, no.s)};
}

template <class F>
RINGLET_KERNEL Sym3<F> isotropic(F a) {
    return {a, F(0), F(0), a, F(0), a};
}
template <class F>
RINGLET_KERNEL Sym3<F> to_sym3(F a) {
    return isotropic(a);
}
template <class F>
RINGLET_KERNEL Sym3<F> to_sym3(Same3<F> a) {
    return isotropic(a.s);
}
template <class F>
RINGLET_KERNEL Sym3<F> outer(Vec3<F> a) {
    return {a.x * a.x, a.x * a.y, a.x * a.z, a.y * a.y, a.y * a.z, a.z * a.z};
}
template <class M, class F>
RINGLET_KERNEL Sym3<F> select(M mask, const Sym3<F>& yes, const Sym3<F>& no) {
    return {select(mask, yes.xx, no.xx), select(mask, yes.xy, no.xy), select(mask, yes.xz, no.xz),
            select(mask, yes.yy, no.yy), select(mask, yes.yz, no.yz), select(mask, yes.zz, no.zz)};
}

template <class F>
RINGLET_KERNEL Sym3<F> inverse(const Sym3<F>& a) {
    const F xx = a.yy * a.zz - a.yz * a.yz, xy = a.xz * a.yz - a.xy * a.zz,
            xz = a.xy * a.yz - a.xz * a.yy;
    const F over = reciprocal(a.xx * xx + a.xy * xy + a.xz * xz);
    return Sym3<F>{xx,
                   xy,
                   xz,
                   a.xx * a.zz - a.xz * a.xz,
                   a.xy * a.xz - a.xx * a.yz,
                   a.xx * a.yy - a.xy * a.xy} *
           over;
}

// [a b^T; b -c].
template <class F>
struct PivotInverse {
    Sym3<F> a;
    Mat3<F> b;
    Sym3<F> c;
};

// The right-hand side or solution of one pivot.
template <class F>
struct BlockVector {
    Vec3<F> angle, multiplier;
};

template <class F>
RINGLET_KERNEL BlockVector<F> operator*(const PivotInverse<F>& p, BlockVector<F> r) {
    return {p.a * r.angle + transposed_times(p.b, r.multiplier),
            p.b * r.angle - p.c * r.multiplier};
}

// The inverse of [A B^T; B -S], by the Schur complement Z = S + B A^-1 B^T.
template <class F>
RINGLET_KERNEL PivotInverse<F> invert_pivot(const Sym3<F>& a, const Mat3<F>& b, const Sym3<F>& s) {
    const Sym3<F> ia = inverse(a);
    const Mat3<F> ba = {ia * b.x, ia * b.y, ia * b.z};
    const Sym3<F> z = s + Sym3<F>{dot(ba.x, b.x), dot(ba.x, b.y), dot(ba.x, b.z),
                                  dot(ba.y, b.y), dot(ba.y, b.z), dot(ba.z, b.z)};
    const Sym3<F> iz = inverse(z);
    const Mat3<F> pb = {ba.x * iz.xx + ba.y * iz.xy + ba.z * iz.xz,
                        ba.x * iz.xy + ba.y * iz.yy + ba.z * iz.yz,
                        ba.x * iz.xz + ba.y * iz.yz + ba.z * iz.zz};
    const Vec3<F> u = ba.x, v = ba.y, w = ba.z, f = pb.x, g = pb.y, k = pb.z;
    const Sym3<F> pa =
        ia - Sym3<F>{u.x * f.x + v.x * g.x + w.x * k.x, u.x * f.y + v.x * g.y + w.x * k.y,
                     u.x * f.z + v.x * g.z + w.x * k.z, u.y * f.y + v.y * g.y + w.y * k.y,
                     u.y * f.z + v.y * g.z + w.y * k.z, u.z * f.z + v.z * g.z + w.z * k.z};
    return {pa, pb, iz};
}

}  // namespace ringlet
